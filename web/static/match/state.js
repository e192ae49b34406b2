// SPDX-License-Identifier: GPL-3.0-or-later
// The state of the match page, and its pure updates.

import { advance, extended, fromRecord } from "../game_record.js";
import { serverTime } from "../time.js";
import { t } from "../texts.js";

/**
 * The covered state of a finished match in spoiler-free mode: the page knows only the moves up to the furthest position
 * that the viewer has reached, and no result. The last position ends it.
 * @typedef {object} State
 * @property {import("../game_record.js").Held} match
 * @property {number | null} chosen the ply that the viewer chose; null: the newest
 * @property {Api.SeenMove | null} first the move that the page shows before all moves are loaded
 * @property {boolean} playing whether the replay runs
 * @property {boolean} flipped
 * @property {string} tab
 * @property {string[]} line unplayed moves after the chosen position
 * @property {string} trouble a message about missing moves, for people
 * @property {Protocol.LiveThinking | null} thinking the newest info about the running search of the side to move, about the newest position
 * @property {number | null} began when the turn of the side to move began, in Unix milliseconds; null: it has not begun
 * @property {number | null} reached the furthest ply that the viewer of a covered match has reached; null: not covered
 * @property {boolean} seenLive whether this page showed the match while it was live
 * @property {number | null} view the seat whose view ``match`` is; null: everything that is public
 */

/**
 * @typedef {{ type: "message", message: Protocol.WatchMessage }
 *   | { type: "moves", items: Api.SeenMove[] }
 *   | { type: "record", record: Api.MatchDetailAnswer }
 *   | { type: "view", record: Api.MatchDetailAnswer }
 *   | { type: "trouble", text: string }
 *   | { type: "go", ply: number }
 *   | { type: "step" }
 *   | { type: "play" }
 *   | { type: "flip" }
 *   | { type: "tab", tab: string }
 *   | { type: "line", line: string[] }
 *   | { type: "cover", cover: boolean }} Action
 */

/**
 * The state in which a page begins. ``view``: what its address says.
 * @param {Api.MatchDetailAnswer & { at: Api.SeenMove | null }} record
 * @param {import("./address.js").Place} view
 * @param {string[]} tabs
 * @param {boolean} cover whether the page hides results
 * @returns {State}
 */
export function begin(record, view, tabs, cover) {
  const loading = record.status === "finished" && record.next != null;
  /** @type {State} */
  const state = {
    match: fromRecord(record),
    chosen: view.ply != null && view.ply >= record.plies && record.status === "finished" && !view.line.length ? null : view.ply,
    first: record.at,
    playing: false,
    flipped: view.flipped,
    tab: tabs.includes(view.tab) ? view.tab : tabs[0],
    line: view.line,
    trouble: loading ? t`loading moves…` : "",
    thinking: null,
    began: null,
    reached: null,
    seenLive: record.status === "live",
    view: record.view,
  };
  return cover ? covered(state) : state;
}

/**
 * A finished match, covered: at the start, or at the ply that the viewer has chosen. A live match stays as it is.
 * @param {State} state
 * @returns {State}
 */
function covered(state) {
  if (!state.match.seen.ending) return state;
  const chosen = state.chosen ?? 0;
  return { ...state, chosen, reached: chosen, playing: false };
}

/**
 * The number of moves that the page knows of, loaded or not.
 * @param {State} state
 */
const allOf = ({ match, first }) => Math.max(match.moves.length, first?.ply ?? 0, match.seen.ending ? match.seen.ply : 0);

/**
 * The furthest ply that the page offers: one after the reached one while the match is covered.
 * @param {State} state
 */
export const lastOf = (state) => (state.reached == null ? allOf(state) : Math.min(state.reached + 1, allOf(state)));

/**
 * The match as the page shows it: without later moves and the result while it is covered.
 * @param {State} state
 * @returns {import("../game_record.js").Held}
 */
