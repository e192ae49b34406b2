// SPDX-License-Identifier: GPL-3.0-or-later
// Board component for all games: frame, coordinates, pieces, last-move highlight and move animation.

import { Arrows, Targets, Tinted } from "./marks.js";
import { SHAPES } from "./shapes.js";
import { areaOf, heapSizes, placesOf, SIZE, squareNames } from "./squares.js";
import { translated, withTexts } from "./texts.js";
import { html, useEffect, useLayoutEffect, useRef, useState } from "./view.js";

/** @type {KeyframeAnimationOptions & { duration: number }} */
const SLIDE = { duration: 140, easing: "ease-out" };
// small boards come in numbers, and each new frame of one costs as much as drawing all that moves
const COARSE = "steps(3)";
/** The least rows and columns of a board of felt with dots. */
const DOTTED = 8;
/** Pieces of small boards do not slide where more of them are in sight: the frames would take a third of the time. */
const MANY = 32;
/** @type {Set<Element>} */
const inSight = new Set();
const looking = new IntersectionObserver((entries) => {
  for (const { target, isIntersecting } of entries) inSight[isIntersecting ? "add" : "delete"](target);
});
const still = matchMedia("(prefers-reduced-motion: reduce)");

/** @type {typeof import("./picking.js").Cells | null} */
let cells = null;

/**
 * The squares that people pick, once they are wanted and their module is loaded.
 * @param {boolean} wanted
 */
function useCells(wanted) {
  const [, setLoaded] = useState(cells != null);
  useEffect(() => {
    if (wanted && !cells) withTexts("picking.js", () => import("./picking.js")).then(({ Cells }) => setLoaded((cells = Cells) != null));
  }, [wanted]);
  return wanted ? cells : null;
}

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
 * @typedef {object} BoardProps
 * @property {Api.BoardAnswer} board rows, columns, style, pieces and labels from the API
 * @property {string} diagram one letter for each square
 * @property {number[]} [squares] squares of the last move
 * @property {boolean} [flipped] view from the other side
 * @property {number} [steps] number of moves made; the board animates only changes by one move
 * @property {boolean} [bare] without coordinates
 * @property {string} [title] label for screen readers; default: the number of pieces of each kind
 * @property {import("./marks.js").Arrow[]} [arrows] moves that are not made yet, or not on this board
 * @property {import("./marks.js").Ghost[]} [ghosts] pieces that are not on the board
 * @property {Set<number> | null} [targets] squares that are legal targets
 * @property {number | null} [selected] the square of a selected piece
 * @property {number[]} [won] squares that won the match
 * @property {number[]} [lost] squares of pieces that are captured or cannot move
 * @property {(square: number) => void} [pick] makes the board a grid of squares that people click or choose by keys
 * @property {(from: number, to: number) => void} [drop] with ``pick``: a piece was dragged
 * @property {string[]} [names] accessible names of the squares; default: coordinates and pieces
 */

/**
 * A board with a position. See ``BoardProps``.
 * @param {BoardProps} props
 */
