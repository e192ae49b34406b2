// SPDX-License-Identifier: GPL-3.0-or-later
// Spoiler-free mode: whether this page hides results. One attribute of the document says it: theme.js sets it before the
// first paint, style.css hides the elements of the classes `spoiler` and `spoilers`, and components ask here.

const stored = "arena-results"; // which theme.js reads
const { dataset } = document.documentElement;

/** Whether the visitor wants pages that hide results. */
export const isWanted = () => localStorage.getItem(stored) === "hidden";

/** Whether this page hides results now. */
export const isHiding = () => dataset.results === "hidden";

/** @param {boolean} hide */
function apply(hide) {
  dataset.results = hide ? "hidden" : "shown";
  dispatchEvent(new Event("resultschange"));
}

/**
 * Hide results on this page and the next ones, or show them.
 * @param {boolean} hide
 */
export function want(hide) {
  localStorage.setItem(stored, hide ? "hidden" : "shown");
  apply(hide);
}

/** Show the results on this page only. */
export const reveal = () => apply(false);
