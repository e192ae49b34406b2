// SPDX-License-Identifier: GPL-3.0-or-later
// Squares that people pick: a grid of named squares with one tab stop, arrow keys, and dragging by mouse or finger.

import { targetOf } from "./drawing.js";
import { squareNames } from "./square_names.js";
import { SIZE } from "./squares.js";
import { t } from "./texts.js";
import { html, useEffect, useRef, useState } from "./view.js";

const FAR = 6; // pixels from which a press becomes a drag

/**
 * The square under a point of the screen, of the board that contains ``svg``.
 * @param {SVGElement} svg
 * @param {{ clientX: number, clientY: number }} point
 */
function squareAt(svg, { clientX, clientY }) {
  const cell = document.elementsFromPoint(clientX, clientY).find((each) => svg.contains(each) && each.closest("[data-cell]"));
  const name = cell?.closest("[data-cell]")?.getAttribute("data-cell");
  return name == null ? null : Number(name);
}

/**
 * Let the piece of a square follow the pointer; returns a function that puts it back.
 * @param {SVGSVGElement} svg
 * @param {number} square
 * @param {PointerEvent} start
 */
function carried(svg, square, start) {
  const piece = /** @type {SVGGElement | null} */ (svg.querySelector(`[data-square="${square}"] > .piece`));
  const scale = (svg.viewBox.baseVal.width || 1) / (svg.clientWidth || 1);
  return {
    /** @param {PointerEvent} event */
    move(event) {
      const [x, y] = [scale * (event.clientX - start.clientX), scale * (event.clientY - start.clientY)];
      piece?.setAttribute("transform", `translate(${x} ${y})`);
    },
    back: () => piece?.removeAttribute("transform"),
  };
}

/**
 * The squares of a board as a grid over its drawing. ``places``: where they are; ``names``: accessible ones;
 * ``pick(square)``: a click, Enter or Space; ``drop(from, to)``: a drag from one square to another.
 * @param {{ board: Api.BoardAnswer, places: import("./squares.js").Places, diagram: string, names?: string[], first: number, selected: number | null,
 *   targets: Set<number> | null, pick: (square: number) => void, drop?: (from: number, to: number) => void }} props
 */
export function Cells({ board, places, diagram, names = squareNames(board, diagram), first, selected, targets, pick, drop }) {
  const [chosen, setStop] = useState(first);
  const stop = places.drawn(chosen) ? chosen : 0; // the first heap always has a token
  const group = useRef(/** @type {SVGGElement | null} */ (null));
  const dragged = useRef(false); // whether the press that ends now was a drag, which is no click
  const release = useRef(() => {});
  const { rows, columns } = board;
  useEffect(() => () => release.current(), []);

  /** @param {number} square */
  const focus = (square) => {
    setStop(square);
    /** @type {SVGGElement | null} */ (group.current?.querySelector(`[data-cell="${square}"]`))?.focus();
  };
  /** @param {KeyboardEvent} event */
  const press = (event) => {
    const [row, column] = places.seen(Math.floor(stop / columns), stop % columns);
    /**
     * The square at a row and a column of the screen, or the last one drawn before it in its row.
     * @param {number} to @param {number} over
     */
    const at = (to, over) => {
      for (let left = over; left >= 0; left--) {
        const [line, place] = places.under(to, left);
        if (places.drawn(line * columns + place)) return line * columns + place;
      }
      return stop;
    };
    /** @param {number} down @param {number} right */
    const by = (down, right) => {
      const [to, over] = [row + down, column + right];
      return to >= 0 && to < rows && over >= 0 && over < columns ? at(to, over) : stop;
    };
    const square = targetOf(event, {
      ArrowUp: by(-1, 0), ArrowDown: by(1, 0), ArrowLeft: by(0, -1), ArrowRight: by(0, 1),
      Home: at(row, 0), End: at(row, columns - 1), Enter: -1, " ": -1,
    });
    if (square === -1) pick(stop);
    else if (square !== undefined) focus(square);
  };

  /** @param {PointerEvent} event */
  const grab = (event) => {
    const svg = group.current?.ownerSVGElement;
    if (!drop || !svg || event.button !== 0) return;
    const from = squareAt(svg, event);
    if (from == null || !names[from]) return;
    dragged.current = false;
    const piece = carried(svg, from, event);
    /** @param {PointerEvent} moved */
    const move = (moved) => {
      if (Math.hypot(moved.clientX - event.clientX, moved.clientY - event.clientY) >= FAR) dragged.current = true;
      if (dragged.current) piece.move(moved);
    };
    /** @param {PointerEvent} last */
    const end = (last) => {
      release.current();
      const to = last.type === "pointerup" && dragged.current ? squareAt(svg, last) : null;
      if (to != null && to !== from) drop(from, to);
    };
    release.current = () => {
      removeEventListener("pointermove", move);
      removeEventListener("pointerup", end);
      removeEventListener("pointercancel", end);
      piece.back();
      release.current = () => {};
    };
    addEventListener("pointermove", move);
    addEventListener("pointerup", end);
    addEventListener("pointercancel", end);
  };

  /** @param {number} square */
  const click = (square) => {
    if (dragged.current) {
      dragged.current = false;
      return;
    }
    setStop(square);
    pick(square);
  };
  const order = Array.from({ length: rows }, (_, row) => Array.from({ length: columns }, (_, column) => {
    const [line, place] = places.under(row, column);
    return line * columns + place;
  }));
  const shown = order.map((row) => row.filter(places.drawn)).filter((row) => row.length > 0);
  return html`<g ref=${group} class=${drop ? "cells draggable" : "cells"} onKeyDown=${press} onPointerDown=${grab} role="presentation">
    ${shown.map((row, index) => html`<g key=${index} role="row">${row.map((square) => {
      const { x, y } = places.corner(square);
      const name = `${names[square]}${targets?.has(square) ? t`, legal target` : ""}`;
      return html`<g key=${square} role="gridcell" data-cell=${square} aria-label=${name} aria-selected=${square === selected}
        tabindex=${square === stop ? 0 : -1} onClick=${() => click(square)} onFocus=${() => setStop(square)}>
        <rect x=${x} y=${y} width=${SIZE} height=${places.height} />
      </g>`;
    })}</g>`)}
  </g>`;
}
