// SPDX-License-Identifier: GPL-3.0-or-later
// The time of the server, and one timer for all parts of a page that change at the same pace.

// from this many milliseconds on, the time of an answer, in whole seconds, corrects the page's time
const WRONG = 2000;

let server = Date.now();
let at = performance.now();

/**
 * The server's time in Unix milliseconds. The clock of this machine may be wrong, or be set while the page is open: the
 * time goes on from the last moment that the server told.
 */
export const serverTime = () => server + performance.now() - at;

/**
 * Take over the time of a message, in Unix seconds: the server's time is at least that. The page's time stands still
 * while the machine sleeps.
 * @param {number} time
 */
export function atLeast(time) {
  if (1000 * time > serverTime()) [server, at] = [1000 * time, performance.now()];
}

/**
 * Take over the time of an answer, the text of its header Date, if the page's time differs.
 * @param {string | null} date
 */
export function told(date) {
  const time = Date.parse(date ?? "") + 500; // the middle of its second
  if (Math.abs(time - serverTime()) > WRONG) [server, at] = [time, performance.now()];
}

/** @type {Map<number, Set<() => void>>} */
const paces = new Map();

/**
 * Call ``listener`` every ``pace`` milliseconds while the page is visible, in one task with all others of that pace, so
 * that they share a frame; and when the page becomes visible. Returns a function that ends that.
 * @param {number} pace
 * @param {() => void} listener
 */
export function every(pace, listener) {
  const known = paces.get(pace);
  const listeners = known ?? new Set();
  if (!known) {
    paces.set(pace, listeners);
    setInterval(() => document.hidden || call(listeners), pace);
  }
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** @param {Iterable<() => void>} listeners */
function call(listeners) {
  for (const listener of listeners) listener();
}

document.addEventListener("visibilitychange", () => document.hidden || call([...paces.values()].flatMap((each) => [...each])));
