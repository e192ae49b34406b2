# SPDX-License-Identifier: GPL-3.0-or-later
"""Positions and moves of bridge as text.

A position is a deal as in PBN (Portable Bridge Notation), the contract and the declarer, the tricks of the declarer's
side and of the defenders, and the trick: who leads it, and its cards so far. This is the deal before the first lead:

    N:QJ6.K652.J85.T98 873.J97.AT764.Q4 K5.T83.KQ9.A7652 AT942.AQ4.32.KJ3 3NT S 0-0 W

Hands are clockwise from the player before the colon, suits are spades, hearts, diamonds and clubs. A card is its suit
and rank: ``SA``, ``HT``. Before the deal is complete, "-" is a hand without cards, and "?" a strain that is not drawn.
"""

import re
from collections.abc import Sequence

from engine.bitboards.bits import Bits
from engine.games.bridge.cards import (
    DEALING,
    DECLARER,
    LANE,
    LEADER,
    LEVEL,
    LOST,
    NOTRUMP,
    PLAYERS,
    RANKS,
    STRAIN,
    SUITS,
    TRICKS,
    TURN,
    UNKNOWN,
    WIDTHS,
    WON,
    Bridge,
)

STRAINS = ("clubs", "diamonds", "hearts", "spades", "notrump")
"""Texts of the rolls that draw the strain."""
_STRAIN_TEXTS = {**dict(enumerate(SUITS)), NOTRUMP: "NT", UNKNOWN: "?"}

EXAMPLE = "N:QJ6.K652.J85.T98 873.J97.AT764.Q4 K5.T83.KQ9.A7652 AT942.AQ4.32.KJ3 3NT S"

_SYMBOLS = str.maketrans({"♠": "S", "♥": "H", "♦": "D", "♣": "C", "♤": "S", "♡": "H", "♢": "D", "♧": "C"})
_TEN = re.compile(r"(?<![\d-])10(?![\d-])")
"""Matches a ten, but not ten tricks."""
LONGEST = 500
"""Characters of a position that are read."""
_CARD = re.compile(r"([SHDC])(10|[2-9TJQKA])")
_TURNED = re.compile(r"(10|[2-9TJQKA])([SHDC])")
_DEAL = re.compile(r"([NESW]):(\S+) (\S+) (\S+) (\S+)(?: (.+))?")
_CONTRACT = re.compile(r"([1-7]?)(C|D|H|S|NT?|\?)(?: ?([NESW]))?(?: (.+))?")
_TRICKS = re.compile(r"(\d{1,2})-(\d{1,2})(?: ([NESW])((?: \S+)*))?")


def fact(state: Bridge, first: int) -> int:
    """Return a number of ``Bridge.facts`` by its first bit."""
    return int(state.facts) >> first & (1 << WIDTHS[first]) - 1


def trick_of(state: Bridge) -> list[int]:
    """Return the cards of the trick in the order of play."""
    return [card - 1 for card in int(state.trick).to_bytes(8, "little") if card]


# ---------------------------------------------------------------- cards


