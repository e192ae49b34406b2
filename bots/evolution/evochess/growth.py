# SPDX-License-Identifier: GPL-3.0-or-later
"""Creation of programs: random programs, mutation, and crossover of expressions (J. R. Koza, 1992).

All functions use the given random generator. Results that are too long or too deep are drawn again; after some attempts
the parent is returned unchanged.
"""

from random import Random as Chance

from engine.search.programs.program import (
    DEPTH,
    FUNCTIONS,
    MOST,
    SIZE,
    TERMINALS,
    Program,
    Token,
    Type,
    Word,
    arguments,
    depth,
    depths,
    end_of,
    gives,
)

CONSTANT = 0.25
"""Probability that a random terminal of type number is a constant."""
NARROW, WIDE = 1.0, 4.0
"""Standard deviations of the normal distributions of constants, one chosen at random each time."""
INNER = 0.9
"""Probability that a crossover selects a function with its arguments rather than any token."""
ATTEMPTS = 20
FRESH = 4
"""Maximum depth of an expression that a mutation inserts."""

_TERMINALS: dict[Type, tuple[Word, ...]] = {
    kind: tuple(word for word in TERMINALS if word.gives == kind) for kind in ("number", "truth")
}
_FUNCTIONS: dict[Type, tuple[Word, ...]] = {
    kind: tuple(word for word in FUNCTIONS if word.gives == kind) for kind in ("number", "truth")
}


def constant(chance: Chance) -> float:
    """Draw a constant."""
    return round(chance.gauss(0.0, chance.choice((NARROW, WIDE))), 4)


def grown(chance: Chance, deepest: int = DEPTH, *, full: bool = False, kind: Type = "number") -> Program:
    """Return a random expression of at most depth ``deepest``; with ``full``, of exactly this depth where the types
    allow it.

    It may be longer than programs are.
    """
    stops = deepest <= 1 or (not full and chance.random() < len(_TERMINALS[kind]) / (len(TERMINALS) + len(FUNCTIONS)))
    if stops:
        if kind == "number" and chance.random() < CONSTANT:
            return (constant(chance),)
        return (chance.choice(_TERMINALS[kind]).name,)
    word = chance.choice(_FUNCTIONS[kind])
    tokens: list[Token] = [word.name]
    for each in word.takes:
        tokens += grown(chance, deepest - 1, full=full, kind=each)
    return tuple(tokens)


def gibberish(chance: Chance, deepest: int = 6) -> Program:
    """Draw a program by ramped half and half: as often full as not, of every depth from 2 to ``deepest`` alike."""
    while True:
        program = grown(chance, chance.randint(2, deepest), full=chance.random() < 0.5)
        if len(program) <= SIZE:
            return program


def fits(program: Program) -> bool:
    """Return whether a program is neither too long nor too deep."""
    return len(program) <= SIZE and depth(program) <= DEPTH


def put(program: Program, start: int, expression: Program) -> Program:
    """Return a program with another expression at a place."""
    return program[:start] + expression + program[end_of(program, start) :]


def crossed(mother: Program, father: Program, chance: Chance) -> Program:
    """Return the mother with an expression of the father's in the place of one of her own of the same type."""
    for _ in range(ATTEMPTS):
        start, kind = _place(mother, chance)
        places = [place for place, token in enumerate(father) if gives(token) == kind]
        if not places:
            continue
        inner = [place for place in places if arguments(father[place])]
        taken = chance.choice(inner if inner and chance.random() < INNER else places)
        child = put(mother, start, father[taken : end_of(father, taken)])
        if fits(child):
            return child
    return mother


def mutated(program: Program, chance: Chance) -> Program:
    """Return a program after one of five mutations.

    It replaces an expression by a new one; wraps an expression in a new one; replaces a word by another one of the same
    types; replaces an expression by one of its parts; or adds normal deviates to all constants, as evolution strategies
    do.
    """
    for _ in range(ATTEMPTS):
        child = chance.choice((_renewed, _wrapped, _reworded, _hoisted, _shifted))(program, chance)
        if child != program and fits(child):
            return child
    return program


def _place(program: Program, chance: Chance) -> tuple[int, Type]:
    """Return a random place in a program, and the type of the expression there."""
    inner = [place for place, token in enumerate(program) if arguments(token)]
    start = chance.choice(inner) if inner and chance.random() < INNER else chance.randrange(len(program))
    return start, gives(program[start])


def _renewed(program: Program, chance: Chance) -> Program:
    start = chance.randrange(len(program))
    room = DEPTH - list(depths(program))[start] + 1
    return put(program, start, grown(chance, min(FRESH, room), kind=gives(program[start])))


def _wrapped(program: Program, chance: Chance) -> Program:
    """Put an expression into a new one, one of whose arguments it becomes; the others are small."""
    start = chance.randrange(len(program))
    kind = gives(program[start])
    words = [word for word in _FUNCTIONS[kind] if kind in word.takes]
    if not words:
        return program
    word = chance.choice(words)
    own = chance.choice([place for place, each in enumerate(word.takes) if each == kind])
    tokens: list[Token] = [word.name]
    for place, each in enumerate(word.takes):
        tokens += program[start : end_of(program, start)] if place == own else grown(chance, 2, kind=each)
    return put(program, start, tuple(tokens))


def _reworded(program: Program, chance: Chance) -> Program:
    start = chance.randrange(len(program))
    token = program[start]
    if not arguments(token):
        return put(program, start, grown(chance, 1, kind=gives(token)))
    alike = [word.name for word in FUNCTIONS if word.takes == arguments(token) and word.gives == gives(token)]
    return (*program[:start], chance.choice(alike), *program[start + 1 :])


def _hoisted(program: Program, chance: Chance) -> Program:
    start, kind = _place(program, chance)
    within = [place for place in range(start + 1, end_of(program, start)) if gives(program[place]) == kind]
    if not within:
        return program
    taken = chance.choice(within)
    return put(program, start, program[taken : end_of(program, taken)])


def _shifted(program: Program, chance: Chance) -> Program:
    step = chance.choice((0.1, 0.5))
    return tuple(
        token
        if isinstance(token, str)
        else round(max(-MOST, min(MOST, token + chance.gauss(0.0, step * max(1.0, abs(token))))), 4)
        for token in program
    )
