// SPDX-License-Identifier: GPL-3.0-or-later
// Limits of an account, each with its usage.

import { count, fixed } from "../format.js";
import { t } from "../texts.js";
import { html } from "../view.js";

/** @type {Record<string, string>} */
const NAMES = { "bots": t`Bots`, "connections": t`Connections`, "matches a day": t`Matches a day`, "storage": t`Storage`, "uploads a day": t`Uploads a day` };

/**
 * The name of a limit as a title.
 * @param {string} name
 */
const titled = (name) => NAMES[name] ?? name;

/**
 * A number of bytes: "3.2 MB".
 * @param {number} value
 */
export function bytes(value) {
  const [size, unit] = value >= 1e9 ? [1e9, "GB"] : value >= 1e6 ? [1e6, "MB"] : value >= 1e3 ? [1e3, "kB"] : [1, "B"];
  const number = value / Number(size);
  return `${size === 1 || number >= 100 ? Math.round(number) : fixed(number, 1)} ${unit}`;
}

/**
 * ``limits`` and ``usage``: numbers by the names of limits; null: no limit.
 * @param {{ limits: Record<string, number | null>, usage: Record<string, number> }} props
 */
export function Usage({ limits, usage }) {
  return html`
    <dl class="usage surface">${Object.entries(limits).map(([name, limit]) => {
      const used = usage[name] ?? 0;
      const written = name === "storage" ? bytes : count;
      const full = limit != null && used >= limit;
      return html`<div key=${name}>
        <dt>${titled(name)}</dt>
        <dd class=${full ? "loss" : ""}>${written(used)} <span class="muted">${limit == null ? t`(no limit)` : t`of ${written(limit)}`}</span>${full && t` (full)`}</dd>
        ${limit != null && html`<dd class="bar"><progress max=${limit || 1} value=${Math.min(used, limit)} aria-label=${titled(name)}></progress></dd>`}
      </div>`;
    })}</dl>
  `;
}
