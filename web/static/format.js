// SPDX-License-Identifier: GPL-3.0-or-later
// Numbers, times and names as people read them.

const whole = new Intl.NumberFormat("en", { maximumFractionDigits: 0 });
const exact = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "medium" });
const MINUS = "\u2212";

/** 1843.4 → "1,843"; a "?" behind it while it is uncertain. */
export function rating(value, provisional = false) {
  return value == null ? "–" : whole.format(value) + (provisional ? "?" : "");
}

export const count = (value) => whole.format(value);

/** A player's name, or what stands for it while a match hides who plays. */
export const named = ({ name }) => name || "Hidden player";

/** 2.5 → "2½", 0.5 → "½"; what is no half as it is, with two digits. */
export function half(value) {
  if (!Number.isInteger(2 * value)) return value.toFixed(2);
  const whole = Math.floor(value);
  return value === whole ? String(whole) : `${whole || ""}½`;
}

/** 8.21 → "+8", -3.4 → "−3". */
export function signed(value, digits = 0) {
  const text = Math.abs(value).toFixed(digits);
  return (Number(text) === 0 ? "±" : value > 0 ? "+" : MINUS) + text;
}

const SIZES = [[1e18, "E"], [1e15, "P"], [1e12, "T"], [1e9, "G"], [1e6, "M"], [1e3, "k"]];
const FULL = 0.9995; // of a size, from which three digits are rounded up to it

/** 3200000 → "3.2 M", 9e15 → "9.0 P". */
export function large(value) {
  if (value == null) return "–";
  const [size, letter] = SIZES.find(([size]) => value >= FULL * size) ?? [];
  return size ? `${(value / size).toFixed(value >= 99.95 * size ? 0 : 1)} ${letter}` : whole.format(value);
}

/** Milliseconds on a clock → "1:42", and below twenty seconds "12.7". */
export function clock(milliseconds) {
  if (milliseconds == null) return "";
  const left = Math.max(0, milliseconds);
  if (left < 20_000) return (Math.floor(left / 100) / 10).toFixed(1);
  const seconds = Math.floor(left / 1000);
  const pad = (value) => String(value).padStart(2, "0");
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  return hours ? `${hours}:${pad(minutes)}:${pad(seconds % 60)}` : `${minutes}:${pad(seconds % 60)}`;
}

const TIME_CONTROL = /^(?:\d+\/)?([\d.]+)(?:\+([\d.]+)|\/move)?$/;

/** What the clock of a seat begins with, in milliseconds: of "60+0.5", "40/60+0", "5/move", or a pair of them with " v ". */
export function initialClock(timeControl, seat) {
  const sides = (timeControl ?? "").split(" v ");
  const found = TIME_CONTROL.exec(sides[seat] ?? sides[0]);
  return found && 1000 * (Number(found[1]) || Number(found[2]));
}

/** Milliseconds that a move took → "0.31 s". */
export function took(milliseconds) {
  return milliseconds < 10_000 ? `${(milliseconds / 1000).toFixed(2)} s` : `${Math.round(milliseconds / 1000)} s`;
}

/** Unix seconds → "12 s ago". */
export function ago(time, now = Date.now() / 1000) {
  const seconds = Math.max(0, now - time);
  for (const [size, unit] of [[86_400, "d"], [3600, "h"], [60, "min"]]) {
    if (seconds >= size) return `${Math.floor(seconds / size)} ${unit} ago`;
  }
  return `${Math.floor(seconds)} s ago`;
}

/** The exact time, for a title. */
export const moment = (time) => exact.format(new Date(time * 1000));

const results = { "1-0": ["win", "loss"], "0-1": ["loss", "win"], "1/2-1/2": ["draw", "draw"] };

/** What a result is to a seat: "win", "loss", "draw" or "void". */
export const verdict = (result, seat) => results[result]?.[seat] ?? "void";

/** The result as it is printed. */
export const score = (result) => ({ "1-0": "1–0", "0-1": "0–1", "1/2-1/2": "½–½" })[result] ?? "void";

const reasons = {
  decided: "",
  time: "on time",
  adjudication: "by adjudication",
  "quiet plies": "as nothing was captured for long",
  "ply limit": "at the limit of plies",
  "illegal move": "after an illegal move",
  "bad message": "after bad messages",
  crash: "after a crash",
  disconnect: "after a lost connection",
  void: "",
};

/** What stands behind "won" or "Draw" to tell how a match ended; nothing when the rules did. */
export const reason = (termination) => reasons[termination] ?? `by ${termination}`;

/** The class of a change of rating; one that rounds to nothing is neither good nor bad. */
export const tone = (change) => (Math.abs(change) < 0.5 ? "muted" : change > 0 ? "win" : "loss");

/** The points a seat got. */
export const points = (result, seat) => ({ win: "1", loss: "0", draw: "½", void: "–" })[verdict(result, seat)];
