// SPDX-License-Identifier: GPL-3.0-or-later
// Tables that a click on a column's head sorts.

import { html, useState } from "./view.js";

/**
 * A column: its title, the value that it sorts by, classes, and the tooltip of its head.
 * @template Row
 * @typedef {{ title: string, by: (row: Row) => string | number, kind?: string, about?: string }} SortColumn
 */

/**
 * The rows of a table in the chosen order, and the cells of its head. Numbers are sorted from the largest first.
 * @template Row
 * @param {Row[]} rows
 * @param {SortColumn<Row>[]} columns
 */
export function useSorted(rows, columns) {
  const [[place, turned], choose] = useState(/** @type {[number, boolean]} */ ([-1, false]));
  const by = columns[place]?.by;
  const shown = by
    ? rows.toSorted((one, other) => {
        const [a, b] = [by(one), by(other)];
        const order = typeof a === "number" && typeof b === "number" ? b - a : String(a).localeCompare(String(b));
        return turned ? -order : order;
      })
    : rows;
  const head = columns.map(({ title, kind, about, by: value }, number) => {
    const falling = rows.length > 0 && typeof value(rows[0]) === "number";
    const direction = falling === turned ? "ascending" : "descending";
    return html`<th key=${title} class=${kind} title=${about} aria-sort=${number === place ? direction : null}>
      <button class="plain sort" onClick=${() => choose([number, number === place && !turned])}>${title}${number === place && html`<span aria-hidden="true">${direction === "ascending" ? " ▲" : " ▼"}</span>`}</button>
    </th>`;
  });
  return { shown, head };
}
