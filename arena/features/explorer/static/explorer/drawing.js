// SPDX-License-Identifier: GPL-3.0-or-later
// The drawing of a search tree: nodes by kind, moves, values, bounds and cuts; zoom by wheel, keys and buttons.

import { html, useEffect, useLayoutEffect, useRef, useState } from "../view.js";
import { REASONS, short } from "./model.js";

const WIDE = 78;
const HIGH = 104;
const MARGIN = 46;
const [LEAST, MOST] = [0.15, 4]; // zoom

/** @typedef {{ x: number, y: number, scale: number }} View */

/**
 * ``win``: score of a won game; ``focus``: the node in the middle.
 * @param {{ walk: import("./model.js").Walk, win: number, places: Map<number, { x: number, y: number }>, width: number, height: number,
 *   open: Set<number>, step: number, focus: number, choose: (number: number) => void, toggle: (number: number) => void }} props
 */
export function Drawing({ walk, win, places, width, height, open, step, focus, choose, toggle }) {
  const frame = useRef(/** @type {HTMLDivElement | null} */ (null));
  const [size, setSize] = useState({ width: 800, height: 480 });
  const [view, setView] = useState(/** @type {View | null} */ (null));
  const pan = useRef(/** @type {{ x: number, y: number, from: View } | null} */ (null));
  const whole = { width: width * WIDE + 2 * MARGIN, height: height * HIGH + MARGIN };
  const fit = Math.min(size.width / whole.width, size.height / whole.height, 1.4);
  const first = fit < 0.6 ? 0.9 : fit; // a tree that cannot be read as a whole is shown in part
  const scale = view?.scale ?? first;
  const here = places.get(focus) ?? { x: 0, y: 0 };
  const middle = { x: here.x * WIDE + MARGIN, y: here.y * HIGH + MARGIN };

  useLayoutEffect(() => {
    const box = frame.current;
    if (!box) return undefined;
    const watch = new ResizeObserver(() => setSize({ width: box.clientWidth, height: box.clientHeight }));
    watch.observe(box);
    return () => watch.disconnect();
  }, []);

  // the step stays in sight: whatever fits is centred as a whole, the rest around the step
  useEffect(() => {
    setView((old) => {
      const by = old?.scale ?? first;
      return { scale: by, x: aligned(middle.x, whole.width, size.width / by), y: aligned(middle.y, whole.height, size.height / by) };
    });
  }, [focus, places, size]);

  const { x, y } = view ?? { x: 0, y: 0 };

  /**
   * Zoom and keep a point of the frame where it is.
   * @param {number} factor
   * @param {{ x: number, y: number }} [at]
   */
  const zoom = (factor, at = { x: size.width / 2, y: size.height / 2 }) =>
    setView((old) => {
      const from = old ?? { x, y, scale };
      const to = Math.min(MOST, Math.max(LEAST, from.scale * factor));
      return { scale: to, x: from.x + at.x / from.scale - at.x / to, y: from.y + at.y / from.scale - at.y / to };
    });
  const fitAll = () => setView({ scale: fit, x: aligned(whole.width / 2, whole.width, size.width / fit), y: 0 });

  const latest = useRef({ zoom, fitAll });
  latest.current = { zoom, fitAll };
  useEffect(() => {
    const box = frame.current;
    /** @param {WheelEvent} event */
    const wheel = (event) => {
      event.preventDefault();
      const { left, top } = /** @type {HTMLElement} */ (event.currentTarget).getBoundingClientRect();
      latest.current.zoom(event.deltaY < 0 ? 1.15 : 1 / 1.15, { x: event.clientX - left, y: event.clientY - top });
    };
    /** @param {KeyboardEvent} event */
    const key = (event) => {
      if (event.ctrlKey || event.metaKey || /** @type {HTMLElement} */ (event.target).closest("input, select")) return;
      if (event.key === "+" || event.key === "=") latest.current.zoom(1.25);
      if (event.key === "-") latest.current.zoom(0.8);
      if (event.key === "0") latest.current.fitAll();
    };
    box?.addEventListener("wheel", wheel, { passive: false });
    document.addEventListener("keydown", key);
    return () => {
      box?.removeEventListener("wheel", wheel);
      document.removeEventListener("keydown", key);
    };
  }, []);

  /** @param {PointerEvent} event */
  const down = (event) => void (pan.current = { x: event.clientX, y: event.clientY, from: { x, y, scale } });
  /** @param {PointerEvent} event */
  const move = (event) => {
    const from = pan.current;
    if (!from || !event.buttons) return;
    setView({ scale, x: from.from.x - (event.clientX - from.x) / scale, y: from.from.y - (event.clientY - from.y) / scale });
  };

  return html`
    <div class="tree-frame" style=${{ "--tree": `${Math.round(whole.height * scale)}px` }} ref=${frame} onPointerDown=${down} onPointerMove=${move}>
      <svg class="tree" viewBox=${`${x} ${y} ${size.width / scale} ${size.height / scale}`} aria-hidden="true">
        ${[...places].map(([number, place]) => html`<${Edge} key=${`e${number}`} walk=${walk} number=${number} place=${place} places=${places} step=${step} />`)}
        ${[...places].map(([number, place]) => html`<${Node} key=${number} walk=${walk} number=${number} place=${place} step=${step} open=${open.has(number)} win=${win} choose=${choose} toggle=${toggle} />`)}
      </svg>
      <div class="tree-zoom">
        <button class="button" title="Zoom in (+)" aria-label="Zoom in" onClick=${() => zoom(1.25)}>+</button>
        <button class="button" title="Zoom out (−)" aria-label="Zoom out" onClick=${() => zoom(0.8)}>−</button>
        <button class="button" title="Show the whole tree (0)" onClick=${fitAll}>Fit</button>
      </div>
    </div>
  `;
}

