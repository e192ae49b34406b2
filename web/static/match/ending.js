// SPDX-License-Identifier: GPL-3.0-or-later
// The end of a match in words, the same as web/ending_words.py, and the squares that decided it.

import { named, reason, score } from "../format.js";
import { html } from "../view.js";

const ROW = [[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6]];

/**
 * How a match ended, after "won" or "Draw". ``diagram``: the last position.
 * @param {{ game: string, board: Api.BoardAnswer, ending: Protocol.Ending, diagram: string }} about
 */
export function how({ game, board, ending, diagram }) {
  if (ending.termination !== "decided") return reason(ending.termination);
  const winner = ["1-0", "0-1"].indexOf(ending.result);
  const seats = Array.from(diagram, (letter) => board.pieces[letter]?.seat);
  const left = winner >= 0 && seats.includes(1 - winner);
  switch (game.split("/")[0]) {
    case "chess":
      return winner >= 0 ? "by checkmate" : /[pqr]/i.test(diagram) ? "by stalemate" : "by stalemate or insufficient material";
    case "tictactoe":
      return winner >= 0 ? "with three in a row" : "on a full board";
    case "checkers":
      return winner < 0 ? "" : left ? "because the opponent has no legal move" : "by capturing every piece";
    case "einstein":
      return winner < 0 ? "" : left ? "by reaching the opposite corner" : "by capturing every stone";
    case "nim":
      return "because the opponent has no legal move";
  }
  return "";
}

/**
 * The squares that decided a match: three in a row, or the king that is mated.
 * @param {{ game: string, board: Api.BoardAnswer, ending?: Protocol.Ending | null, diagram: string }} about
 * @returns {number[]}
 */
export function deciding({ game, board, ending, diagram }) {
  const winner = ["1-0", "0-1"].indexOf(ending?.result ?? "");
  if (winner < 0 || ending?.termination !== "decided") return [];
  if (game === "tictactoe") return ROW.find((squares) => squares.every((square) => board.pieces[diagram[square]]?.seat === winner)) ?? [];
  if (game === "chess") return Array.from(diagram, (_, square) => square).filter((square) => {
    const piece = board.pieces[diagram[square]];
    return piece?.shape === "king" && piece.seat === 1 - winner;
  });
  return [];
}

/** @param {{ seen: Protocol.Seen, board: Api.BoardAnswer, ending: Protocol.Ending }} props */
export function Ending({ seen, board, ending }) {
  const winner = ["1-0", "0-1"].indexOf(ending.result);
  const text = ending.result === "*" ? "Void" : winner < 0 ? "Draw" : `${named(seen.players[winner])} won`;
  const words = how({ game: seen.game, board, ending, diagram: seen.diagram });
  return html`
    <div class="ending surface news">
      <strong>${score(ending.result)}</strong>
      <span class="foreign">${text} <span class="muted">${words}${ending.detail && html` – <bdi>${ending.detail}</bdi>`}</span></span>
    </div>
  `;
}
