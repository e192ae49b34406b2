// SPDX-License-Identifier: GPL-3.0-or-later
// The moves of a match: their list in two columns, and paged loading of those that are not in the first response.

import { targetOf } from "./drawing.js";
import { count, large, percent, took } from "./format.js";
import { scoreText } from "./reports.js";
import { t } from "./texts.js";
import { ask, html, useLayoutEffect, useMemo, useRef } from "./view.js";

const PAGE = 500;

/**
 * Yield the moves of match ``id`` after ply ``next`` (the record's ``next``; null: no more moves); with a seat as that
 * seat saw them.
 * @param {number} id
 * @param {number | null} next
 * @param {number | null} [seat]
 */
export async function* laterMoves(id, next, seat = null) {
  while (next != null) {
    /** @type {Api.MovesAnswer} */
    const page = await ask(`/api/v1/matches/${id}/moves?after=${next}&limit=${PAGE}${ofSeat(seat)}`);
    yield page.items;
    next = page.next;
  }
}

/**
 * Return the record of a match with all its moves; with a seat as that seat saw it.
 * @param {number} id
 * @param {number | null} [seat]
 * @returns {Promise<Api.MatchDetailAnswer>}
 */
export async function wholeRecord(id, seat = null) {
  /** @type {Api.MatchDetailAnswer} */
  const record = await ask(`/api/v1/matches/${id}?limit=${PAGE}${ofSeat(seat)}`);
  for await (const items of laterMoves(id, record.next, seat)) record.moves.push(...items);
  return { ...record, next: null };
}

/** @param {number | null} seat */
const ofSeat = (seat) => (seat == null ? "" : `&seat=${seat}`);

/**
 * A move in standard notation, else in the engine's.
 * @param {{ move: string, text?: string }} move
 */
export const said = (move) => move.text || move.move;

/**
 * Score and depth of a search: "+0.31/12".
 * @param {{ info?: Api.Info | null }} props
 */
function Report({ info }) {
  if (info?.score == null) return html`<span class="report"></span>`;
  return html`<span class="report">${scoreText(info.score)}${info.depth != null && html`<span class="depth">/${info.depth}</span>`}</span>`;
}

/**
 * Whether a move is the opponent's most probable predicted move; null without a prediction.
 * @param {(Api.SeenMove | Row)[]} moves
 * @param {number} index
 */
export function foreseen(moves, index) {
  const [before, move] = [moves[index - 1], moves[index]];
  if (!before?.info?.expected?.length || before.seat === move.seat || move.seat < 0) return null;
  return before.info.expected[0].move === move.move;
}

/** @typedef {Pick<Api.SeenMove, "ply" | "seat" | "move"> & Partial<Api.SeenMove> & { rolls: Api.SeenMove[] }} Row */

/**
 * The players' moves with the dice rolls before each; rolls after the last move form a last row without a move.
 * @param {Api.SeenMove[]} moves
 */
function withRolls(moves) {
  /** @type {Row[]} */
  const rows = [];
  /** @type {Api.SeenMove[]} */
  let rolls = [];
  for (const move of moves) {
    if (move.seat < 0) {
      rolls.push(move);
    } else {
      rows.push({ ...move, rolls });
      rolls = [];
    }
  }
  const [roll, before] = [rolls.at(-1), rows.at(-1)];
  if (roll) rows.push({ ply: roll.ply, seat: before ? 1 - before.seat : 0, move: "", rolls });
  return rows;
}

/** @param {{ moves: Row[], index: number }} props */
function Foreseen({ moves, index }) {
  const hit = foreseen(moves, index);
  if (hit == null) return null;
  const told = (moves[index - 1].info?.expected ?? []).map(({ move, probability }) => `${move} ${percent(probability)}`).join(", ");
  return html`<span class=${hit ? "hit" : "miss"} title=${t`Predicted by the opponent: ${told}`}>${hit ? "✓" : "✗"}<span class="visually-hidden">${hit ? t`as expected` : t`not expected`}</span></span>`;
}

