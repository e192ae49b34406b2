// SPDX-License-Identifier: GPL-3.0-or-later
// uPlot plots in the colours of the page.

import { locale } from "./texts.js";
import uPlot from "./vendor/uplot.js";
import { html, useEffect, useRef } from "./view.js";

/** @typedef {[number[], ...(number | null)[][]]} Columns */
/** @typedef {{ label: string, token: string, steps?: boolean }} Series */

/** Half the width, in seconds, of the time axis around a single point; and half the height around a single rating. */
const [HOUR, RATING_STEP] = [3600, 50];

/**
 * The range of an axis: its values with a margin, or a narrow range around a single value, which uPlot would draw on an
 * axis of years or of thousands of points.
 * @param {number} half
 * @param {number} margin share of the range
 * @returns {(plot: uPlot, least: number, most: number) => [number, number]}
 */
function alone(half, margin) {
  return ({ data }, least, most) =>
    data[0].length < 2 || least === most
      ? [least - half, least + half]
      : [least - margin * (most - least), most + margin * (most - least)];
}

/**
 * The range of scores: at least one pawn unit to both sides.
 * @type {(plot: uPlot, least: number, most: number) => [number, number]}
 */
const quiet = (_, least, most) => [Math.min(least, -1), Math.max(most, 1)];
const SCORES = [-20, -10, -3, -1, 0, 1, 3, 10, 20]; // with a line each
/** @type {(plot: uPlot, axis: number, least: number, most: number) => number[]} */
const lines = (_, axis, least, most) => SCORES.filter((score) => score >= least && score <= most);
const NEAR = 12; // pixels: labels of scores do not touch

/**
 * Leave out the labels of an axis that stand close to one nearer to 0.
 * @param {uPlot} plot
 * @param {number[]} splits
 */
function apart(plot, splits) {
  /** @type {number[]} */
  const kept = [];
  for (const split of splits.toSorted((one, other) => Math.abs(one) - Math.abs(other))) {
    const y = plot.valToPos(split, "y");
    if (kept.every((other) => Math.abs(plot.valToPos(other, "y") - y) >= NEAR)) kept.push(split);
  }
  return splits.map((split) => (kept.includes(split) ? split : null));
}

/** @type {(plot: uPlot, splits: (number | null)[]) => (string | null)[]} */
const minus = (_, splits) => splits.map((split) => split == null ? null : `${split}`.replace("-", "\u2212"));

/** @param {string} name */
const token = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

const [DAY, MINUTE] = [86_400, 60]; // seconds
const day = new Intl.DateTimeFormat(locale, { dateStyle: "short" });
const minute = new Intl.DateTimeFormat(locale, { timeStyle: "short" });
const second = new Intl.DateTimeFormat(locale, { timeStyle: "medium" });

/**
 * The labels of a time axis: times where it is short, with the date below the first time of a day; else dates.
 * @param {uPlot} plot
 * @param {number[]} times
 * @param {number} axis
 * @param {number} space
 * @param {number} step
 */
function dated(plot, times, axis, space, step) {
  const dates = times.map((time) => day.format(1000 * time));
  if (step >= DAY) return dates;
  return times.map((time, index) => {
    const text = (step < MINUTE ? second : minute).format(1000 * time);
    return dates[index] === dates[index - 1] ? text : `${text}\n${dates[index]}`;
  });
}

const WHOLE = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000];

/**
 * A colour token of the style sheet as an rgb value for a canvas.
 * @param {string} name
 */
function colour(name) {
  const probe = document.createElement("span");
  probe.style.color = `var(${name})`;
  document.body.append(probe);
  const resolved = getComputedStyle(probe).color;
  probe.remove();
  return resolved || token(name);
}

/**
 * ``data``: columns, x first; ``series``: [{label, token, steps, value}] for the others; ``time``: whether x is Unix time;
 * ``mark``: an x with a vertical line; ``pick(x)``: called with the x of a click; ``point(x)``: called with the x under the
 * pointer, and with null when it has left; ``sync``: plots of the same name share their cursor; ``scores``: the values are
 * scores, on an arcsinh scale: differences near 0 count most, and quiet games have a quiet graph.
 * @param {{ data: Columns, series: Series[], height?: number, time?: boolean, mark?: number | null, pick?: (x: number) => void,
 *   point?: (x: number | null) => void, sync?: string, scores?: boolean, label: string }} props
 */
export function Plot({ data, series, height = 144, time = false, mark = null, pick, point, sync, scores = false, label }) {
  const holder = useRef(/** @type {HTMLDivElement | null} */ (null));
  const plot = useRef(/** @type {uPlot | null} */ (null));
  const marked = useRef(mark);
  marked.current = mark;
  const called = useRef({ pick, point });
  called.current = { pick, point };

  useEffect(() => {
    const box = holder.current;
    if (!box) return undefined;
    const make = () => {
      plot.current?.destroy();
      const [ink, line] = [colour("--muted"), colour("--line")];
      const axis = { stroke: ink, grid: { stroke: line, width: 1 }, ticks: { show: false }, font: `12px ${getComputedStyle(document.body).fontFamily}` };
      /** @type {uPlot.Scales} */
      const ranges = time
        ? { x: { time, range: alone(HOUR, 0) }, y: { range: alone(RATING_STEP, 0.1) } }
        : { x: { time }, ...(scores && { y: { distr: 4, range: quiet } }) };
      const options = {
        width: box.clientWidth,
        height,
        cursor: { y: false, points: { size: 6 }, ...(sync && { sync: { key: sync } }) },
        legend: { show: false },
        scales: ranges,
        axes: [{ ...axis, grid: { show: false }, ...(time ? { values: dated, space: 88 } : { size: 28, incrs: WHOLE }) }, { ...axis, size: 48, ...(scores && { splits: lines, filter: apart, values: minus }) }],
        series: [
          {},
          ...series.map(({ label, token, steps }) => ({
            label,
            stroke: colour(token),
            width: 1.5,
            points: { show: data[0].length < 2 },
            spanGaps: true,
            ...(steps && { paths: uPlot.paths.stepped?.({ align: 1 }) }),
          })),
        ],
        hooks: {
          draw: [
            /** @param {uPlot} drawn */
            (drawn) => {
              if (marked.current == null) return;
              const x = Math.round(drawn.valToPos(marked.current, "x", true));
              const { ctx, bbox } = drawn;
              ctx.save();
              ctx.strokeStyle = ink;
              ctx.beginPath();
              ctx.moveTo(x, bbox.top);
              ctx.lineTo(x, bbox.top + bbox.height);
              ctx.stroke();
              ctx.restore();
            },
          ],
        },
      };
      const made = new uPlot(options, data, box);
      const under = () => (made.cursor.idx == null ? null : made.data[0][made.cursor.idx]);
      made.over.addEventListener("click", () => {
        const x = under();
        if (x != null) called.current.pick?.(x);
      });
      // the plot has moved its cursor before, as its own listener comes first
      made.over.addEventListener("mousemove", () => called.current.point?.(under()));
      made.over.addEventListener("mouseleave", () => called.current.point?.(null));
      plot.current = made;
    };
    make();
    const watcher = new ResizeObserver(([entry]) => plot.current?.setSize({ width: entry.contentRect.width, height }));
    watcher.observe(box);
    addEventListener("themechange", make);
    return () => {
      watcher.disconnect();
      removeEventListener("themechange", make);
      plot.current?.destroy();
      plot.current = null;
    };
  }, [series.length, height, time]);

  useEffect(() => {
    plot.current?.setData(data);
  }, [data, mark]);

  return html`<div ref=${holder} role="img" aria-label=${label}></div>`;
}
