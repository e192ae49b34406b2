// SPDX-License-Identifier: GPL-3.0-or-later
// Board component for all games: frame, coordinates, pieces, last-move highlight and move animation.

import { dieOf } from "./dice.js";
import { Arrows, markOf, stepsOf, Targets } from "./marks.js";
import { SHAPES } from "./shapes.js";
import { areaOf, placesOf, SIZE } from "./squares.js";
import { styleOf, useStyle } from "./styles.js";
import { translated, withTexts } from "./texts.js";
import { html, useEffect, useLayoutEffect, useRef, useState } from "./view.js";

/** @type {KeyframeAnimationOptions & { duration: number }} */
const SLIDE = { duration: 140, easing: "ease-out" };
// small boards come in numbers, and each new frame of one costs as much as drawing all that moves
const COARSE = "steps(3)";
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
 * A piece of a game, in a square of 100 by 100 around the origin.
 * @param {{ piece: { shape: string, tone: string, mark?: string } }} props
 */
export function Shape({ piece }) {
  const elements = SHAPES[piece.shape] ?? SHAPES.token;
  return html`<g class=${`piece tone-${piece.tone}`}>${elements.map(([tag, about]) => html`<${tag} ...${about} />`)}${piece.mark && html`<text class="rank" font-size="46" text-anchor="middle" y=${piece.shape === "blank card" ? 16 : -10}>${piece.mark}</text>`}</g>`;
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
 * The dice of the roll that a seat plays, beside the player's name, if the board does not show them.
 * @param {{ board: Api.BoardAnswer, seat: number, aside: Api.Aside | null | undefined }} props
 */
export function Dice({ board, seat, aside }) {
  const { dice = [], roller = 0 } = aside ?? {};
  if (roller !== seat || styleOf(board).aside) return null;
  return dice.map((face) => html`<svg class="dot rolled" viewBox="-42 -42 84 84" role="img" aria-label=${face}><${Shape} piece=${dieOf(face, seat)} /></svg>`);
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
 * @property {Api.Aside | null} [aside] what lies beside the squares, such as dice
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
  arrows, ghosts, aside, targets = null, selected = null, won, lost, pick, drop, names,
}) {
  const svg = useRef(/** @type {SVGSVGElement | null} */ (null));
  const before = useRef({ steps, diagram });
  const { columns } = board;
  const style = useStyle(board);
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
    const to = squares[squares.length - 1];
    const step = steps - before.current.steps;
    const moved = squares.length > 1 && Math.abs(step) === 1 && before.current.diagram !== diagram;
    const turned = Array.from(diagram, (_, square) => square).filter((square) => turns(board, before.current.diagram, diagram, square, squares));
    before.current = { steps, diagram };
    if (step !== 1 || still.matches || style.still || (bare && inSight.size > MANY)) return;
    const slide = bare ? { ...SLIDE, easing: COARSE } : SLIDE;
    const piece = svg.current?.querySelector(`[data-square="${to}"] > .piece`);
    for (const square of turned) {
      svg.current?.querySelector(`[data-square="${square}"] > .piece`)?.animate([{ transform: "scaleX(0)" }, { transform: "none" }], slide);
    }
    if (style.falls && piece) {
      const height = places.corner(to).y + SIZE;
      piece.animate([{ transform: `translate(0, ${-height}px)` }, { transform: "none" }], { ...slide, easing: bare ? COARSE : "ease-in" });
      return;
    }
    if (!moved) {
      piece?.animate([{ opacity: 0 }, { opacity: 1 }], slide);
      return;
    }
    for (const way of style.pairs ? stepsOf(squares) : [squares]) {
      const end = way[way.length - 1];
      const path = way.map((square) => {
        const [here, last] = [places.middle(square), places.middle(end)];
        return { transform: `translate(${here.x - last.x}px, ${here.y - last.y}px)` };
      });
      if (way[0] !== end) svg.current?.querySelector(`[data-square="${end}"] > .piece`)?.animate(path, { ...slide, duration: SLIDE.duration + 60 * (path.length - 2) });
    }
  }, [diagram, steps]);

  /** @param {import("./marks.js").Mark} kind @param {number} square */
  const mark = (kind, square) => (style.mark ?? markOf)(kind, places, square);
  const tinted = new Set(style.newest ? [] : style.closes ? squares.slice(-1) : squares);
  const cells = [];
  const pieces = [];
  for (let square = 0; square < diagram.length; square++) {
    cells.push(style.square?.(places, square, Math.floor(square / columns), square % columns));
    if (tinted.has(square)) cells.push(mark("last", square));
    if (board.labels[square] && !bare) cells.push(style.label?.({ board, text: board.labels[square], places, square }));
    const piece = board.pieces[diagram[square]];
    if (piece) {
      const shape = html`<${Shape} piece=${piece} />`;
      pieces.push(html`<g key=${square} data-square=${square} transform=${toMiddle(places, square)}>${style.stack?.(piece, places, square, shape) ?? shape}</g>`);
    }
  }
  // draw the moving piece last, above the others
  if (squares.length) pieces.sort((a, b) => Number(a.key === squares.at(-1)) - Number(b.key === squares.at(-1)));
  const area = areaOf(board, diagram);
  const label = title ?? describe(board, diagram);
  const drawn = html`
    ${style.below?.(area)}${cells}${style.above?.(board, diagram, places, bare)}
    ${board.dots.map((square) => dot("dots", places, square, 9))}
    ${won?.map((square) => mark("won", square))}
    ${lost?.map((square) => mark("lost", square))}
    ${selected != null && mark("selected", selected)}
    ${pieces}
    ${aside && style.aside?.(aside, board, flipped ? 1 - board.bottom : board.bottom, (piece) => html`<${Shape} piece=${piece} />`)}
    ${style.newest && squares.map((square) => dot("newest", places, square, 15))}
    ${ghosts?.map(({ square, letter }) => board.pieces[letter] && html`<g key=${`ghost ${square}`} class="ghost" transform=${toMiddle(places, square)}><${Shape} piece=${board.pieces[letter]} /></g>`)}
    ${targets && html`<${Targets} places=${places} targets=${targets} taken=${(/** @type {number} */ square) => Boolean(board.pieces[diagram[square]])} />`}
    ${arrows && html`<${Arrows} style=${style} places=${places} arrows=${arrows} />`}
  `;
  const kind = bare ? "board bare" : "board";
  if (!pick || !Cells) return html`<svg ref=${svg} class=${kind} viewBox=${`${area.x} ${area.y} ${area.width} ${area.height}`} role="img" aria-label=${label}>${drawn}</svg>`;
  return html`
    <svg ref=${svg} class=${`${kind} picking`} viewBox=${`${area.x} ${area.y} ${area.width} ${area.height}`} role="grid" aria-label=${label}>
      <g aria-hidden="true">${drawn}</g>
      <${Cells} board=${board} places=${places} diagram=${diagram} names=${names} first=${squares.at(-1) ?? 0}
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
 * The position as text: the number of pieces of each kind.
 * @param {Api.BoardAnswer} board
 * @param {string} diagram
 */
function describe(board, diagram) {
  /** @type {Map<string, number>} */
  const counts = new Map(Object.values(board.pieces).map(({ name }) => [name, 0]));
  for (const { name, count } of Array.from(diagram).flatMap((letter) => board.pieces[letter] ?? [])) counts.set(name, count + (counts.get(name) ?? 0));
  return Array.from(counts)
    .filter(([, number]) => number)
    .map(([name, number]) => `${number} × ${translated(name)}`)
    .join(", ");
}
