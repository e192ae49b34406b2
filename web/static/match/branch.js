// SPDX-License-Identifier: GPL-3.0-or-later
// Unplayed moves: legal moves of the shown position from the server, made on the board or in a list.

import { how } from "../endings.js";
import { prefixed } from "../root.js";
import { copied, CopyButton } from "./replay.js";
import { t } from "../texts.js";
import { ask, html, messageOf, Problem, useEffect, useState } from "../view.js";

/** @typedef {{ view: Api.PositionView | null, problem: string | null, selected: number | null, choices: Api.LegalMove[],
 *   pick: (square: number) => void, drop: (from: number, to: number) => void }} Branch */

/**
 * The position after unplayed moves, and what picks its moves; null unless ``open``.
 * @param {{ id: number, ply: number, line: string[], open: boolean, play: (line: string[]) => void }} about
 * @returns {Branch | null}
 */
export function useBranch({ id, ply, line, open, play }) {
  const address = `/api/v1/matches/${id}/position?ply=${ply}${line.length ? `&moves=${encodeURIComponent(line.join(","))}` : ""}`;
  const [found, setFound] = useState(/** @type {{ address: string, view: Api.PositionView | null, problem: string | null } | null} */ (null));
  useEffect(() => {
    if (!open) return undefined;
    let stale = false;
    ask(/** @type {`/api/v1/matches/${number}/position`} */ (address)).then(
      (view) => stale || setFound({ address, view, problem: null }),
      (error) => stale || setFound({ address, view: null, problem: messageOf(error) }),
    );
    return () => void (stale = true);
  }, [address, open]);
  const [selected, setSelected] = useState(/** @type {number | null} */ (null));
  useEffect(() => setSelected(null), [address, open]);
  if (!open) return null;
  const { view, problem } = found ?? { view: null, problem: null };
  const legal = (found?.address === address && view?.legal) || []; // none while the next position is on its way
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
  return { view, problem, selected, choices, pick, drop };
}

/**
 * The squares to which the selected piece may move.
 * @param {Branch} branch
 */
export const targetsOf = ({ selected, choices }) => (selected == null ? null : new Set(choices.map(({ squares }) => squares[squares.length - 1])));

/**
 * The unplayed moves, the legal moves of their position, and what to do with it.
 * @param {{ game: string, board: Api.BoardAnswer, branch: Branch, line: string[], play: (line: string[]) => void, close: () => void }} props
 */
export function BranchPanel({ game, board, branch, line, play, close }) {
  const { view, problem, choices } = branch;
  const ending = view?.ending;
  const result = ending && { ...ending, detail: ending.detail ?? "" };
  return html`
    <div class="branch surface">
      <p class="row">
        <strong>Your moves</strong>
        <span class="foreign">${line.length ? line.map((move, index) => view?.line[index] ?? move).join(" ") : t`Choose a move on the board or in the list.`}</span>
        <button onClick=${() => play(line.slice(0, -1))} disabled=${!line.length}>Take back</button>
        <button onClick=${close}>Back to the match</button>
      </p>
      <${Problem} text=${problem} />
      ${result && html`<p>The game ends here: ${result.result} <span class="muted">${how({ game, board, ending: result, diagram: view?.diagram ?? "" })}</span></p>`}
      <p class="legal-moves" role="group" aria-label="Legal moves">${choices.map((move) => html`<button key=${move.move} class="chip" onClick=${() => play([...line, move.move])}>${move.said}</button>`)}</p>
    </div>
  `;
}

/**
 * Buttons that copy the position, and the file of a finished match. ``formats``: of files, besides JSON lines.
 * @param {{ id: number, game: string, ply: number, line: string[], formats: string[], address: (format: string) => string }} props
 */
export function Copies({ id, game, ply, line, formats, address }) {
  const [problem, setProblem] = useState(/** @type {string | null} */ (null));
  /** @param {() => Promise<string>} text */
  const copying = (text) => async () => {
    const found = await text().catch((error) => void setProblem(messageOf(error)));
    if (found == null) return false;
    setProblem(null);
    return copied(found);
  };
  const moves = line.length ? `&moves=${encodeURIComponent(line.join(","))}` : "";
  const position = async () => (await ask(/** @type {`/api/v1/matches/${number}/position`} */ (`/api/v1/matches/${id}/position?ply=${ply}${moves}`))).position;
  /** @param {string} format */
  const file = async (format) => {
    const response = await fetch(prefixed(address(format)));
    if (!response.ok) throw new Error(t`The server answered with status ${response.status}.`);
    return response.text();
  };
  return html`
    <${CopyButton} copy=${copying(position)} label="Copy the position as text">${game === "chess" ? t`Copy FEN` : t`Copy position`}<//>
    ${formats.filter((format) => format !== "jsonl").map((format) => html` <${CopyButton} key=${format} copy=${copying(() => file(format))} label=${t`Copy the match as ${format.toUpperCase()}`}>Copy ${format.toUpperCase()}<//>`)}
    <${Problem} text=${problem} />
  `;
}
