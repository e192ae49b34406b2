// SPDX-License-Identifier: GPL-3.0-or-later
// Sounds of the match that a page shows. They are off until the visitor turns them on; only then the page loads tones.js.

import { withTexts } from "./texts.js";
import { useEffect, useRef } from "./view.js";

/** @typedef {{ match: number, ply: number, diagram: string, over: boolean }} Shown a position of a match on a page */

export const stored = "arena-sounds";

/** Whether the visitor has turned sounds on. */
export const isOn = () => localStorage.getItem(stored) === "on";

/**
 * Play the sounds of a match that the page shows. ``ply`` and ``diagram``: the shown position.
 * @param {Api.BoardAnswer["pieces"]} pieces
 * @param {Protocol.Seen} seen
 * @param {{ ply: number, diagram: string }} [position]
 */
export function useSounds(pieces, seen, { ply, diagram } = seen) {
  const now = { match: seen.match, ply, diagram, over: seen.ending != null };
  const before = useRef(now);
  useEffect(() => {
    const last = before.current;
    before.current = now;
    if (isOn()) withTexts("tones.js", () => import("./tones.js")).then(({ hear }) => hear(pieces, last, now, seen));
  }, [seen, ply, diagram]);
}
