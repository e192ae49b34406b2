/* SPDX-License-Identifier: MIT
 *
 * A bot in C without a library: it reads the messages of the arena from standard input and writes its own to standard
 * output, one JSON object per line. It plays random legal moves.
 *
 * cc -std=c11 -O2 -o lines lines.c
 * arena connect --program ./lines --token ...
 */
#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Return the character after a JSON value, or the end of the text if the value is not complete. */
static const char *after(const char *at) {
    int depth = 0;
    do {
        if (*at == '"') {
            for (at++; *at && *at != '"'; at++)
                if (*at == '\\' && at[1]) at++;
            if (*at) at++;
        } else if (*at == '{' || *at == '[') {
            depth++, at++;
        } else if (*at == '}' || *at == ']') {
            depth--, at++;
        } else if (depth) {
            at++;
        } else {
            while (*at && !strchr(",]}", *at)) at++;
        }
    } while (*at && depth > 0);
    return at;
}

static const char *space(const char *at) {
    while (isspace((unsigned char)*at)) at++;
    return at;
}

/* Return the value of a field of an object; NULL if the object has no such field. Fields of inner objects do not
 * count. */
static const char *value_of(const char *object, const char *field) {
    size_t length = strlen(field);
    const char *at = space(object);
    if (*at != '{') return NULL;
    at = space(at + 1);
    while (*at == '"') {
        const char *end = after(at);
        bool found = (size_t)(end - at) == length + 2 && strncmp(at + 1, field, length) == 0;
        at = space(end);
        if (*at != ':') return NULL;
        at = space(at + 1);
        if (found) return at;
        at = space(after(at));
        if (*at != ',') return NULL;
        at = space(at + 1);
    }
    return NULL;
}

/* Whether the object is a message of this type. */
static bool is(const char *message, const char *type) {
    const char *value = value_of(message, "type");
    size_t length = strlen(type);
    return value && strncmp(value + 1, type, length) == 0 && value[length + 1] == '"';
}

/* Return the number in a field; 0 if there is none. */
static long number(const char *message, const char *field) {
    const char *value = value_of(message, field);
    return value ? strtol(value, NULL, 10) : 0;
}

/* Return a random item of a JSON list, and its length; NULL if the list is empty. */
static const char *any_of(const char *list, size_t *length) {
    const char *chosen = NULL;
    int items = 0;
    if (!list || *list != '[') return NULL;
    for (const char *at = space(list + 1); *at && *at != ']';) {
        const char *end = after(at);
        if (rand() % ++items == 0) chosen = at, *length = (size_t)(end - at);
        at = space(end);
        if (*at == ',') at = space(at + 1);
    }
    return chosen;
}

static void answer(const char *message) {
    long match = number(message, "match");
    if (is(message, "turn")) {
        size_t length = 0;
        const char *move = any_of(value_of(message, "legal_moves"), &length);
        if (move) /* the move stays a JSON string, with its quotes */
            printf("{\"type\": \"move\", \"match\": %ld, \"ply\": %ld, \"move\": %.*s}\n", match, number(message, "ply"),
                   (int)length, move);
    } else if (is(message, "draw-offered")) {
        printf("{\"type\": \"answer-draw\", \"match\": %ld, \"accept\": false}\n", match);
    } else if (is(message, "error")) {
        fprintf(stderr, "%s", message);
    }
    fflush(stdout);
}

/* Return the next line; NULL at the end of the input. A message of the arena may be long. */
static char *next_line(void) {
    static char *line;
    static size_t size;
    size_t used = 0;
    for (int c; (c = getchar()) != EOF;) {
        if (used + 2 > size && !(line = realloc(line, size = 2 * size + 4096))) abort();
        line[used++] = (char)c;
        line[used] = '\0';
        if (c == '\n') return line;
    }
    return NULL;
}

int main(void) {
    srand((unsigned)time(NULL));
    printf("{\"type\": \"hello\", \"protocol\": 1, \"version\": \"1\", \"games\": [\"checkers\", \"tictactoe\"]}\n");
    fflush(stdout);
    for (char *line; (line = next_line());) answer(line);
    return 0;
}
