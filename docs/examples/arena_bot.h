/* SPDX-License-Identifier: MIT
 *
 * The interface of WebAssembly bots: docs/reference/webassembly.md describes it.
 *
 * The arena calls the functions that are declared here; a bot defines them. All pointers lie in the bot's own memory.
 */
#ifndef ARENA_BOT_H
#define ARENA_BOT_H

#include <stdint.h>

#define ARENA_EXPORT(NAME) __attribute__((export_name(#NAME), used))
#define ARENA_IMPORT(NAME) __attribute__((import_module("arena"), import_name(#NAME)))

/* What a bot learns at its turn. Texts end with a zero byte and are in the game's notation; times are in milliseconds. */
typedef struct arena_turn {
    const char *game;         /* name of the game, for example "chess" */
    const char *position;     /* chess: FEN */
    const char *last_move;    /* the previous move or the roll of dice; NULL before the first */
    const char *const *moves; /* the legal moves */
    uint32_t move_count;      /* how many there are; at least 1 */
    int32_t seat;             /* 0: the bot moves first */
    int32_t ply;              /* moves so far */
    int32_t draw_offered;     /* 1: the opponent offers a draw with its last move */
    int32_t clock;            /* the bot's remaining time; -1 without a clock, and in matches by instructions */
    int32_t opponent_clock;   /* likewise */
    int32_t increment;        /* added after each move */
    int32_t moves_to_go;      /* moves until the base time is added again; 0: it never is */
    uint64_t budget;          /* instructions for this move: a limit in matches by instructions, otherwise advice */
} arena_turn;

#define ARENA_RESIGN (-1)
#define ARENA_OFFER_DRAW (1 << 30) /* add it to a move's number to offer a draw */

/* Names of the games that the bot plays, separated by commas. */
ARENA_EXPORT(arena_games) const char *arena_games(void);

/* Return memory for a turn of `size` bytes, aligned to 8 bytes, or NULL. The arena uses it until the next call. */
ARENA_EXPORT(arena_buffer) void *arena_buffer(int32_t size);

/* The bot's answer: the number of a move in turn->moves, from 0, or ARENA_RESIGN. */
ARENA_EXPORT(arena_move) int32_t arena_move(const arena_turn *turn);

/* A bot may also export these:
 *   ARENA_EXPORT(arena_version) const char *arena_version(void);         by default from the module's digest
 *   ARENA_EXPORT(arena_description) const char *arena_description(void); one line about the bot
 *   ARENA_EXPORT(arena_accept_draw) int32_t arena_accept_draw(void);     1: accept the opponent's offer
 */

/* Write a text to the bot's log. */
ARENA_IMPORT(log) void arena_log(const char *text, int32_t size);

/* Instructions that the bot has used in this call. Asking counts as 10,000 itself. */
ARENA_IMPORT(instructions_used) uint64_t arena_instructions_used(void);

#endif