export function Board({
  board, diagram, squares = [], flipped = false, bare = false, steps = 0, title,
  arrows, ghosts, targets = null, selected = null, won, lost, pick, drop, names,
}) {
  const svg = useRef(/** @type {SVGSVGElement | null} */ (null));
  const before = useRef({ steps, diagram });
  const { rows, columns, style } = board;
  const [heaps, holes] = [style === "heaps", style === "holes"];
  const ruled = style === "grid" || style === "felt";
  const lines = style === "lines";
  const places = placesOf(board, flipped, diagram);
  const Cells = useCells(pick != null);

  useEffect(() => {
    const own = svg.current;
    if (!bare || !own) return undefined;
    looking.observe(own);
    return () => {
      looking.unobserve(own);
      inSight.delete(own);
    };
  }, [bare]);

  useLayoutEffect(() => {
    const [from, to] = [squares[0], squares[squares.length - 1]];
    const step = steps - before.current.steps;
    const moved = squares.length > 1 && Math.abs(step) === 1 && before.current.diagram !== diagram;
    const turned = Array.from(diagram, (_, square) => square).filter((square) => turns(board, before.current.diagram, diagram, square, squares));
    before.current = { steps, diagram };
    if (step !== 1 || still.matches || heaps || (bare && inSight.size > MANY)) return;
    const slide = bare ? { ...SLIDE, easing: COARSE } : SLIDE;
    const piece = svg.current?.querySelector(`[data-square="${to}"] > .piece`);
    for (const square of turned) {
      svg.current?.querySelector(`[data-square="${square}"] > .piece`)?.animate([{ transform: "scaleX(0)" }, { transform: "none" }], slide);
    }
    if (holes && piece) {
      const height = places.corner(to).y + SIZE;
      piece.animate([{ transform: `translate(0, ${-height}px)` }, { transform: "none" }], { ...slide, easing: bare ? COARSE : "ease-in" });
      return;
    }
    if (!moved) {
      piece?.animate([{ opacity: 0 }, { opacity: 1 }], slide);
      return;
    }
    const path = squares.map((square) => {
      const [here, end] = [places.corner(square), places.corner(to)];
      return { transform: `translate(${here.x - end.x}px, ${here.y - end.y}px)` };
    });
    if (from !== to) piece?.animate(path, { ...slide, duration: SLIDE.duration + 60 * (path.length - 2) });
  }, [diagram, steps]);

  /**
   * A square or a hole in the colour of its kind.
   * @param {string} kind
   * @param {number} square
   */
  const tint = (kind, square) => html`<${Tinted} key=${`${kind} ${square}`} kind=${kind} places=${places} square=${square} />`;
  const tinted = new Set(squares);
  const cells = [];
  const pieces = [];
  const font = Math.min(18, 2.5 * columns); // same size on screen for small and large boards
  for (let square = 0; square < diagram.length; square++) {
    const [row, column] = [Math.floor(square / columns), square % columns];
    const { x, y } = places.corner(square);
    const dark = style === "checkered" && (row + column) % 2 === 1;
    if (holes) cells.push(tint("hole", square));
    else if (!heaps && !lines) {
      const kind = style === "checkered" ? (dark ? "dark" : "light") : style === "felt" ? "felt" : "cell";
      cells.push(html`<rect key=${square} class=${kind} x=${x} y=${y} width=${SIZE} height=${SIZE} />`);
    }
    if (tinted.has(square) && !lines) cells.push(tint("last", square));
    if (lines && board.labels[square] && !bare) cells.push(...beside(board, board.labels[square], places, square));
    else if (board.labels[square] && !bare) {
      // a letter and a number in opposite corners, where no piece covers them; in the frame below a hole
      for (const part of board.labels[square].match(/\d+|\D+/g) ?? []) {
        const high = y + 3 + 0.75 * font;
        // letters are at the nearer edge of the board
        const place = holes ? { x: x + SIZE / 2, y: y + SIZE + 13, "text-anchor": "middle" } : part < ":" ? { x: x + 4, y: high } : { x: x + 96, y: y ? y + 95 : high, "text-anchor": "end" };
        cells.push(html`<text key=${`l${square}${part}`} class=${dark ? "label on-dark" : "label"} font-size=${font} ...${place}>${part}</text>`);
      }
    }
    const piece = board.pieces[diagram[square]];
    if (piece) pieces.push(html`<g key=${square} data-square=${square} transform=${toMiddle(places, square)}><${Shape} piece=${piece} /></g>`);
  }
  if (heaps && !bare) {
    for (const [row, size] of heapSizes(board, diagram).entries()) {
      const { x, y } = places.corner(row * columns);
      if (size) cells.push(html`<text key=${`s${row}`} class="label count" font-size="48" text-anchor="end" x=${x - 12} y=${y + 67}>${size}</text>`);
    }
  }
  // draw the moving piece last, above the others
  if (squares.length) pieces.sort((a, b) => Number(a.key === squares.at(-1)) - Number(b.key === squares.at(-1)));
  const area = areaOf(board, diagram);
  const label = title ?? describe(board, diagram);
  const drawn = html`
    ${heaps && ground("tray", area, 24, 4)}${holes && ground("plate", area, 28)}${lines && ground("wood", area)}${cells}
    ${(ruled || lines) && rules(rows, columns, lines ? SIZE / 2 : 0)}${style === "felt" && dots(rows, columns)}
    ${board.dots.map((square) => dot("dots", places, square, 9))}
    ${won?.map((square) => tint("won", square))}
    ${lost?.map((square) => tint("lost", square))}
    ${selected != null && tint("selected", selected)}
    ${pieces}
    ${lines && squares.map((square) => dot("newest", places, square, 15))}
    ${ghosts?.map(({ square, letter }) => board.pieces[letter] && html`<g key=${`ghost ${square}`} class="ghost" transform=${toMiddle(places, square)}><${Shape} piece=${board.pieces[letter]} /></g>`)}
    ${targets && html`<${Targets} places=${places} targets=${targets} taken=${(/** @type {number} */ square) => Boolean(board.pieces[diagram[square]])} />`}
    ${arrows && html`<${Arrows} heaps=${heaps} places=${places} arrows=${arrows} />`}
  `;
  const kind = bare ? "board bare" : "board";
  if (!pick || !Cells) return html`<svg ref=${svg} class=${kind} viewBox=${`${area.x} ${area.y} ${area.width} ${area.height}`} role="img" aria-label=${label}>${drawn}</svg>`;
  return html`
    <svg ref=${svg} class=${`${kind} picking`} viewBox=${`${area.x} ${area.y} ${area.width} ${area.height}`} role="grid" aria-label=${label}>
      <g aria-hidden="true">${drawn}</g>
      <${Cells} board=${board} flipped=${flipped} places=${places} names=${names ?? squareNames(board, diagram)} first=${squares.at(-1) ?? 0}
        selected=${selected} targets=${targets} pick=${pick} drop=${drop} />
    </svg>
  `;
}

