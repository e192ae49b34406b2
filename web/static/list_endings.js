// SPDX-License-Identifier: GPL-3.0-or-later
// How the matches of a list ended, as nouns.

import { family, winnerOf } from "./endings.js";
import { t, translated } from "./texts.js";

/**
 * How a match of a list ended, as a noun: lists know the result and no position.
 * @param {Pick<Api.MatchAnswer, "game" | "result" | "termination">} match
 */
export function endedBy({ game, result, termination }) {
  if (termination !== "decided") return translated(termination ?? "");
  const won = winnerOf(result ?? "") >= 0;
  switch (family(game)) {
    case "chess":
      return won ? t`checkmate` : t`stalemate or insufficient material`;
    case "tictactoe":
      return won ? t`three in a row` : t`full board`;
    case "checkers":
    case "nim":
      return t`no legal move`;
    case "einstein":
      return t`corner or captures`;
    case "othello":
      return t`number of discs`;
  }
  return termination;
}
