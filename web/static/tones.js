// SPDX-License-Identifier: GPL-3.0-or-later
// The sounds of moves, captures, ends and low clocks, made by oscillators. This module decides what sounds and when: no
// sound while another tab is in front.

import { initialClock, LOW } from "./format.js";
import { isOn, stored } from "./sounds.js";
import { serverTime } from "./time.js";

/** @typedef {"move" | "capture" | "end" | "low"} Sound */
/** @typedef {import("./sounds.js").Shown} Shown */

const VOLUME = 0.15;
const REST = 100; // ms between two sounds, so that fast matches do not hum

/** @type {Record<Sound, [number, number, number][]>} Hz, and seconds of begin and length */
const TONES = {
  move: [[330, 0, 0.06]],
  capture: [[262, 0, 0.05], [196, 0.06, 0.09]],
  end: [[392, 0, 0.12], [494, 0.13, 0.12], [587, 0.26, 0.3]],
  low: [[880, 0, 0.07], [880, 0.15, 0.07]],
};

/** @type {AudioContext | null} */
let context = null;
let last = -REST;
let clock = 0; // timer of a clock that becomes low
/** @type {Set<string>} */
const warned = new Set();

/**
 * Play a sound, if it may be heard now. Browsers allow none before the first click or key on a page.
 * @param {Sound} sound
 */
function play(sound) {
  if (!isOn() || document.hidden || !navigator.userActivation?.hasBeenActive) return;
  if (sound !== "end" && performance.now() < last + REST) return;
  last = performance.now();
  context ??= new AudioContext();
  if (context.state === "suspended") context.resume();
  for (const [pitch, begin, length] of TONES[sound]) {
    const [tone, loudness, start] = [context.createOscillator(), context.createGain(), context.currentTime + begin];
    tone.frequency.value = pitch;
    loudness.gain.setValueAtTime(VOLUME, start);
    loudness.gain.exponentialRampToValueAtTime(0.001, start + length);
    tone.connect(loudness).connect(context.destination);
    tone.start(start);
    tone.stop(start + length);
  }
}

/**
 * Turn sounds on or off.
 * @param {boolean} on
 */
export function turn(on) {
  if (on) localStorage.setItem(stored, "on");
  else localStorage.removeItem(stored);
  play("move");
}

/**
 * The sound of a change from one shown position to the next; null: none.
 * @param {Api.BoardAnswer["pieces"]} pieces
 * @param {Shown} before
 * @param {Shown} now
 * @returns {Sound | null}
 */
export function soundOf(pieces, before, now) {
  if (before.match !== now.match) return null;
  if (now.over && !before.over) return "end";
  if (now.ply <= before.ply) return null;
  /** @param {string} diagram */
  const left = (diagram) => Array.from(diagram).reduce((sum, letter) => sum + (pieces[letter]?.count ?? 0), 0);
  return left(now.diagram) < left(before.diagram) ? "capture" : "move";
}

/**
 * Play the sound of a change, and one when the running clock becomes low: once for each side of a match.
 * @param {Api.BoardAnswer["pieces"]} pieces
 * @param {Shown} before
 * @param {Shown} now
 * @param {Protocol.Seen} seen
 */
export function hear(pieces, before, now, { match, to_move: seat, clocks, clocks_at: since, time_control: control }) {
  const sound = soundOf(pieces, before, now);
  if (sound) play(sound);
  clearTimeout(clock);
  const [left, base, key] = [clocks?.[seat], initialClock(control ?? null, seat), `${match} ${seat}`];
  if (now.over || left == null || !base || warned.has(key)) return;
  const due = left - LOW * base - (serverTime() - 1000 * since);
  if (due <= 0) return;
  clock = setTimeout(() => {
    warned.add(key);
    play("low");
  }, due);
}
