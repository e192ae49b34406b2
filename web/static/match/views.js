// SPDX-License-Identifier: GPL-3.0-or-later
// The choice of a view of a finished match: everything, or what one seat saw during the match. Only matches of games with
// hidden information or simultaneous moves load it.

import { named } from "../format.js";
import { wholeRecord } from "../moves.js";
import { t, translated } from "../texts.js";
import { html, messageOf } from "../view.js";

/** @typedef {number | null} Viewer a seat; null: everybody after the end */

/** @type {Viewer} */
let wanted = null; // the last choice, while it loads

/**
 * Load and show a view; returns whether that worked. ``act``: of the page.
 * @param {number} id
 * @param {Viewer} view
 * @param {(action: import("./state.js").Action) => void} act
 */
export async function choose(id, view, act) {
  wanted = view;
  try {
    const record = await wholeRecord(id, view);
    if (wanted === view) act({ type: "view", record });
    return true;
  } catch (error) {
    act({ type: "trouble", text: t`could not load the view: ${messageOf(error)}` });
    return false;
  }
}

/**
 * The view after one, in the order of the list.
 * @param {Viewer} view
 */
export const after = (view) => (view == null ? 0 : view === 0 ? 1 : null);

/**
 * The seats with their texts. Players of the same name are told apart by their seats.
 * @param {Protocol.Seen} seen
 * @param {[string, string]} seats
 */
function textsOf({ players }, seats) {
  const [one, other] = players.map(named);
  return players.map((player, seat) => {
    const name = one === other ? `${named(player)} (${translated(seats[seat])})` : named(player);
    return t`what ${name} saw`;
  });
}

/**
 * ``view``: the shown one; ``go(view)``: shows another one, and returns whether that worked.
 * @param {{ seen: Protocol.Seen, seats: [string, string], view: Viewer, go: (view: Viewer) => Promise<boolean> }} props
 */
export function Views({ seen, seats, view, go }) {
  const shown = view == null ? "" : String(view);
  /** @param {Event & { currentTarget: HTMLSelectElement }} event */
  const change = async ({ currentTarget: box }) => {
    if (!(await go(box.value ? Number(box.value) : null))) box.value = shown;
  };
  return html`
    <label>View <select value=${shown} onChange=${change} title="Everything, or what one side saw during the match (v)">
      <option value="">everything</option>
      ${textsOf(seen, seats).map((text, seat) => html`<option key=${seat} value=${String(seat)}>${text}</option>`)}
    </select></label>
  `;
}
