// SPDX-License-Identifier: GPL-3.0-or-later
// The filters of the leaderboard: a form whose values are in the address of the page.

import { t } from "../texts.js";
import { html } from "../view.js";

/** @typedef {{ kind: string, active: number, name: string }} Filters */

/**
 * The parameters of the filters that are not at their defaults.
 * @param {Filters} filters
 * @returns {Record<string, string>}
 */
export function parametersOf({ kind, active, name }) {
  return { ...(kind !== "all" && { kind }), ...(active > 0 && { active: String(active) }), ...(name && { name }) };
}

/** @type {[string, string][]} */
const KINDS = [["all", t`All bots`], ["built-in", t`Built-in bots`], ["own", t`Other bots`]];
/** @type {[number, string][]} */
const DAYS = [[0, t`Active at any time`], [1, t`Active in 24 hours`], [7, t`Active in 7 days`], [30, t`Active in 30 days`]];

/**
 * The form. ``hidden``: the other parameters of the address; ``go``: called with the new filters.
 * @param {{ filters: Filters, hidden: Record<string, string>, go: (filters: Filters) => void }} props
 */
export function FilterForm({ filters, hidden, go }) {
  /** @param {HTMLFormElement} form */
  const read = (form) => {
    const data = new FormData(form);
    go({ kind: String(data.get("kind")), active: Number(data.get("active")), name: String(data.get("name")).trim() });
  };
  /** @param {Event & { currentTarget: HTMLFormElement }} event */
  const submit = (event) => {
    event.preventDefault();
    read(event.currentTarget);
  };
  /** @param {Event & { currentTarget: HTMLSelectElement }} event */
  const change = ({ currentTarget: { form } }) => form && read(form);
  const days = DAYS.some(([days]) => days === filters.active) ? DAYS : [...DAYS, [filters.active, t`Active in ${filters.active} days`]];
  return html`
    <form class="filters" role="search" action="/leaderboard" onSubmit=${submit}>
      ${Object.entries(hidden).map(([name, value]) => html`<input key=${name} type="hidden" name=${name} value=${value} />`)}
      <input type="search" name="name" aria-label="Name of a bot" placeholder="Name" maxlength="100" value=${filters.name} />
      <select name="kind" aria-label="Kind of bots" onChange=${change}>
        ${KINDS.map(([value, text]) => html`<option key=${value} value=${value} selected=${value === filters.kind}>${text}</option>`)}
      </select>
      <select name="active" aria-label="Activity" onChange=${change}>
        ${days.map(([value, text]) => html`<option key=${value} value=${value} selected=${value === filters.active}>${text}</option>`)}
      </select>
      <button type="submit">Filter</button>
    </form>
  `;
}