export function shownMatch({ match, reached }) {
  if (reached == null) return match;
  const moves = match.moves.slice(0, reached);
  const { diagram, squares, aside } = moves.at(-1) ?? { diagram: match.initial, squares: [] };
  return { ...match, moves, seen: { ...match.seen, ply: reached, diagram, squares, aside, to_move: -1, ending: null } }; // no clock runs
}

/**
 * The shown ply.
 * @param {State} state
 */
export const plyOf = (state) => Math.min(state.chosen ?? lastOf(state), lastOf(state));

/**
 * The move that led to the shown position: null at the start, and undefined while it is not loaded.
 * @param {State} state
 * @returns {Api.SeenMove | null | undefined}
 */
export function moveOf(state) {
  const ply = plyOf(state);
  return ply === 0 ? null : (state.match.moves[ply - 1] ?? (state.first?.ply === ply ? state.first : undefined));
}

/**
 * The state with another position.
 * @param {State} state
 * @param {number} ply
 * @returns {State}
 */
function shown(state, ply) {
  const at = Math.max(0, ply);
  const all = allOf(state);
  const reached = state.reached == null || Math.max(state.reached, at) >= all ? null : Math.max(state.reached, at);
  return { ...state, reached, chosen: at >= all ? null : at, line: [] };
}

/**
 * The state with the beginning or the newest info of the running search, unless the page has another position.
 * @param {State} state
 * @param {Protocol.LiveThinking} thinking
 * @returns {State}
 */
function thought(state, thinking) {
  const { seen, moves } = state.match;
  if (thinking.match !== seen.match || thinking.ply !== moves.length || seen.ending) return state;
  const { info, elapsed = 0, age = 0 } = thinking;
  const began = serverTime() - elapsed - age;
  return { ...state, began, match: { ...state.match, seen: { ...seen, clocks_at: began / 1000 } }, thinking: Object.keys(info).length ? thinking : null };
}

/**
 * The state after an action; the same object when nothing changes.
 * @param {State} state
 * @param {Action} action
 * @returns {State}
 */
export function update(state, action) {
  switch (action.type) {
    case "message": {
      const { message } = action;
      if (message.type === "live-thinking") return thought(state, message);
      const match = advance(state.match, message);
      return match === state.match ? state : { ...state, match, thinking: null, began: null };
    }
    case "moves":
      return { ...state, match: extended(state.match, action.items) };
    case "view": {
      const { view } = action.record;
      return { ...state, match: fromRecord(action.record), view, first: null, line: [], trouble: "", thinking: null };
    }
    case "record":
      // everybody's view, which came later than the choice of another one
      if (state.view !== action.record.view) return state;
      return { ...state, match: fromRecord(action.record), thinking: null, began: null };
    case "trouble":
      return { ...state, trouble: action.text };
    case "go":
      return { ...shown(state, action.ply), playing: false };
    case "step": {
      if (plyOf(state) < lastOf(state)) return shown(state, plyOf(state) + 1);
      return state.match.seen.ending ? { ...state, playing: false } : state;
    }
    case "play": {
      const from = !state.playing && plyOf(state) === lastOf(state) ? shown(state, 0) : state;
      return { ...from, playing: !state.playing, line: [] };
    }
    case "flip":
      return { ...state, flipped: !state.flipped };
    case "tab":
      return { ...state, tab: action.tab };
    case "cover":
      return action.cover ? covered(state) : { ...state, reached: null };
    case "line":
      return { ...state, line: action.line, playing: false, chosen: action.line.length ? plyOf(state) : state.chosen };
  }
}

/**
 * What the address of the page says of a state.
 * @param {State} state
 * @param {string[]} tabs
 * @returns {import("./address.js").View}
 */
export const viewOf = ({ chosen, view, flipped, tab, line }, tabs) => ({ ply: chosen, seat: view, flipped, tab: tab === tabs[0] ? "" : tab, line });
