// SPDX-License-Identifier: GPL-3.0-or-later
// The games of a pairing as small links, and the list of many of them in a dialog.

import { half, payoff } from "../format.js";
import { plural, t } from "../texts.js";
import { html, useEffect, useRef } from "../view.js";

/** @type {Record<string, string>} */
const words = { live: t`live`, due: t`not started`, unplayed: t`not played` };

/** @typedef {{ one: number, other: number, games: Api.GameView[], side: 0 | 1 }} Pairing ``one``, ``other``: entries; ``side``: that of ``one`` in the scores */

/**
 * The score of a side of the pairing in a game; null without a result.
 * @param {Api.GameView} game
 * @param {0 | 1} side
 */
export const scored = (game, side) => (side ? game.score_second : game.score);

/**
 * A game as a small link: the score of a side of the pairing, or the status.
 * @param {{ game: Api.GameView, side?: 0 | 1 }} props
 */
export function Game({ game, side = 0 }) {
  const points = scored(game, side);
  const text = game.status === "live" ? "●" : points == null ? "·" : html`<span class="spoiler">${half(points)}</span>`;
  const won = worth(game, side);
  const title = [t`Match ${game.slot}`, words[game.status], won == null ? "" : t`${payoff(won)} in points`].filter(Boolean).join(": ");
  const tone = game.status === "live" ? "live" : points === 1 ? "outcome win" : points === 0 ? "outcome loss" : "muted";
  return game.match ? html`<a class=${`game ${tone}`} href=${`/matches/${game.match}`} title=${title}>${text}</a>` : html`<span class="game muted" title=${title}>${text}</span>`;
}

/**
 * The payoff of a side of the pairing in a game; null in games in which each win counts one point.
 * @param {Api.GameView} game
 * @param {0 | 1} side
 */
const worth = (game, side) => (side ? game.payoff_second : game.payoff);

/**
 * The points of ``one`` in all games of pairings, with the number of those games that have a result; ``won``: the sum of
 * the payoffs, null in games in which each win counts one point.
 * @param {Pairing[]} pairings
 */
export function total(pairings) {
  const scores = pairings.flatMap(({ games, side }) => games.map((game) => scored(game, side))).filter((score) => score != null);
  const payoffs = pairings.flatMap(({ games, side }) => games.map((game) => worth(game, side))).filter((won) => won != null);
  const won = payoffs.length ? payoffs.reduce((sum, each) => sum + each, 0) : null;
  return { points: scores.reduce((sum, score) => sum + score, 0), games: scores.length, won };
}

/**
 * A button that opens the list of the games of pairings.
 * @param {{ pairings: Pairing[], text: string, label: string, open: (pairings: Pairing[]) => void }} props
 */
export const GamesButton = ({ pairings, text, label, open }) =>
  html`<button type="button" class="game sum" aria-haspopup="dialog" aria-label=${t`${label}; list the matches`} onClick=${() => open(pairings)}>${text}</button>`;

/**
 * All games of pairings of the same two players, in a dialog.
 * @param {{ pairings: Pairing[], entries: string[], close: () => void }} props
 */
export function PairingDialog({ pairings, entries, close }) {
  const dialog = useRef(/** @type {HTMLDialogElement | null} */ (null));
  useEffect(() => dialog.current?.showModal(), []);
  const [one, other] = [pairings[0].one, pairings[0].other].map((entry) => html`<bdi>${entries[entry]}</bdi>`);
  const { points, games } = total(pairings);
  return html`
    <dialog ref=${dialog} class="pairing" aria-label="Matches of a pairing" onClose=${close} onClick=${(/** @type {MouseEvent} */ { target }) => target === dialog.current && dialog.current?.close()}>
      <h2 class="foreign">${one} – ${other}</h2>
      <p class="muted small">${one}: ${plural(games, "{1} of {0} point. Each number is a match:", "{1} of {0} points. Each number is a match:", half(points))}</p>
      <p class="games">${pairings.map(({ games, side }) => games.map((game) => html`<${Game} key=${game.slot} game=${game} side=${side} />`))}</p>
      <button type="button" onClick=${() => dialog.current?.close()}>Close</button>
    </dialog>
  `;
}
