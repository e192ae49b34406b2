// SPDX-License-Identifier: GPL-3.0-or-later
// Further pages of the moves of a finished match.

import { laterMoves } from "../moves.js";
import { t } from "../texts.js";
import { messageOf } from "../view.js";

/**
 * Load the moves of a finished match that the page does not hold; returns a function that stops.
 * @param {Api.MatchDetailAnswer} record
 * @param {(action: import("./state.js").Action) => void} act
 */
export function loaded(record, act) {
  let left = false;
  const load = async () => {
    for await (const items of laterMoves(record.id, record.next, record.view)) {
      if (left) return;
      act({ type: "moves", items });
    }
    act({ type: "trouble", text: "" });
  };
  load().catch((error) => act({ type: "trouble", text: t`could not load all moves: ${messageOf(error)}` }));
  return () => void (left = true);
}
