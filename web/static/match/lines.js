// SPDX-License-Identifier: GPL-3.0-or-later
// Principal variations as chips: pointing at a move shows it on the board; choosing it plays it on a board of its own.

import { Board } from "../board.js";
import { t } from "../texts.js";
import { ask, html, useEffect, useState } from "../view.js";

const REST = 200; // ms: a replay that runs asks for no lines
const PALE = 2; // arrows of moves before a move of a line
const PACE = 700; // ms between two moves of a line that plays

/** @typedef {{ said: string, squares: number[], diagram: string }} Drawn a move, and the position after it */
/** @typedef {{ seat: number, index: number }} Place a move of a side's line */
/** @type {("first" | "second")[]} */
const KINDS = ["first", "second"]; // of arrows, by seat

/** @typedef {(Api.LineAnswer | null)[]} Lines of both sides */

/**
 * The drawn lines of both sides up to ``ply``; null while they are not known. ``newest``: the plies of the newest moves
 * with search info; ``wanted``: whether to ask the server.
 * @param {number} id
 * @param {number} ply
 * @param {(number | undefined)[]} newest
 * @param {boolean} wanted
 * @returns {Lines | null}
 */
export function useLines(id, ply, newest, wanted) {
  const [lines, setLines] = useState(/** @type {{ key: string, found: Lines } | null} */ (null));
  const key = newest.join(" ");
  useEffect(() => {
    if (!wanted || newest.every((each) => each === undefined)) return undefined;
    let stale = false;
    const timer = setTimeout(
      () =>
        ask(/** @type {`/api/v1/matches/${number}/lines`} */ (`/api/v1/matches/${id}/lines?ply=${ply}`)).then(
          ({ lines: found }) => stale || setLines({ key, found }),
          () => {}, // the line stays text
        ),
      REST,
    );
    return () => {
      stale = true;
      clearTimeout(timer);
    };
  }, [id, key, wanted]);
  return lines?.key === key ? lines.found : null;
}

/**
 * The drawn line of the running search; it stays while the server draws the next one. ``wanted``: whether to ask the
 * server.
 * @param {number} id
 * @param {Protocol.LiveThinking | null} thinking
 * @param {boolean} wanted
 * @returns {Api.LineAnswer | null}
 */
export function useThinkingLine(id, thinking, wanted) {
  const [line, setLine] = useState(/** @type {Api.LineAnswer | null} */ (null));
  const key = thinking && `${thinking.ply} ${thinking.info.pv?.join(" ")}`;
  useEffect(() => {
    if (!wanted || !thinking?.info.pv?.length) return undefined;
    let stale = false;
    const timer = setTimeout(
      () =>
        ask(/** @type {`/api/v1/matches/${number}/lines`} */ (`/api/v1/matches/${id}/lines?ply=${thinking.ply}`)).then(
          (found) => stale || setLine(found.thinking),
          () => {}, // the line stays text
        ),
      REST,
    );
    return () => {
      stale = true;
      clearTimeout(timer);
    };
  }, [id, key, wanted]);
  return wanted && line && line.ply === (thinking?.ply ?? -1) + 1 ? line : null;
}

/**
 * The first move of the running search as an arrow.
 * @param {Protocol.LiveThinking | null} thinking
 */
export const arrowOf = (thinking) =>
  thinking?.squares?.length ? { arrows: [{ squares: thinking.squares, kind: KINDS[thinking.seat] }] } : {};

/**
 * A move of a line as an arrow, and its piece as a ghost on its last square. ``kind``: a seat, or "hint"; ``before``: the
 * moves of the line before it, the newest of which are pale arrows.
 * @param {Drawn | null | undefined} move
 * @param {number | "hint"} kind
 * @param {Drawn[]} [before]
 */
export function marksOf(move, kind, before = []) {
  if (!move) return {};
  const end = move.squares[move.squares.length - 1];
  /** @param {number} index */
  const of = (index) => (kind === "hint" ? kind : KINDS[(kind + index) % 2]);
  const pale = before.map(({ squares }, index) => ({ squares, kind: of(index), pale: true })).slice(-PALE);
  return {
    arrows: [...pale, { squares: move.squares, kind: of(before.length) }],
    ghosts: [{ square: end, letter: move.diagram[end] }],
  };
}

/**
 * A line as chips; a chosen one shows a board, on which the line plays. ``texts``: its moves as text, until the drawn line is there.
 * @param {{ texts: string[], line: { ply: number, moves: Drawn[] } | null, board: Api.BoardAnswer, flipped: boolean,
 *   point: (index: number | null) => void }} props
 */
export function Chips({ texts, line, board, flipped, point }) {
  const [chosen, setChosen] = useState(/** @type {number | null} */ (null));
  const [playing, play] = useState(false);
  const last = (line?.moves.length ?? 0) - 1;
  useEffect(() => setChosen(null), [line?.ply]);
  useEffect(() => {
    if (!playing || chosen == null) return undefined;
    const timer = setTimeout(() => (chosen < last ? setChosen(chosen + 1) : play(false)), PACE);
    return () => clearTimeout(timer);
  }, [playing, chosen, last]);
  if (!line?.moves.length) return html`<dd class="line" title="Principal variation">${texts.join(" ")}</dd>`;
  const move = chosen == null ? null : line.moves[chosen];
  return html`
    <dd class="line" title="Principal variation">${line.moves.map((each, index) => html`${index > 0 && " "}<button key=${index} class="chip" aria-pressed=${index === chosen}
        onClick=${() => setChosen(index === chosen ? null : index)} onMouseEnter=${() => point(index)} onMouseLeave=${() => point(null)}
        onFocus=${() => point(index)} onBlur=${() => point(null)}>${each.said}</button>`)}</dd>
    ${move && html`<dd class="line-board"><${Board} board=${board} diagram=${move.diagram} squares=${move.squares} steps=${(chosen ?? 0) + 1} flipped=${flipped} title=${t`After ${move.said}`} bare />
      <p class="row"><button onClick=${() => {
        if (chosen === last) setChosen(0);
        play(!playing);
      }}>${playing ? t`Pause` : t`Play the line`}</button> <span class="muted small number">${(chosen ?? 0) + 1} / ${last + 1}</span></p></dd>`}
  `;
}
