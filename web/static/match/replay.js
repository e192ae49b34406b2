// SPDX-License-Identifier: GPL-3.0-or-later
// Replay of a match: buttons and slider below the board, wheel and swipes over the board, the link to a move.

import { inContext, t } from "../texts.js";
import { html, useEffect, useRef, useState } from "../view.js";

const ICONS = {
  first: "M4 3v10M13 3 6 8l7 5z",
  back: "M11 3 4 8l7 5z",
  play: "M4 2.5 13 8l-9 5.5z",
  pause: "M5 3v10M11 3v10",
  forward: "M5 3l7 5-7 5z",
  last: "M12 3v10M3 3l7 5-7 5z",
  flip: "M5 13V3M2.5 5.5 5 3l2.5 2.5M11 3v10M8.5 10.5 11 13l2.5-2.5",
  link: "M7 9a3 3 0 0 0 4.2 0l2-2A3 3 0 0 0 9 2.8l-1 1M9 7a3 3 0 0 0-4.2 0l-2 2A3 3 0 0 0 7 13.2l1-1",
  done: "M3 8.5 6.5 12 13 4.5",
};

/**
 * An icon by name, as high as the text.
 * @param {{ name: keyof typeof ICONS }} props
 */
export function Icon({ name }) {
  return html`<svg class=${`icon${name === "link" || name === "done" ? " outline" : ""}`} viewBox="0 0 16 16" aria-hidden="true"><path d=${ICONS[name]} /></svg>`;
}

/**
 * Copy a text; returns whether that worked. Browsers offer no clipboard over plain HTTP, except on localhost.
 * @param {string} text
 */
export async function copied(text) {
  if (await navigator.clipboard?.writeText(text).then(() => true, () => false)) return true;
  const box = document.createElement("textarea");
  box.value = text;
  document.body.append(box);
  box.select();
  const done = document.execCommand("copy");
  box.remove();
  return done;
}

/**
 * A button that copies. ``copy()``: returns whether that worked; ``label``: the name of the copied thing.
 * @param {{ copy: () => Promise<boolean>, label: string, children?: any }} props
 */
export function CopyButton({ copy, label, children }) {
  const [done, setDone] = useState(false);
  const press = async () => {
    if (!(await copy())) return;
    setDone(true);
    setTimeout(() => setDone(false), 1500);
  };
  return html`<button class=${children ? "" : "plain"} onClick=${press} aria-label=${done ? t`Copied` : children ? null : label} title=${label}>
    ${children ? (done ? t`Copied` : children) : html`<${Icon} name=${done ? "done" : "link"} />`}
  </button>`;
}

/**
 * ``address``: of the shown position.
 * @param {{ ply: number, last: number, go: (ply: number) => void, playing: boolean, play: () => void, flip: () => void, address: () => string }} props
 */
export function Replay({ ply, last, go, playing, play, flip, address }) {
  /** @param {Event & { currentTarget: HTMLInputElement }} event */
  const slide = (event) => go(Number(event.currentTarget.value));
  return html`
    <div class="replay">
      <button class="plain edge" onClick=${() => go(0)} disabled=${!ply} aria-label="First position"><${Icon} name="first" /></button>
      <button class="plain" onClick=${() => go(ply - 1)} disabled=${!ply} aria-label="Previous position"><${Icon} name="back" /></button>
      <button class="plain" onClick=${play} disabled=${!last} aria-label=${playing ? t`Pause` : inContext("a replay", "Play")}><${Icon} name=${playing ? "pause" : "play"} /></button>
      <button class="plain" onClick=${() => go(ply + 1)} disabled=${ply >= last} aria-label="Next position"><${Icon} name="forward" /></button>
      <button class="plain edge" onClick=${() => go(last)} disabled=${ply >= last} aria-label="Last position"><${Icon} name="last" /></button>
      <input type="range" min="0" max=${last} value=${ply} onInput=${slide} aria-label="Ply" />
      <span class="muted small number">${ply} / ${last}</span>
      <${CopyButton} copy=${() => copied(address())} label="Copy link at this move" />
      <button class="plain" onClick=${flip} aria-label="Flip the board" title="Flip (f)"><${Icon} name="flip" /></button>
    </div>
  `;
}

const NOTCH = 40; // of the wheel, for one move
const SWIPE = 32; // pixels

/**
 * Steps by the wheel and by swipes over a board; returns a ref for the element around it.
 * @param {(by: number) => void} step
 */
export function useSteps(step) {
  const frame = useRef(/** @type {HTMLDivElement | null} */ (null));
  const latest = useRef(step);
  latest.current = step;
  useEffect(() => {
    const box = frame.current;
    if (!box) return undefined;
    let turned = 0;
    /** @type {PointerEvent | null} */
    let down = null;
    /** @param {WheelEvent} event */
    const wheel = (event) => {
      if (event.ctrlKey || event.deltaY === 0) return;
      event.preventDefault();
      turned = Math.sign(turned) === Math.sign(event.deltaY) ? turned + event.deltaY : event.deltaY;
      if (Math.abs(turned) < NOTCH) return;
      latest.current(Math.sign(turned));
      turned = 0;
    };
    /** @param {PointerEvent} event */
    const press = (event) => {
      // a finger on squares that people pick drags a piece
      const picks = event.target instanceof Element && event.target.closest(".picking");
      down = event.pointerType === "mouse" || picks ? null : event;
    };
    /** @param {PointerEvent} event */
    const lift = (event) => {
      if (!down) return;
      const [x, y] = [event.clientX - down.clientX, event.clientY - down.clientY];
      down = null;
      if (Math.abs(x) >= SWIPE && Math.abs(x) > 2 * Math.abs(y)) latest.current(x < 0 ? 1 : -1);
    };
    const forget = () => void (down = null);
    box.addEventListener("wheel", wheel, { passive: false });
    box.addEventListener("pointerdown", press);
    box.addEventListener("pointerup", lift);
    box.addEventListener("pointercancel", forget);
    return () => {
      box.removeEventListener("wheel", wheel);
      box.removeEventListener("pointerdown", press);
      box.removeEventListener("pointerup", lift);
      box.removeEventListener("pointercancel", forget);
    };
  }, []);
  return frame;
}