def write_card(card: int) -> str:
    """Write a card: its suit and its rank."""
    return SUITS[card // LANE] + RANKS[card % LANE]


def _card(text: str) -> int:
    found = _CARD.fullmatch(text)
    if not found:
        raise ValueError(f"{text[:20]!r} is not a card; a card is its suit and rank, like SA or HT")
    return SUITS.index(found[1]) * LANE + RANKS.index(found[2].replace("10", "T"))


def format_move(state: Bridge, move: int) -> str:
    """Write a legal move."""
    return STRAINS[move] if fact(state, STRAIN) == UNKNOWN else write_card(move)


def read_move(state: Bridge, text: str) -> str:
    """Accept any case, 10 for the ten, symbols of suits, and the rank before the suit."""
    if fact(state, STRAIN) == UNKNOWN:
        return text.strip().lower()
    text = text.strip().translate(_SYMBOLS).upper()
    turned = _TURNED.fullmatch(text)
    return (turned[2] + turned[1] if turned else text).replace("10", "T")


# ---------------------------------------------------------------- positions


def write_hand(cards: int) -> str:
    """Write a hand: the ranks of spades, hearts, diamonds and clubs, the highest first."""
    suits = (cards >> LANE * suit for suit in reversed(range(len(SUITS))))
    return ".".join("".join(RANKS[rank] for rank in reversed(range(len(RANKS))) if suit >> rank & 1) for suit in suits)


def write_contract(state: Bridge) -> str:
    """Write level and strain."""
    return f"{fact(state, LEVEL)}{_STRAIN_TEXTS[fact(state, STRAIN)]}"


def format_position(state: Bridge) -> str:
    """Write a position."""
    hands, dealing = state[:4], fact(state, DEALING)
    texts = ["-" if dealing and not cards else write_hand(int(cards)) for cards in hands]
    contract = f"N:{' '.join(texts)} {write_contract(state)} {PLAYERS[fact(state, DECLARER)]}"
    if dealing:
        return contract
    cards = [PLAYERS[fact(state, LEADER)], *map(write_card, trick_of(state))]
    return f"{contract} {fact(state, WON)}-{fact(state, LOST)} {' '.join(cards)}"


def _hand(text: str) -> int:
    if text == "-":
        return 0
    suits = text.split(".")
    if len(suits) != len(SUITS) or not re.fullmatch(r"[2-9TJQKA.]*", text):
        raise ValueError(
            f"{text[:40]!r} is not a hand; a hand is the ranks of spades, hearts, diamonds and clubs, like AK5.QJT..932"
        )
    cards = [suit * LANE + RANKS.index(rank) for suit, ranks in zip((3, 2, 1, 0), suits, strict=True) for rank in ranks]
    if len(set(cards)) < len(cards):
        raise ValueError(f"the hand {text[:40]} has a card twice")
    return sum(1 << card for card in cards)


def _unlike(text: str) -> ValueError:
    return ValueError(
        f"{text[:80]!r} is not a position; write a deal in PBN, the contract and its declarer, like {EXAMPLE} (or the "
        "strain and the leader, like NT W), and if cards were played the tricks of both sides, the leader of the trick "
        "and its cards, like 2-1 W SA"
    )


def parse_position(text: str) -> Bridge:
    """Read a position."""
    clean = " ".join(_TEN.sub("T", text.translate(_SYMBOLS).upper()).split()) if len(text) < LONGEST else ""
    deal = _DEAL.fullmatch(clean)
    contract = _CONTRACT.fullmatch(deal[6] or "1NT S") if deal else None
    rest = contract[4] or "" if contract else ""
    tricks = _TRICKS.fullmatch(rest) if rest else None
    if not deal or not contract or (rest and not tricks):
        raise _unlike(text)
    first = PLAYERS.index(deal[1])
    hands = [_hand(deal[2 + (player - first) % 4]) for player in range(4)]
    _check_deck(hands)
    strain = next(strain for strain, letters in _STRAIN_TEXTS.items() if contract[2] in (letters, letters[:1]))
    named = PLAYERS.index(contract[3] or "S")
    # without a level the player is the one who leads, at the left of the declarer
    declarer = named if contract[1] or not contract[3] else (named + 3) % 4
    facts = strain << STRAIN | declarer << DECLARER | int(contract[1] or 1) << LEVEL
    leader = PLAYERS.index(tricks[3]) if tricks and tricks[3] else (declarer + 1) % 4
    counts = [cards.bit_count() for cards in hands]
    if tricks is None and (strain == UNKNOWN or len(set(counts)) > 1 or not any(counts)):
        _check_dealing(hands, strain)
        return _state(hands, [], facts | leader << LEADER | leader << TURN | 1 << DEALING)
    _check_strain(strain, sum(counts))
    won, lost = (int(tricks[1]), int(tricks[2])) if tricks else (0, 0)
    trick = [_card(word) for word in (tricks[4] or "").split()] if tricks else []
    turn = _check_trick(hands, trick, leader, strain)
    _check_tricks(counts, won, lost, len(trick), (turn - declarer) % 2)
    facts |= leader << LEADER | turn << TURN | won << WON | lost << LOST
    return _state(hands, trick, facts)


def _state(hands: Sequence[int], trick: Sequence[int], facts: int) -> Bridge:
    north, east, south, west = map(Bits, hands)
    return Bridge(north, east, south, west, Bits(sum(card + 1 << 8 * at for at, card in enumerate(trick))), Bits(facts))


def _check_deck(hands: Sequence[int]) -> None:
    """Raise ValueError if two hands have the same card, or one has too many."""
    seen = 0
    for player, cards in zip(PLAYERS, hands, strict=True):
        if seen & cards:
            twice = (seen & cards).bit_length() - 1
            raise ValueError(f"two hands have the card {write_card(twice)}")
        if cards.bit_count() > TRICKS:
            raise ValueError(f"a hand has at most {TRICKS} cards (got {cards.bit_count()} of {player})")
        seen |= cards


def _check_strain(strain: int, cards: int) -> None:
    """Raise ValueError if there are cards before the strain is drawn."""
    if strain == UNKNOWN and cards:
        raise ValueError("the strain is drawn before the cards are dealt: write it for ?, like NT or S")


def _check_dealing(hands: Sequence[int], strain: int) -> None:
    """Raise ValueError if a deal that is not complete was not dealt hand by hand from North on."""
    counts = [cards.bit_count() for cards in hands]
    dealt = sum(counts)
    _check_strain(strain, dealt)
    if dealt >= 3 * TRICKS or counts != [min(max(dealt - TRICKS * player, 0), TRICKS) for player in range(4)]:
        listed = ", ".join(map(str, counts))
        raise ValueError(
            f"the hands must have equal numbers of cards (got {listed}); if cards of a trick are played, write the "
            "tricks, the leader and the cards behind the contract, like 2-1 W SA"
        )


def _check_trick(hands: Sequence[int], trick: Sequence[int], leader: int, strain: int) -> int:
    """Return whose turn it is. Raises ValueError if the trick cannot be."""
    if len(trick) > 4 or len(set(trick)) < len(trick):
        raise ValueError("a trick has at most four different cards")
    held = hands[0] | hands[1] | hands[2] | hands[3]
    for at, card in enumerate(trick):
        player = (leader + at) % 4
        if held >> card & 1:
            raise ValueError(f"the card {write_card(card)} of the trick is also in a hand")
        suit = trick[0] // LANE
        if card // LANE != suit and hands[player] >> LANE * suit & (1 << LANE) - 1:
            raise ValueError(f"{PLAYERS[player]} has cards of the suit that was led, and must have followed suit")
    counts = [cards.bit_count() for cards in hands]
    played = {(leader + at) % 4 for at in range(len(trick))} if len(trick) < 4 else set()
    whole = {count + (player in played) for player, count in enumerate(counts)}
    if len(whole) > 1:
        listed = ", ".join(map(str, counts))
        raise ValueError(f"the hands do not have equal numbers of cards beside the trick (got {listed})")
    if len(trick) < 4:
        return (leader + len(trick)) % 4
    best = max(trick, key=lambda card: (card // LANE == strain, card // LANE == trick[0] // LANE, card))
    return (leader + trick.index(best)) % 4


def _check_tricks(counts: Sequence[int], won: int, lost: int, played: int, winner: int) -> None:
    """Raise ValueError if the numbers of tricks cannot be. ``winner``: the seat that won a complete trick."""
    left = -(-sum(counts) // 4)
    if not 0 < won + lost + left <= TRICKS:
        raise ValueError(f"the tricks won and those left must be 1 to {TRICKS} (got {won}, {lost} and {left})")
    if played == 4 and (won, lost)[winner] == 0:
        raise ValueError("the side that won the trick has no trick")
