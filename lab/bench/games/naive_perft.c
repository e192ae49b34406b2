// SPDX-License-Identifier: GPL-3.0-or-later
// Perft of English draughts, plainly: a bit for each of the 32 squares, tables of neighbours, a loop over the pieces,
// recursive jumps, the moves of the last ply listed and counted but not searched.
// Prints {"leaves": N, "seconds": CPU}. Usage: naive_perft DEPTH

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

typedef struct {
    uint32_t own, enemy, kings;
    int side;  // 0 moves down the board, 1 up
} Board;

typedef struct {
    Board after[128];
    int count;
} Moves;

// By square and direction: the next square and the one behind it, -1 where the board ends; 0 and 1 lead down.
static int next[32][4], behind[32][4];
static const uint32_t LAST[2] = {0xF0000000u, 0x0000000Fu};

static int square_of(int row, int column) {
    return row < 0 || row > 7 || column < 0 || column > 7 ? -1 : row * 4 + column / 2;
}

static void make_tables(void) {
    static const int rows[4] = {1, 1, -1, -1}, columns[4] = {-1, 1, -1, 1};
    for (int square = 0; square < 32; square++) {
        int row = square / 4, column = square % 4 * 2 + (row % 2 == 0);
        for (int way = 0; way < 4; way++) {
            next[square][way] = square_of(row + rows[way], column + columns[way]);
            behind[square][way] = square_of(row + 2 * rows[way], column + 2 * columns[way]);
        }
    }
}

static inline void add(Moves *moves, const Board *board) {
    Board *after = &moves->after[moves->count++];
    after->own = board->enemy;
    after->enemy = board->own;
    after->kings = board->kings;
    after->side = 1 - board->side;
}

static inline void bounds(const Board *board, int square, int *first, int *last) {
    int king = board->kings >> square & 1;
    *first = king || board->side == 0 ? 0 : 2;
    *last = king || board->side == 1 ? 4 : 2;
}

// Carries a capture on from a square; adds every end of it. Returns whether there was any.
static int jump(const Board *board, int from, Moves *moves) {
    int any = 0, first, last;
    bounds(board, from, &first, &last);
    for (int way = first; way < last; way++) {
        int over = next[from][way], to = behind[from][way];
        if (to < 0 || !(board->enemy >> over & 1) || (board->own | board->enemy) >> to & 1) continue;
        any = 1;
        Board after = *board;
        uint32_t taken = 1u << over, origin = 1u << from, target = 1u << to;
        int king = board->kings >> from & 1;
        after.enemy &= ~taken;
        after.own = (after.own & ~origin) | target;
        after.kings = (after.kings & ~taken & ~origin) | (king ? target : 0);
        if (!king && target & LAST[board->side]) {
            after.kings |= target;  // a crowned man stops
            add(moves, &after);
        } else if (!jump(&after, to, moves)) {
            add(moves, &after);
        }
    }
    return any;
}

static void list(const Board *board, Moves *moves) {
    moves->count = 0;
    for (uint32_t left = board->own; left; left &= left - 1) jump(board, __builtin_ctz(left), moves);
    if (moves->count) return;
    for (uint32_t left = board->own; left; left &= left - 1) {
        int from = __builtin_ctz(left), king = board->kings >> from & 1, first, last;
        bounds(board, from, &first, &last);
        for (int way = first; way < last; way++) {
            int to = next[from][way];
            if (to < 0 || (board->own | board->enemy) >> to & 1) continue;
            Board after = *board;
            uint32_t origin = 1u << from, target = 1u << to;
            after.own = (after.own & ~origin) | target;
            if (king) after.kings = (after.kings & ~origin) | target;
            if (target & LAST[board->side]) after.kings |= target;
            add(moves, &after);
        }
    }
}

static unsigned long long perft(const Board *board, int depth) {
    Moves moves;
    list(board, &moves);
    if (depth == 1) return moves.count;
    unsigned long long leaves = 0;
    for (int index = 0; index < moves.count; index++) leaves += perft(&moves.after[index], depth - 1);
    return leaves;
}

int main(int count, char **arguments) {
    make_tables();
    Board board = {0x00000FFFu, 0xFFF00000u, 0, 0};
    int depth = count > 1 ? atoi(arguments[1]) : 8;
    clock_t began = clock();
    unsigned long long leaves = perft(&board, depth);
    double seconds = (double)(clock() - began) / CLOCKS_PER_SEC;
    printf("{\"leaves\": %llu, \"seconds\": %f}\n", leaves, seconds);
    return 0;
}
