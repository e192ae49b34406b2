// SPDX-License-Identifier: GPL-3.0-or-later
// Parts of boards that several styles draw.

import { html } from "../view.js";

/**
 * What is below the squares: the frame of heaps or of holes, the wood of points, or the felt of a table.
 * @param {"tray" | "plate" | "wood" | "rail" | "felt"} kind
 * @param {import("../squares.js").Area} area
 * @param {number} [round] the radius of the corners
 * @param {number} [inset]
 */
export const ground = (kind, { x, y, width, height }, round, inset = 0) =>
  html`<rect class=${kind} x=${x + inset} y=${y + inset} width=${width - 2 * inset} height=${height - 2 * inset} rx=${round} />`;

/**
 * The numbers and the other parts of a label, each as a text.
 * @param {string} text
 * @param {number} square
 * @param {(part: string) => object} place attributes of a part
 */
export const parts = (text, square, place) =>
  (text.match(/\d+|\D+/g) ?? []).map((part) => html`<text key=${`l${square}${part}`} class="label" ...${place(part)}>${part}</text>`);