/**
 * Whether a piece that the move does not touch has another owner after it, such as a disc that is turned over.
 * @param {Api.BoardAnswer} board
 * @param {string} before
 * @param {string} after
 * @param {number} square
 * @param {number[]} squares those that the move touches
 */
function turns({ pieces }, before, after, square, squares) {
  const [old, now] = [pieces[before[square]], pieces[after[square]]];
  return old != null && now != null && old.seat !== now.seat && !squares.includes(square);
}

/**
 * The transformation that moves a piece from the origin to its square.
 * @param {import("./squares.js").Places} places
 * @param {number} square
 */
function toMiddle(places, square) {
  const { x, y } = places.middle(square);
  return `translate(${x} ${y})`;
}

/**
 * What is below the squares: the frame of heaps, the frame of holes, or the wood of points.
 * @param {"tray" | "plate" | "wood"} kind
 * @param {import("./squares.js").Area} area
 * @param {number} [round] the radius of the corners
 * @param {number} [inset]
 */
const ground = (kind, { x, y, width, height }, round, inset = 0) =>
  html`<rect class=${kind} x=${x + inset} y=${y + inset} width=${width - 2 * inset} height=${height - 2 * inset} rx=${round} />`;

/**
 * Lines between the squares, or through their middle.
 * @param {number} rows
 * @param {number} columns
 * @param {number} first the place of the first line
 */
function rules(rows, columns, first) {
  const [right, low] = [columns * SIZE - first, rows * SIZE - first];
  const lines = [];
  for (let x = first; x <= right; x += SIZE) lines.push(html`<line class="rule" x1=${x} y1=${first} x2=${x} y2=${low} />`);
  for (let y = first; y <= low; y += SIZE) lines.push(html`<line class="rule" x1=${first} y1=${y} x2=${right} y2=${y} />`);
  return lines;
}

/**
 * A dot in the middle of a square.
 * @param {"dots" | "newest"} kind
 * @param {import("./squares.js").Places} places
 * @param {number} square
 * @param {number} radius
 */
function dot(kind, places, square, radius) {
  const { x, y } = places.middle(square);
  return html`<circle key=${`${kind} ${square}`} class=${kind} cx=${x} cy=${y} r=${radius} />`;
}

/**
 * The coordinates of a point, outside of the board: numbers at the left, letters below.
 * @param {Api.BoardAnswer} board
 * @param {string} label
 * @param {import("./squares.js").Places} places
 * @param {number} square
 */
function beside({ rows, columns }, label, places, square) {
  const font = Math.min(44, 3 * columns); // same size on screen for small and large boards
  const middle = places.middle(square);
  return (label.match(/\d+|\D+/g) ?? []).map((part) => {
    const { x, y } = part < ":" ? { x: -24, y: middle.y } : { x: middle.x, y: rows * SIZE + 24 };
    return html`<text key=${`l${square}${part}`} class="label" font-size=${font} text-anchor="middle" x=${x} y=${y + 0.36 * font}>${part}</text>`;
  });
}

/**
 * The four dots of a large board of felt, two squares from the edges.
 * @param {number} rows
 * @param {number} columns
 */
function dots(rows, columns) {
  if (Math.min(rows, columns) < DOTTED) return null;
  return [2, rows - 2].flatMap((row) => [2, columns - 2].map((column) => html`<circle class="dots" cx=${column * SIZE} cy=${row * SIZE} r="8" />`));
}

/**
 * The position as text: the number of pieces of each kind.
 * @param {Api.BoardAnswer} board
 * @param {string} diagram
 */
function describe(board, diagram) {
  /** @type {[number, string][]} */
  const counts = Object.entries(board.pieces).map(([letter, piece]) => [diagram.split(letter).length - 1, translated(piece.name)]);
  return counts
    .filter(([number]) => number)
    .map(([number, name]) => `${number} × ${name}`)
    .join(", ");
}
