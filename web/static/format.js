// SPDX-License-Identifier: GPL-3.0-or-later
// Formatting of numbers, times, names and results.

import { language, locale, t, translated } from "./texts.js";

const whole = new Intl.NumberFormat(language, { maximumFractionDigits: 0 });
/** The decimal sign. */
export const decimal = new Intl.NumberFormat(language).format(0.5).slice(1, -1);
const exact = new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeStyle: "medium" });
/** @typedef {"win" | "loss" | "draw" | "void"} Verdict */

/** The share of the base time below which a clock is low. */
export const LOW = 0.1;

const MINUS = "\u2212";

/**
 * 1843.4 → "1,843"; a provisional rating gets a "?".
 * @param {number | null | undefined} value
 */
export function rating(value, provisional = false) {
  return value == null ? "–" : count(value) + (provisional ? "?" : "");
}

/**
 * 1234.5 → "1,235", -8.2 → "−8".
 * @param {number} value
 */
export const count = (value) => whole.format(Math.abs(value) < 0.5 ? 0 : value).replace("-", MINUS);

/**
 * A number of at least 0, as toFixed writes it, with the signs of the language.
 * @param {string} text
 */
function spelled(text) {
  const [units, part] = text.split(".");
  return whole.format(Number(units)) + (part ? decimal + part : "");
}

/**
 * A number with this many digits after the decimal sign.
 * @param {number} value
 * @param {number} digits
 */
export function fixed(value, digits) {
  const text = Math.abs(value).toFixed(digits);
  return (value < 0 && Number(text) ? MINUS : "") + spelled(text);
}

/**
 * A number with this many significant digits.
 * @param {number} value
 * @param {number} digits
 */
export const precise = (value, digits) => value.toPrecision(digits).replace("-", MINUS).replace(".", decimal);

/**
 * A player's name, or "Hidden player" while the match hides names.
 * @param {{ name: string }} player
 */
export const named = ({ name }) => name || t`Hidden player`;

/**
 * 2.5 → "2½", 0.5 → "½", -3 → "−3"; other fractions with two digits.
 * @param {number} value
 */
export function half(value) {
  const [sign, size] = [value < 0 ? "−" : "", Math.abs(value)];
  const whole = Math.floor(size);
  return sign + (Number.isInteger(2 * size) ? (size === whole ? whole : `${whole || ""}½`) : fixed(size, 2));
}

/**
 * 8.21 → "+8", -3.4 → "−3", 1234.5 → "+1,235".
 * @param {number} value
 */
export function signed(value, digits = 0) {
  const text = Math.abs(value).toFixed(digits);
  return (Number(text) === 0 ? "±" : value > 0 ? "+" : MINUS) + spelled(text);
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
  return size ? `${fixed(value / size, value >= 99.95 * size ? 0 : 1)} ${letter}` : count(value);
}

/**
 * Milliseconds on a clock → "1:42", and below twenty seconds "12.7".
 * @param {number | null | undefined} milliseconds
 */
export function clock(milliseconds) {
  if (milliseconds == null) return "";
  const left = Math.max(0, milliseconds);
  if (left < 20_000) return fixed(Math.floor(left / 100) / 10, 1);
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
  if (!timeControl) return t`no clock`;
  const sides = timeControl.split(" v ").map((side) => /^([\d.]+)\/move$/.exec(side)?.[1]);
  if (sides.includes(undefined)) return timeControl;
  const words = sides.map((seconds) => (Number(seconds) % 60 ? `${seconds} s` : `${Number(seconds) / 60} min`).replace(".", decimal));
  return t`${words.join(` ${t`v`} `)} per move`;
}

/**
 * A share as a percentage: 0.314 → "31 %".
 * @param {number} share
 * @param {number} [digits]
 */
export const percent = (share, digits = 0) => `${fixed(100 * share, digits)} %`;

/**
 * The titles of games by their names.
 * @param {Api.GameAnswer[]} games
 * @returns {Record<string, string>}
 */
export const titlesOf = (games) => Object.fromEntries(games.map(({ name, title }) => [name, translated(title)]));

/**
 * Time of a move in milliseconds → "0.31 s".
 * @param {number} milliseconds
 */
export function took(milliseconds) {
  return milliseconds < 10_000 ? `${fixed(milliseconds / 1000, 2)} s` : `${Math.round(milliseconds / 1000)} s`;
}

/**
 * Unix seconds → "12 s ago".
 * @param {number} time
 * @param {number} [now]
 */
export function ago(time, now = Date.now() / 1000) {
  const seconds = Math.max(0, now - time);
  if (seconds >= 86_400) return t`${Math.floor(seconds / 86_400)} d ago`;
  if (seconds >= 3600) return t`${Math.floor(seconds / 3600)} h ago`;
  return seconds >= 60 ? t`${Math.floor(seconds / 60)} min ago` : t`${Math.floor(seconds)} s ago`;
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
export const score = (result) => printed[result ?? ""] ?? t`void`;

/** @type {Record<string, string>} */
const reasons = {
  decided: "",
  time: t`on time`,
  adjudication: t`by adjudication`,
  "no-progress rule": t`by the no-progress rule`,
  "ply limit": t`by the ply limit`,
  "illegal move": t`by an illegal move`,
  "bad message": t`by invalid messages`,
  crash: t`by a crash`,
  disconnect: t`by disconnection`,
  void: "",
};

/**
 * The reason after "won" or "Draw": how a match ended; empty when it ended by the rules of the game.
 * @param {string} termination
 */
export const reason = (termination) => reasons[termination] ?? t`by ${translated(termination)}`;

/**
 * CSS class of a rating change; changes that round to zero are muted.
 * @param {number} change
 */
export const tone = (change) => (Math.abs(change) < 0.5 ? "muted" : change > 0 ? "win" : "loss");

/**
 * A payoff in points, with its sign: "+2", "−0.35".
 * @param {number} value
 * @param {number} [digits] behind the point
 */
export const payoff = (value, digits) =>
  (value > 0 ? "+" : value < 0 ? MINUS : "") + Math.abs(value).toFixed(digits ?? (Number.isInteger(value) ? 0 : 2)).replace(".", decimal);

/**
 * The points of a seat: "1", "0", "½" or "–".
 * @param {string | null} result
 * @param {number} seat
 */
export const points = (result, seat) => ({ win: "1", loss: "0", draw: "½", void: "–" })[verdict(result, seat)];
