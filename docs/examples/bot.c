/* SPDX-License-Identifier: MIT
 *
 * A WebAssembly bot for tic-tac-toe: searches to the end of the game, and never loses.
 *
 * clang --target=wasm32-wasi -mexec-model=reactor -O2 -o bot.wasm bot.c
 */
#include <stdlib.h>
#include <string.h>

#include "arena_bot.h"

static const int LINES[8][3] = {{0, 1, 2}, {3, 4, 5}, {6, 7, 8}, {0, 3, 6}, {1, 4, 7}, {2, 5, 8}, {0, 4, 8}, {2, 4, 6}};
static char board[9];

/* 1 if the player who is to move wins, 0 for a draw, -1 if that player loses. */
static int search(char mine, char theirs, int empty) {
    for (int line = 0; line < 8; line++)
        if (board[LINES[line][0]] == theirs && board[LINES[line][1]] == theirs && board[LINES[line][2]] == theirs)
            return -1;
    if (empty == 0) return 0;
    int best = -1;
    for (int square = 0; square < 9 && best < 1; square++) {
        if (board[square] != '.') continue;
        board[square] = mine;
        int value = -search(theirs, mine, empty - 1);
        board[square] = '.';
        if (value > best) best = value;
    }
    return best;
}

const char *arena_games(void) { return "tictactoe"; }

void *arena_buffer(int32_t size) {
    static void *buffer;
    return buffer = realloc(buffer, (size_t)size);
}

int32_t arena_move(const arena_turn *turn) {
    char mine = turn->seat == 0 ? 'x' : 'o', theirs = turn->seat == 0 ? 'o' : 'x';
    int32_t best = 0;
    int best_value = -2;
    for (int row = 0; row < 3; row++) memcpy(board + 3 * row, turn->position + 4 * row, 3); /* "x../.o./..." */
    for (uint32_t index = 0; index < turn->move_count; index++) {
        const char *move = turn->moves[index]; /* "a3" is the square in the upper left corner */
        int square = 3 * ('3' - move[1]) + (move[0] - 'a');
        board[square] = mine;
        int value = -search(theirs, mine, (int)turn->move_count - 1);
        board[square] = '.';
        if (value > best_value) best_value = value, best = (int32_t)index;
    }
    return best;
}
