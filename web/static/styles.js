// SPDX-License-Identifier: GPL-3.0-or-later
// The styles of boards. A page loads the styles of its boards, each a module of the folder styles.

import { SHAPES } from "./shapes.js";
import { withTexts } from "./texts.js";
import { useEffect, useState } from "./view.js";

/** @typedef {import("./squares.js").Area} Area */
/** @typedef {import("./squares.js").Places} Places */
/** @typedef {import("preact").ComponentChildren} Drawn elements of a drawing */

/**
 * The legal moves that squares mean.
 * @typedef {object} Choices
 * @property {(square: number) => Api.LegalMove[]} at those of one square
 * @property {(start: number, end: number) => Api.LegalMove[]} between those from a square to another one
 * @property {(selected: number | null) => Set<number>} targets
 * @property {Set<number>} starts
 * @property {Api.LegalMove[]} others those of no square
 * @property {string[]} [names] what the squares are called
 */

/**
 * How boards of a style are drawn, and what their squares mean. Squares without a property are those of a grid.
 * @typedef {object} Style
 * @property {number} margin the space around the squares, in SVG units
 * @property {boolean} [fixed] the board is never seen from the other side
 * @property {boolean} [falls] pieces fall down from above
 * @property {boolean} [still] moves are not animated
 * @property {boolean} [rings] moves that are not made are rings on their squares, without arrows
 * @property {boolean} [pairs] the squares of a move are steps: from, to, from, to
 * @property {boolean} [closes] hands close up when a card is played: only the last square of a move has its colour
 * @property {boolean} [newest] dots on the pieces mark the last move, instead of coloured squares
 * @property {(board: Api.BoardAnswer, diagram: string) => Area} [area] the drawn part of the board
 * @property {(board: Api.BoardAnswer, flipped: boolean, diagram: string) => Partial<Places>} [places] where squares are
 * @property {(area: Area) => Drawn} [below] what is below the squares
 * @property {(places: Places, square: number, row: number, column: number) => Drawn} [square] a square without its pieces
 * @property {(kind: import("./marks.js").Mark, places: Places, square: number) => Drawn} [mark] a coloured square
 * @property {(about: { board: Api.BoardAnswer, text: string, places: Places, square: number }) => Drawn} [label] the text of a square
 * @property {(board: Api.BoardAnswer, diagram: string, places: Places, bare: boolean) => Drawn} [above] what is over the
 *   squares and below the pieces
 * @property {(piece: Api.PieceAnswer, places: Places, square: number, shape: Drawn) => Drawn} [stack] a piece, if it is a stack; ``shape``: one of them
 * @property {(aside: Api.Aside, board: Api.BoardAnswer, bottom: number, piece: (piece: { shape: string, tone: Api.PieceAnswer["tone"] }) => Drawn) => Drawn} [aside] what
 *   lies beside the squares; ``bottom``: the seat at the bottom of the screen; ``piece`` draws one
 * @property {(board: Api.BoardAnswer, square: number) => string} [name] the name of a square
 * @property {(board: Api.BoardAnswer, diagram: string) => string} [text] a position in words
 * @property {number[]} [bars] by seat, the square that its captured pieces go to
 * @property {(board: Api.BoardAnswer, one: number, other: number) => boolean} [same] whether picking either square means the same
 * @property {(board: Api.BoardAnswer, diagram: string, legal: Api.LegalMove[]) => Choices} [choices] the moves that squares mean
 */

/** @type {Record<Api.BoardAnswer["style"], () => Promise<Record<string, Style>>>} */
const MODULES = {
  cards: () => import("./styles/cards.js"),
  checkered: () => import("./styles/checkered.js"),
  felt: () => import("./styles/felt.js"),
  grid: () => import("./styles/grid.js"),
  heaps: () => import("./styles/heaps.js"),
  holes: () => import("./styles/holes.js"),
  lines: () => import("./styles/lines.js"),
  points: () => import("./styles/points.js"),
  rounds: () => import("./styles/rounds.js"),
  table: () => import("./styles/table.js"),
  seas: () => import("./styles/seas.js"),
};

const playingCards = () => withTexts("playing_cards.js", () => import("./playing_cards.js"));
/** Shapes that few games have, by one or two of each module. */
/** @type {Record<string, () => Promise<Record<string, import("./shapes.js").Shapes>>>} */
const FURTHER_SHAPES = {
  king: () => withTexts("chessmen.js", () => import("./chessmen.js")),
  splash: () => withTexts("ships.js", () => import("./ships.js")),
  spade: playingCards,
  "blank card": playingCards,
};

/** @type {Style} */
const PLAIN = { margin: 0 };
/** @type {Map<string, Style>} */
const loaded = new Map();

/**
 * The style of a board; a plain one until it is loaded.
 * @param {{ style: Api.BoardAnswer["style"] }} board
 */
export const styleOf = ({ style }) => loaded.get(style) ?? PLAIN;

/**
 * Load the styles of boards, and the shapes of their pieces.
 * @param {Api.BoardAnswer[]} boards
 */
export const withStyles = (boards) =>
  Promise.all(boards.map(async ({ style, pieces }) => {
    const module = withTexts(`styles/${style}.js`, MODULES[style]);
    for (const { shape } of Object.values(pieces)) if (!SHAPES[shape]) Object.assign(SHAPES, ...Object.values((await FURTHER_SHAPES[shape]?.()) ?? {}));
    loaded.set(style, (await module)[style]);
  }));

/**
 * The style of a board that is drawn now; the board is drawn again when it is loaded.
 * @param {Api.BoardAnswer} board
 */
export function useStyle(board) {
  const [, setKnown] = useState(loaded.size);
  useEffect(() => {
    if (!loaded.has(board.style)) withStyles([board]).then(() => setKnown(loaded.size));
  }, [board.style]);
  return styleOf(board);
}
