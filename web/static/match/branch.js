// SPDX-License-Identifier: GPL-3.0-or-later
// Unplayed moves: legal moves of the shown position from the server, made on the board or in a list.

import { how } from "../endings.js";
import { t } from "../texts.js";
import { ask, html, messageOf, Problem, useEffect, useLayoutEffect, useState } from "../view.js";

/**
 * The position after unplayed moves, and properties of the board that picks the next one. ``view``: the last one that
 * has arrived; ``position``: the text of this one, null while it is on its way.
 * @typedef {{ view: Api.PositionView | null, position: string | null, board: Partial<import("../board.js").BoardProps> }} Branch
 */

/**
 * The position after unplayed moves, the legal moves there, and what picks one of them.
 * @param {{ id: number, ply: number, line: string[], play: (line: string[]) => void }} about
 */
function useBranch({ id, ply, line, play }) {
  const address = `/api/v1/matches/${id}/position?ply=${ply}${line.length ? `&moves=${encodeURIComponent(line.join(","))}` : ""}`;
  const [found, setFound] = useState(/** @type {{ address: string, view: Api.PositionView | null, problem: string | null } | null} */ (null));
  useEffect(() => {
    let stale = false;
    ask(/** @type {`/api/v1/matches/${number}/position`} */ (address)).then(
      (view) => stale || setFound({ address, view, problem: null }),
      (error) => stale || setFound({ address, view: null, problem: messageOf(error) }),
    );
    return () => void (stale = true);
  }, [address]);
  const [selected, setSelected] = useState(/** @type {number | null} */ (null));
  useEffect(() => setSelected(null), [address]);
  const { view, problem } = found ?? { view: null, problem: null };
  const arrived = found?.address === address ? view : null;
  const legal = arrived?.legal ?? []; // none while the next position is on its way
  /** @param {Api.LegalMove} move */
  const make = (move) => play([...line, move.move]);
  /** @param {number} from @param {number} to */
  const between = (from, to) => legal.filter(({ squares }) => squares.length > 1 && squares[0] === from && squares[squares.length - 1] === to);
  /** @param {number} square */
  const pick = (square) => {
    const ending = selected == null ? legal.filter(({ squares }) => squares.length === 1 && squares[0] === square) : between(selected, square);
    if (ending.length === 1) make(ending[0]);
    else if (ending.length === 0) setSelected(square === selected || !legal.some(({ squares }) => squares.includes(square)) ? null : square);
  };
  /** @param {number} from @param {number} to */
  const drop = (from, to) => {
    const moves = between(from, to);
    if (moves.length === 1) make(moves[0]);
    else setSelected(moves.length ? from : null);
  };
  const choices = selected == null ? legal : legal.filter(({ squares }) => squares[0] === selected);
  /** the squares to which the selected piece may move */
  const targets = selected == null ? null : new Set(choices.map(({ squares }) => squares[squares.length - 1]));
  return { address, view, position: arrived?.position ?? null, problem, choices, board: { selected, targets, pick, drop } };
}

/**
 * The unplayed moves, the legal moves of their position, and what to do with it. ``tell(branch)``: the position has
 * changed, or the selected square.
 * @param {{ id: number, ply: number, line: string[], play: (line: string[]) => void, tell: (branch: Branch) => void, close: () => void }} props
 */
export function BranchPanel({ id, ply, line, play, tell, close }) {
  const { address, view, position, problem, choices, board: picking } = useBranch({ id, ply, line, play });
  // before the browser paints: the board and the panel show the same position
  useLayoutEffect(() => tell({ view, position, board: picking }), [address, view, position, picking.selected]);
  const ending = view?.ending;
  return html`
    <div class="branch surface">
      <p class="row">
        <strong>Your moves</strong>
        <span class="foreign">${line.length ? line.map((move, index) => view?.line[index] ?? move).join(" ") : t`Choose a move on the board or in the list.`}</span>
        <button onClick=${() => play(line.slice(0, -1))} disabled=${!line.length}>Take back</button>
        <button onClick=${close}>Back to the match</button>
      </p>
      <${Problem} text=${problem} />
      ${ending && html`<p>The game ends here: ${ending.result} <span class="muted">${how({ ...ending, decision: view.decision })}</span></p>`}
      <p class="legal-moves" role="group" aria-label="Legal moves">${choices.map((move) => html`<button key=${move.move} class="chip" onClick=${() => play([...line, move.move])}>${move.said}</button>`)}</p>
    </div>
  `;
}
