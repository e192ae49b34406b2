// SPDX-License-Identifier: GPL-3.0-or-later
// Formatting of numbers, times, names and results.

const whole = new Intl.NumberFormat("en", { maximumFractionDigits: 0 });
const exact = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "medium" });
/** @typedef {"win" | "loss" | "draw" | "void"} Verdict */

/** The share of the base time below which a clock is low. */
export const LOW = 0.1;

const MINUS = "\u2212";

/**
 * 1843.4 → "1,843"; a provisional rating gets a "?".
 * @param {number | null | undefined} value
 */
export function rating(value, provisional = false) {
  return value == null ? "–" : whole.format(value) + (provisional ? "?" : "");
}

/** @param {number} value */
export const count = (value) => whole.format(value);

/**
 * A player's name, or "Hidden player" while the match hides names.
 * @param {{ name: string }} player
 */
export const named = ({ name }) => name || "Hidden player";

/**
 * 2.5 → "2½", 0.5 → "½"; other fractions with two digits.
 * @param {number} value
 */
export function half(value) {
  if (!Number.isInteger(2 * value)) return value.toFixed(2);
  const whole = Math.floor(value);
  return value === whole ? String(whole) : `${whole || ""}½`;
}

/**
 * 8.21 → "+8", -3.4 → "−3".
 * @param {number} value
 */
export function signed(value, digits = 0) {
  const text = Math.abs(value).toFixed(digits);
  return (Number(text) === 0 ? "±" : value > 0 ? "+" : MINUS) + text;
}

/** @type {[number, string][]} */
const SIZES = [[1e18, "E"], [1e15, "P"], [1e12, "T"], [1e9, "G"], [1e6, "M"], [1e3, "k"]];
const FULL = 0.9995; // from this share of a size on, three digits round up to the size

/**
 * 3200000 → "3.2 M", 9e15 → "9.0 P".
 * @param {number | null | undefined} value
 */
export function large(value) {
  if (value == null) return "–";
  const [size, letter] = SIZES.find(([size]) => value >= FULL * size) ?? [0, ""];
  return size ? `${(value / size).toFixed(value >= 99.95 * size ? 0 : 1)} ${letter}` : whole.format(value);
}

/**
 * Milliseconds on a clock → "1:42", and below twenty seconds "12.7".
 * @param {number | null | undefined} milliseconds
 */
export function clock(milliseconds) {
  if (milliseconds == null) return "";
  const left = Math.max(0, milliseconds);
  if (left < 20_000) return (Math.floor(left / 100) / 10).toFixed(1);
  const seconds = Math.floor(left / 1000);
  /** @param {number} value */
  const pad = (value) => String(value).padStart(2, "0");
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  return hours ? `${hours}:${pad(minutes)}:${pad(seconds % 60)}` : `${minutes}:${pad(seconds % 60)}`;
}

const TIME_CONTROL = /^(?:\d+\/)?([\d.]+)(?:\+([\d.]+)|\/move)?$/;

/**
 * Initial clock of a seat in milliseconds, from "60+0.5", "40/60+0", "5/move", or two of these joined by " v ".
 * @param {string | null} timeControl
 * @param {number} seat
 */
export function initialClock(timeControl, seat) {
  const sides = (timeControl ?? "").split(" v ");
  const found = TIME_CONTROL.exec(sides[seat] ?? sides[0]);
  return found && 1000 * (Number(found[1]) || Number(found[2]));
}

/**
 * A time control as people read it: "1800/move v 2/move" → "30 min v 2 s per move"; others as they are.
 * @param {string | null | undefined} timeControl
 */
export function control(timeControl) {
  if (!timeControl) return "no clock";
  const sides = timeControl.split(" v ").map((side) => /^([\d.]+)\/move$/.exec(side)?.[1]);
  if (sides.includes(undefined)) return timeControl;
  const words = sides.map((seconds) => (Number(seconds) % 60 ? `${seconds} s` : `${Number(seconds) / 60} min`));
  return `${words.join(" v ")} per move`;
}

/**
 * A share as a percentage: 0.314 → "31 %".
 * @param {number} share
 * @param {number} [digits]
 */
export const percent = (share, digits = 0) => `${(100 * share).toFixed(digits)} %`;

/**
 * The titles of games by their names.
 * @param {Api.GameAnswer[]} games
 * @returns {Record<string, string>}
 */
export const titlesOf = (games) => Object.fromEntries(games.map(({ name, title }) => [name, title]));

/**
 * Time of a move in milliseconds → "0.31 s".
 * @param {number} milliseconds
 */
export function took(milliseconds) {
  return milliseconds < 10_000 ? `${(milliseconds / 1000).toFixed(2)} s` : `${Math.round(milliseconds / 1000)} s`;
}

/** @type {[number, string][]} */
const UNITS = [[86_400, "d"], [3600, "h"], [60, "min"]];

/**
 * Unix seconds → "12 s ago".
 * @param {number} time
 * @param {number} [now]
 */
export function ago(time, now = Date.now() / 1000) {
  const seconds = Math.max(0, now - time);
  for (const [size, unit] of UNITS) {
    if (seconds >= size) return `${Math.floor(seconds / size)} ${unit} ago`;
  }
  return `${Math.floor(seconds)} s ago`;
}

/**
 * Date and time, for a tooltip.
 * @param {number} time
 */
export const moment = (time) => exact.format(new Date(time * 1000));

/** @type {Record<string, [Verdict, Verdict]>} */
const results = { "1-0": ["win", "loss"], "0-1": ["loss", "win"], "1/2-1/2": ["draw", "draw"] };

/**
 * A result from the side of a seat: "win", "loss", "draw" or "void".
 * @param {string | null} result
 * @param {number} seat
 * @returns {Verdict}
 */
export const verdict = (result, seat) => results[result ?? ""]?.[seat] ?? "void";

/** @type {Record<string, string>} */
const printed = { "1-0": "1–0", "0-1": "0–1", "1/2-1/2": "½–½" };

/**
 * A result as text: "1–0".
 * @param {string | null} result
 */
export const score = (result) => printed[result ?? ""] ?? "void";

/** @type {Record<string, string>} */
const reasons = {
  decided: "",
  time: "on time",
  adjudication: "by adjudication",
  "no-progress rule": "by the no-progress rule",
  "ply limit": "by the ply limit",
  "illegal move": "by an illegal move",
  "bad message": "by invalid messages",
  crash: "by a crash",
  disconnect: "by disconnection",
  void: "",
};

/**
 * The reason after "won" or "Draw": how a match ended; empty when it ended by the rules of the game.
 * @param {string} termination
 */
export const reason = (termination) => reasons[termination] ?? `by ${termination}`;

/**
 * CSS class of a rating change; changes that round to zero are muted.
 * @param {number} change
 */
export const tone = (change) => (Math.abs(change) < 0.5 ? "muted" : change > 0 ? "win" : "loss");

/**
 * The points of a seat: "1", "0", "½" or "–".
 * @param {string | null} result
 * @param {number} seat
 */
export const points = (result, seat) => ({ win: "1", loss: "0", draw: "½", void: "–" })[verdict(result, seat)];
