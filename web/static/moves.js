// SPDX-License-Identifier: GPL-3.0-or-later
// Move list in two columns; each move is a button that shows its position.

import { took } from "./format.js";
import { scoreText } from "./reports.js";
import { html, useLayoutEffect, useRef } from "./view.js";

/** A move in standard notation, else in the engine's. */
export const said = (move) => move.text || move.move;

/** Score and depth of a search: "+0.31/12". */
function Report({ info }) {
  if (info?.score == null) return html`<span class="report"></span>`;
  return html`<span class="report">${scoreText(info.score)}${info.depth != null && html`<span class="depth">/${info.depth}</span>`}</span>`;
}

/** Whether a move is the opponent's most probable predicted move; null without a prediction. */
export function foreseen(moves, index) {
  const [before, move] = [moves[index - 1], moves[index]];
  if (!before?.info?.expected?.length || before.seat === move.seat || move.seat < 0) return null;
  return before.info.expected[0].move === move.move;
}

/** The players' moves with the dice rolls before each; rolls after the last move form a last row without a move. */
function withRolls(moves) {
  const rows = [];
  let rolls = [];
  for (const move of moves) {
    if (move.seat < 0) {
      rolls.push(move);
    } else {
      rows.push({ ...move, rolls });
      rolls = [];
    }
  }
  if (rolls.length) rows.push({ ply: rolls.at(-1).ply, seat: rows.length ? 1 - rows.at(-1).seat : 0, move: "", rolls });
  return rows;
}

function Foreseen({ moves, index }) {
  const hit = foreseen(moves, index);
  if (hit == null) return null;
  const told = moves[index - 1].info.expected.map(({ move, belief }) => `${move} ${(100 * belief).toFixed(0)} %`).join(", ");
  return html`<span class=${hit ? "hit" : "miss"} title=${`Expected: ${told}`}>${hit ? "✓" : "✗"}<span class="visually-hidden">${hit ? "as expected" : "not expected"}</span></span>`;
}

/** ``moves``: the public moves; ``ply``: the shown position; ``go(ply)``: show another position. */
export function MoveList({ moves, ply, go }) {
  const list = useRef(null);
  useLayoutEffect(() => {
    const current = list.current.querySelector('[aria-current="true"]');
    const box = list.current;
    if (!current) box.scrollTop = 0;
    else if (current.offsetTop < box.scrollTop || current.offsetTop + current.offsetHeight > box.scrollTop + box.clientHeight) {
      box.scrollTop = current.offsetTop - box.clientHeight / 2;
    }
  }, [ply, moves.length]);
  const cells = [];
  const rows = withRolls(moves);
  rows.forEach((move, index) => {
    const first = index === 0 || rows[index - 1].seat >= move.seat;
    const shown = [move, ...move.rolls].some((each) => each.ply === ply);
    if (first) cells.push(html`<span key=${`n${index}`} class="turn">${1 + cells.filter((cell) => cell.props.class === "turn").length}</span>`);
    if (first && move.seat === 1) cells.push(html`<span key=${`g${index}`} class="muted">…</span>`);
    cells.push(html`
      <button key=${index} class=${move.opening ? "opening" : ""} aria-current=${shown} onClick=${() => go(move.ply)}
        title=${move.opening ? "Opening move, selected at random by the server" : null}>
        ${move.rolls.map((roll) => html`<span class="roll">${said(roll)}</span>`)}
        <span class="ellipsis">${said(move)}</span>
        ${index > 0 && !move.rolls.length && html`<${Foreseen} moves=${rows} index=${index} />`}
        ${!move.opening && move.move && html`<${Report} info=${move.info} /><span class="took">${took(move.elapsed ?? 0)}</span>`}
      </button>
    `);
    const next = rows[index + 1];
    if (move.seat === 0 && next && next.seat === 0) cells.push(html`<span key=${`e${index}`}></span>`);
  });
  return html`<div class="moves surface" ref=${list} role="group" aria-label="Moves">${cells}</div>`;
}
