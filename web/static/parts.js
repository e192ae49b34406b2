// SPDX-License-Identifier: GPL-3.0-or-later
// Small parts that several pages have: times, counts of results, downloads.

import { ago, count, moment } from "./format.js";
import { html } from "./view.js";

/**
 * How long ago something was, with the exact time on hover. ``time``: Unix time.
 * @param {{ time: number }} props
 */
export const Ago = ({ time }) => html`<span title=${moment(time)}>${ago(time)}</span>`;

/**
 * Wins, draws and losses.
 * @param {{ of: { wins: number, draws: number, losses: number } }} props
 */
export const Results = ({ of: { wins, draws, losses } }) => `${count(wins)} / ${count(draws)} / ${count(losses)}`;

/**
 * Links to downloads. ``address``: of a format.
 * @param {{ formats: string[], address: (format: string) => string }} props
 */
export const Downloads = ({ formats, address }) =>
  formats.map((format) => html`<a class="button" key=${format} href=${address(format)} download>${format.toUpperCase()}</a> `);
