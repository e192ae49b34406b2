# SPDX-License-Identifier: GPL-3.0-or-later
"""Hands of heads-up hold'em in pokerkit, card by card, beside ours."""

from dataclasses import replace

from pokerkit import Automation, FixedLimitTexasHoldem, NoLimitTexasHoldem, State

AUTOMATIONS = (
    Automation.ANTE_POSTING,
    Automation.BET_COLLECTION,
    Automation.BLIND_OR_STRADDLE_POSTING,
    Automation.HOLE_CARDS_SHOWING_OR_MUCKING,
    Automation.HAND_KILLING,
    Automation.CHIPS_PUSHING,
    Automation.CHIPS_PULLING,
)
"""What pokerkit does by itself: everything but deals and moves."""

SMALL_BLIND, BIG_BLIND, BIG_BET = 1, 2, 4
PREFLOP_RAISES = 3
"""Raises before the flop in limit hold'em: the big blind is the first of four bets. pokerkit's own game has four."""


class Peer:
    """A hand of pokerkit. Its player 0 has the big blind, player 1 the button."""

    def __init__(self, stack: int, *, limit: bool) -> None:
        self.stack = stack
        blinds = (BIG_BLIND, SMALL_BLIND)
        if limit:
            game = FixedLimitTexasHoldem(AUTOMATIONS, True, 0, blinds[::-1], BIG_BLIND, BIG_BET)
            preflop = replace(game.streets[0], max_completion_betting_or_raising_count=PREFLOP_RAISES)
            game.streets = (preflop, *game.streets[1:])
            self.state: State = game(stack, 2)
        else:
            self.state = NoLimitTexasHoldem.create_state(AUTOMATIONS, True, 0, blinds[::-1], BIG_BLIND, stack, 2)
        assert self.state.bets == list(blinds)

    def deal_holes(self, big_blind: str, button: str) -> None:
        """Deal both hands."""
        self.state.deal_hole(big_blind)
        self.state.deal_hole(button)

    def deal_board(self, cards: str) -> None:
        """Burn an unknown card and deal open ones."""
        self.state.burn_card("??")
        self.state.deal_board(cards)

    def moves(self) -> list[str]:
        """Return the legal moves of the player to move, as the texts of ours, with each raise in whole chips."""
        found = ["fold"] if self.state.can_fold() else []
        if self.state.can_check_or_call():
            found.append("call" if self.state.checking_or_calling_amount else "check")
        word = "raise" if any(self.state.bets) else "bet"
        low, high = (
            self.state.min_completion_betting_or_raising_to_amount,
            self.state.max_completion_betting_or_raising_to_amount,
        )
        if self.state.can_complete_bet_or_raise_to() and low is not None and high is not None:
            found += [f"{word} {chips}" for chips in range(int(low), int(high) + 1)]
        return found

    def play(self, text: str) -> None:
        """Make a move."""
        word, _, chips = text.partition(" ")
        if word == "fold":
            self.state.fold()
        elif word in ("check", "call"):
            self.state.check_or_call()
        else:
            self.state.complete_bet_or_raise_to(int(chips) if chips else None)

    @property
    def won(self) -> int:
        """The chips that the button has won."""
        return int(self.state.stacks[1]) - self.stack
