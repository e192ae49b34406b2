# SPDX-License-Identifier: GPL-3.0-or-later
"""Chess and Go that hide the other side's men: Dark Chess and Phantom Go 9×9."""

from engine.decision import MARGIN, Decision, End, Endings
from engine.drawing import Aside, Board, Piece
from engine.evaluation import Evaluation, Terms
from engine.game import Game, State
from engine.games.chess import GAMES as CHESS_GAMES
from engine.games.chess import notation as chess
from engine.games.dark import chess_notation, chess_rules, go_notation, go_rules
from engine.games.dark.chess_rules import DarkChess
from engine.games.dark.go_rules import PhantomGo9
from engine.games.go import EVALUATIONS as GO_EVALUATIONS
from engine.rules import Draws
from engine.secrets import HIDDEN, Observation, Secrets
from engine.time_control import TimeControl

__all__ = ["GAMES", "DarkChess", "PhantomGo9"]

CAPTURED = "by capture of the king"


def _decide(end: End) -> Decision:
    """Tell why a game of Dark Chess ended; marks the square of the captured king, or of the king that cannot move."""
    board = chess_notation.chess_of(end.state)
    if end.winner is None:
        return chess.decide(end._replace(state=board))
    square = () if end.before is None else (chess.target(end.before, end.move) ^ 56,)
    return Decision(CAPTURED, lost=square)


def _observe(state: State, viewer: int | None) -> Observation:
    letters = chess_notation.observed_letters(state, viewer)
    drawn = "".join(letters[square ^ 56] for square in range(64))
    return Observation(chess_notation.observed_position(state, viewer), drawn, _captures(state))


def _captures(state: State) -> Aside:
    """Return the numbers of men that each seat has captured."""
    lost = chess_notation.lost_men(state)
    black = sum(letter.islower() for letter in lost)
    return Aside(counts=(float(black), float(len(lost) - black)))


DARK_CHESS = Game(
    name="dark-chess",
    title="Dark Chess",
    state=DarkChess,
    start=lambda: chess_notation.parse_position(chess_notation.START),
    parse_position=chess_notation.parse_position,
    format_position=chess_notation.format_position,
    format_move=chess.format_move,
    diagram=lambda state: chess.diagram(chess_notation.chess_of(state)),
    squares=chess.squares,
    board=Board(
        8,
        8,
        "checkered",
        {**CHESS_GAMES[0].board.pieces, HIDDEN: Piece("fog", "tile", None, "dark")},
        counted="captures",
    ),
    width=chess_rules.WIDTH,
    evaluations={
        "material": Evaluation(
            "material",
            (1, 4),
            "material, and squares that the men reach",
            terms=Terms(names=("material", "reach")),
            man=100,
        )
    },
    time_control=TimeControl(180_000, 2_000),
    seats=("White", "Black"),
    draws=Draws(repetition=3, no_progress_plies=100),
    description="Chess in the dark: each player sees only its own men and the squares to which they can move. The "
    "player who captures the king wins.",
    rules="The men stand and move as in chess, and White moves first. A player sees its own men, and the squares to "
    "which they can move now, with the men on them; it does not see the other squares. So a pawn does not see the man "
    "that blocks it, and sees the squares that it attacks only if it can capture there. A pawn that can be captured en "
    "passant is seen.\n\nThere is no check. A king may move to an attacked square, and castle out of an attack and "
    "through one. A captured king ends the game, and its owner loses.\n\nNobody is told the other player's moves. Both "
    "players, and the public, are told on which square a man was captured, and which one. Before the end the public "
    "sees no man.\n\nA player without a move draws. The game is also drawn when a position stands for the third time "
    "with the same side to move, after 100 plies without a capture or a pawn's move, and when neither side has the "
    "material to mate in chess. A move is written with both squares, such as e2e4, and a promotion as e7e8q.",
    link="https://en.wikipedia.org/wiki/Dark_chess",
    secrets=Secrets(_observe, chess_notation.disclose, chess_notation.squares, chess_notation.determinise),
    aside=_captures,
    endings=Endings(
        _decide,
        (CAPTURED, chess.STALEMATE, chess.MATERIAL),
        "captured king",
        "stalemate or insufficient material",
    ),
    scale=1.9,
)

PHANTOM_GO = Game(
    name="phantom-go/9x9",
    title="Phantom Go 9×9",
    state=PhantomGo9,
    start=lambda: go_notation.parse_position("9/9/9/9/9/9/9/9/9 b"),
    parse_position=go_notation.parse_position,
    format_position=go_notation.format_position,
    format_move=go_notation.format_move,
    diagram=go_notation.diagram,
    squares=go_notation.squares,
    board=go_notation.board(),
    width=go_rules.WIDTH,
    evaluations=GO_EVALUATIONS,
    time_control=TimeControl(60_000, 500),
    seats=("Black", "White"),
    description="Go on a board of 9 by 9 on which each player sees only its own stones. White gets 7 points of komi.",
    rules="The rules are those of Go 9×9: stones without liberties are captured, suicide is illegal, two passes in a "
    "row end the game, and the larger area wins, with 7 points of compensation for White. A single stone must not be "
    "captured back immediately (ko). All other repetitions of earlier positions are allowed.\n\nEach player sees its "
    "own stones only. It may try every point where it knows of no stone. If a stone is there, or the move would be "
    "suicide or against the ko rule, the move is refused: the player learns whether there is a stone, and moves "
    "again. It cannot try an empty point that was refused again before its next move. A refused try is not a move: "
    "two passes with a refused try between them still end the game.\n\nBoth players and the public learn of each "
    "pass, of each refused try (without its point), of the points of captured stones, and of the numbers of stones. "
    "They do not learn the points of placed stones. "
    f"After {go_rules.LIMIT} plies, refused tries included, the larger area wins.",
    link="https://senseis.xmp.net/?PhantomGo",
    secrets=Secrets(go_notation.observe, go_notation.disclose, go_notation.seen_squares, go_notation.determinise),
    read_move=go_notation.read_move,
    aside=go_notation.aside,
    scale=7.6,
    endings=Endings(go_notation.decide, MARGIN, "area", "area"),
)

GAMES = [DARK_CHESS, PHANTOM_GO]