/**
 * The moves in two columns, with one tab stop: arrow keys, Home and End lead from move to move. ``moves``: the public
 * moves; ``ply``: the shown position; ``go(ply)``: show another position.
 * @param {{ moves: Api.SeenMove[], ply: number, go: (ply: number) => void }} props
 */
export function MoveList({ moves, ply, go }) {
  const list = useRef(/** @type {HTMLElement | null} */ (null));
  const rows = useMemo(() => withRolls(moves), [moves]);
  const shown = rows.findIndex((row) => [row, ...row.rolls].some((each) => each.ply === ply));
  useLayoutEffect(() => {
    const box = list.current;
    if (!box) return;
    const current = /** @type {HTMLElement | null} */ (box.querySelector('[aria-current="true"]'));
    if (!current) box.scrollTop = 0;
    else if (current.offsetTop < box.scrollTop || current.offsetTop + current.offsetHeight > box.scrollTop + box.clientHeight) {
      box.scrollTop = current.offsetTop - box.clientHeight / 2;
    }
    // on phones the list is a strip
    if (current && box.scrollWidth > box.clientWidth) box.scrollLeft = current.offsetLeft - box.clientWidth / 2;
    if (current && box.contains(document.activeElement)) current.focus({ preventScroll: true });
  }, [ply, moves.length]);
  /** @param {KeyboardEvent} event */
  const press = (event) => {
    const last = rows.length - 1;
    const to = targetOf(event, { ArrowLeft: shown - 1, ArrowRight: shown + 1, ArrowUp: shown - 2, ArrowDown: shown + 2, Home: 0, End: last });
    if (to !== undefined && rows.length) go(rows[Math.max(0, Math.min(last, to))].ply);
  };
  /** @type {import("preact").VNode[]} */
  const cells = [];
  let turns = 0;
  rows.forEach((move, index) => {
    const first = index === 0 || rows[index - 1].seat >= move.seat;
    if (first) cells.push(html`<span key=${`n${index}`} class="turn">${(turns += 1)}</span>`);
    if (first && move.seat === 1) cells.push(html`<span key=${`g${index}`} class="muted">…</span>`);
    cells.push(html`<${MoveCell} key=${index} moves=${rows} index=${index} shown=${shown === index} stop=${index === Math.max(0, shown)} go=${go} />`);
    const next = rows[index + 1];
    if (move.seat === 0 && next && next.seat === 0) cells.push(html`<span key=${`e${index}`}></span>`);
  });
  return html`<div class="moves surface" ref=${list} role="group" aria-label="Moves" onKeyDown=${press}>${cells}</div>`;
}

const MANY = 9; // rolls or cards before a move that the list shows

/** @param {Api.SeenMove} roll */
const chip = (roll) => html`<span class="roll">${said(roll)}</span>`;

/**
 * A move in the list. ``stop``: whether it is the tab stop.
 * @param {{ moves: Row[], index: number, shown: boolean, stop: boolean, go: (ply: number) => void }} props
 */
function MoveCell({ moves, index, shown, stop, go }) {
  const move = moves[index];
  return html`
    <button class=${move.opening ? "opening" : ""} aria-current=${shown} tabindex=${stop ? 0 : -1} onClick=${() => go(move.ply)}
      title=${move.opening ? t`Opening move, played by the server` : null}>
      ${move.rolls.length > 0 && html`<span class="rolls">${move.rolls.slice(0, MANY).map(chip)}${move.rolls.length > MANY && "…"}</span>`}
      <span class="ellipsis">${said(move)}</span>
      ${index > 0 && !move.rolls.length && html`<${Foreseen} moves=${moves} index=${index} />`}
      ${!move.opening && move.move && html`<${Report} info=${move.info} /><span class="took" title=${move.instructions == null ? null : t`${count(move.instructions)} instructions`}>${move.instructions == null ? took(move.elapsed ?? 0) : large(move.instructions)}</span>`}
    </button>
  `;
}
