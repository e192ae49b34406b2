// SPDX-License-Identifier: GPL-3.0-or-later
// Board component for all games: frame, coordinates, pieces, last-move highlight and move animation.

import { SHAPES } from "./shapes.js";
import { html, useLayoutEffect, useRef } from "./view.js";

const SIZE = 100;
/** @type {KeyframeAnimationOptions & { duration: number }} */
const SLIDE = { duration: 140, easing: "ease-out" };
const still = matchMedia("(prefers-reduced-motion: reduce)");

/**
 * A piece of a game, in a square of 100 by 100 around the origin: ``{name, shape, seat, tone}``.
 * @param {{ piece: Api.PieceAnswer }} props
 */
export function Shape({ piece }) {
  const elements = SHAPES[piece.shape] ?? SHAPES.token;
  return html`<g class=${`piece tone-${piece.tone}`}>${elements.map(([tag, about]) => html`<${tag} ...${about} />`)}</g>`;
}

/**
 * A small piece of a seat, beside the player's name.
 * @param {{ board: Api.BoardAnswer, seat: number }} props
 */
export function SeatMark({ board, seat }) {
  const piece = Object.values(board.pieces).find((candidate) => candidate.seat === seat);
  if (!piece) return null;
  return html`<svg class="dot" viewBox="-42 -42 84 84" aria-hidden="true"><${Shape} piece=${piece} /></svg>`;
}

/**
 * ``board``: rows, columns, style, pieces and labels from the API; ``diagram``: one letter for each square;
 * ``squares``: squares of the last move; ``flipped``: view from the other side; ``bare``: without coordinates;
 * ``steps``: number of moves made; the board animates only changes by one move.
 * @param {{ board: Api.BoardAnswer, diagram: string, squares?: number[], flipped?: boolean, bare?: boolean, steps?: number, title?: string }} props
 */
export function Board({ board, diagram, squares = [], flipped = false, bare = false, steps = 0, title }) {
  const svg = useRef(/** @type {SVGSVGElement | null} */ (null));
  const before = useRef({ steps, diagram });
  const heaps = board.style === "heaps";
  const { rows, columns } = board;
  /** @param {number} square */
  const place = (square) => {
    const [row, column] = [Math.floor(square / board.columns), square % board.columns];
    return flipped && !heaps
      ? { x: (columns - 1 - column) * SIZE, y: (rows - 1 - row) * SIZE }
      : { x: column * SIZE, y: row * SIZE };
  };

  useLayoutEffect(() => {
    const [from, to] = [squares[0], squares[squares.length - 1]];
    const step = steps - before.current.steps;
    const moved = squares.length > 1 && Math.abs(step) === 1 && before.current.diagram !== diagram;
    before.current = { steps, diagram };
    if (step !== 1 || still.matches || heaps) return;
    const piece = svg.current?.querySelector(`[data-square="${to}"] > .piece`);
    if (!moved) {
      piece?.animate([{ opacity: 0 }, { opacity: 1 }], SLIDE);
      return;
    }
    const path = squares.map((square) => {
      const [here, end] = [place(square), place(to)];
      return { transform: `translate(${here.x - end.x}px, ${here.y - end.y}px)` };
    });
    if (from !== to) piece?.animate(path, { ...SLIDE, duration: SLIDE.duration + 60 * (path.length - 2) });
  }, [diagram, steps]);

  const tinted = new Set(squares);
  const cells = [];
  const pieces = [];
  const font = Math.min(20, 2.5 * columns); // same size on screen for small and large boards
  for (let square = 0; square < diagram.length; square++) {
    const [row, column] = [Math.floor(square / board.columns), square % board.columns];
    const { x, y } = place(square);
    const dark = board.style === "checkered" && (row + column) % 2 === 1;
    if (!heaps) {
      const kind = board.style === "checkered" ? (dark ? "dark" : "light") : "cell";
      cells.push(html`<rect key=${square} class=${kind} x=${x} y=${y} width=${SIZE} height=${SIZE} />`);
    }
    if (tinted.has(square)) {
      cells.push(html`<rect key=${`t${square}`} class="last" x=${x} y=${y} width=${SIZE} height=${SIZE} />`);
    }
    if (board.labels[square] && !bare) {
      const label = board.labels[square];
      cells.push(html`<text key=${`l${square}`} class=${dark ? "label on-dark" : "label"} font-size=${font} x=${x + 5} y=${y + 1 + font}>${label}</text>`);
    }
    const piece = board.pieces[diagram[square]];
    if (piece) {
      const middle = `translate(${x + SIZE / 2} ${y + SIZE / 2})`;
      pieces.push(html`<g key=${square} data-square=${square} transform=${middle}><${Shape} piece=${piece} /></g>`);
    }
  }
  // draw the moving piece last, above the others
  if (squares.length) pieces.sort((a, b) => Number(a.key === squares.at(-1)) - Number(b.key === squares.at(-1)));
  const margin = board.style === "grid" ? 6 : 0;
  const size = `${-margin} ${-margin} ${columns * SIZE + 2 * margin} ${rows * SIZE + 2 * margin}`;
  return html`
    <svg ref=${svg} class=${bare ? "board bare" : "board"} viewBox=${size} role="img" aria-label=${title ?? describe(board, diagram)}>
      ${cells}${board.style === "grid" && rules(rows, columns)}${pieces}
    </svg>
  `;
}

/**
 * @param {number} rows
 * @param {number} columns
 */
function rules(rows, columns) {
  const lines = [];
  for (let column = 0; column <= columns; column++) {
    lines.push(html`<line class="rule" x1=${column * SIZE} y1="0" x2=${column * SIZE} y2=${rows * SIZE} />`);
  }
  for (let row = 0; row <= rows; row++) {
    lines.push(html`<line class="rule" x1="0" y1=${row * SIZE} x2=${columns * SIZE} y2=${row * SIZE} />`);
  }
  return lines;
}

/**
 * The position as text: the number of pieces of each kind.
 * @param {Api.BoardAnswer} board
 * @param {string} diagram
 */
function describe(board, diagram) {
  /** @type {[number, string][]} */
  const counts = Object.entries(board.pieces).map(([letter, piece]) => [diagram.split(letter).length - 1, piece.name]);
  return counts
    .filter(([number]) => number)
    .map(([number, name]) => `${number} × ${name}`)
    .join(", ");
}