/**
 * The start of a view on one axis.
 * @param {number} middle
 * @param {number} whole
 * @param {number} seen
 */
function aligned(middle, whole, seen) {
  if (whole <= seen) return (whole - seen) / 2;
  return Math.min(Math.max(middle - seen / 2, 0), whole - seen);
}

/** @param {{ x: number, y: number }} place */
const point = ({ x, y }) => ({ x: x * WIDE + MARGIN, y: y * HIGH + MARGIN });

/**
 * @param {{ walk: import("./model.js").Walk, number: number, place: { x: number, y: number }, places: Map<number, { x: number, y: number }>, step: number }} props
 */
function Edge({ walk, number, place, places, step }) {
  const { parent, said, via, reason } = walk.nodes[number];
  if (parent == null) return null;
  const above = places.get(parent);
  if (!above) return null;
  const [from, to] = [point(above), point(place)];
  const best = walk.best.has(number) && walk.best.has(parent) && walk.last[parent] <= step;
  const kind = ["tree-edge", number > step ? "later" : "", best ? "best" : "", ["null-move", "probe", "singular", "verification", "razoring"].includes(reason) ? "special" : ""].join(" ");
  return html`<g class=${kind}>
    <line x1=${from.x} y1=${from.y + 18} x2=${to.x} y2=${to.y - 18} />
    <text class="tree-move" x=${to.x} y=${to.y - 25}>${[...via, said || REASONS[reason] || ""].join(" ")}</text>
  </g>`;
}

/**
 * @param {{ walk: import("./model.js").Walk, number: number, place: { x: number, y: number }, step: number, open: boolean,
 *   win: number, choose: (number: number) => void, toggle: (number: number) => void }} props
 */
function Node({ walk, number, place, step, open, win, choose, toggle }) {
  const node = walk.nodes[number];
  const { x, y } = point(place);
  const done = walk.last[number] <= step;
  const hidden = open ? 0 : walk.last[number] - number;
  const kind = ["tree-node", node.kind, node.event, number > step ? "later" : "", number === step ? "now" : "", done ? "done" : ""].join(" ");
  const bounds = node.alpha == null && node.beta == null ? "" : `${short(node.alpha, win) || "−∞"} … ${short(node.beta, win) || "∞"}`;
  const left = Object.values(node.unsearched).reduce((sum, count) => sum + count, 0);
  return html`<g class=${kind} data-node=${number} transform=${`translate(${x} ${y})`} onClick=${() => choose(number)} onDblClick=${() => toggle(number)}>
    ${shape(node.kind)}
    <text class="tree-value" y="5">${done ? MARKS[node.event] ?? "" : ""}${done ? short(node.value, win) : "…"}</text>
    <text class="tree-bounds" y="32">${bounds}</text>
    ${done && left > 0 && html`<g class="tree-cut"><text x="28" y="-6">${node.cut ? "✂" : "−"}${left}</text></g>`}
    ${hidden > 0 && html`<g class="tree-more" onClick=${(/** @type {Event} */ event) => { event.stopPropagation(); toggle(number); }}><rect x="-18" y="37" width="36" height="18" rx="9" /><text y="50">+${hidden}</text></g>`}
  </g>`;
}

/** @type {Record<string, string>} */
const MARKS = { table: "▤ ", over: "■ ", repetition: "↻ " };

/** @param {string} kind */
function shape(kind) {
  if (kind === "max") return html`<path class="tree-shape" d="M-26 18 L-26 -6 L0 -20 L26 -6 L26 18 Z" />`;
  if (kind === "min") return html`<path class="tree-shape" d="M-26 -18 L-26 8 L0 21 L26 8 L26 -18 Z" />`;
  return html`<ellipse class="tree-shape" rx="27" ry="18" />`;
}
