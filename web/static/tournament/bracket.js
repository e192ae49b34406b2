// SPDX-License-Identifier: GPL-3.0-or-later
// The bracket of a knockout: boxes of pairings with their games, and lines from each pairing to the next.

import { half } from "../format.js";
import { plural, t } from "../texts.js";
import { html, useState } from "../view.js";
import { Game, GamesButton } from "./games.js";

const [PITCH, BOX, GAP] = [108, 92, 24]; // pixels: from one box of the first round to the next; a box; between two rounds
const LINKS = 5; // games that a box lists
const NAMES = [t`Final`, t`Semifinals`, t`Quarterfinals`];

/** @type {[0, 1]} */
const SIDES = [0, 1];

/**
 * The middle of a box in pixels from the top; ``round`` and ``board`` from 0.
 * @param {number} round
 * @param {number} board
 */
const middle = (round, board) => PITCH * 2 ** round * (board + 0.5);

/**
 * The players of a pairing.
 * @param {Api.BoutView | undefined} bout
 */
const players = (bout) => (bout ? [bout.first, bout.second].filter((player) => player != null) : []);

/**
 * A player of a pairing; highlights the winner, or the leader while the pairing is undecided.
 * @param {{ bout: Api.BoutView, place: 0 | 1, entries: string[], bots: (number | null)[], traced: boolean }} props
 */
function Side({ bout, place, entries, bots, traced }) {
  const player = place ? bout.second : bout.first;
  if (player == null) return html`<div class="side muted"><span>bye</span></div>`;
  const [own, other] = place ? [bout.points[1], bout.points[0]] : bout.points;
  const decided = bout.winner != null;
  const ahead = decided ? bout.winner === player : own > other;
  const address = bots[player];
  return html`
    <div class=${`side${ahead ? " ahead" : decided ? " muted" : ""}${traced ? " traced" : ""}`} data-entry=${player}>
      ${address ? html`<a class="ellipsis" href=${`/bots/${address}`} title=${entries[player]}><bdi>${entries[player]}</bdi></a>` : html`<span class="ellipsis" title=${entries[player]}><bdi>${entries[player]}</bdi></span>`}
      <span>${bout.second == null ? "" : half(bout.points[place])}</span>
    </div>
  `;
}

/**
 * A pairing at its place; an empty box for one that is not paired yet.
 * @param {{ bout?: Api.BoutView, top: number, entries: string[], bots: (number | null)[], traced: number | null, title?: string, open: (pairings: import("./games.js").Pairing[]) => void }} props
 */
function Box({ bout, top, entries, bots, traced, title, open }) {
  const style = { top: `${top - BOX / 2}px`, height: `${BOX}px` };
  const caption = title && html`<div class="muted small caption">${title}</div>`;
  if (!bout) return html`<div class="bout surface" style=${style}>${caption}<div class="side muted">–</div><div class="side muted">–</div></div>`;
  const { first, second, games } = bout;
  return html`
    <div class="bout surface" style=${style}>
      ${caption}
      ${SIDES.map((place) => html`<${Side} bout=${bout} place=${place} entries=${entries} bots=${bots} traced=${traced != null && traced === (place ? bout.second : bout.first)} />`)}
      <div class="games">
        ${second != null && (games.length > LINKS
          ? html`<${GamesButton} pairings=${[{ one: first, other: second, games, side: 0 }]} text=${plural(games.length, "{0} match", "{0} matches")} label=${plural(games.length, "{0} match of {1} and {2}", "{0} matches of {1} and {2}", entries[first], entries[second])} open=${open} />`
          : games.map((game) => html`<${Game} key=${game.slot} game=${game} />`))}
      </div>
    </div>
  `;
}

/**
 * The lines from the boxes of a round to those of the next.
 * @param {{ round: number, bouts: (Api.BoutView | undefined)[], following: (Api.BoutView | undefined)[], height: number, traced: number | null }} props
 */
function Lines({ round, bouts, following, height, traced }) {
  const lines = bouts.map((bout, board) => {
    const next = following[board >> 1];
    const on = traced != null && players(bout).includes(traced) && players(next).includes(traced);
    return { on, board, path: `M0 ${middle(round, board)} H${GAP / 2} V${middle(round + 1, board >> 1)} H${GAP}` };
  });
  // the highlighted path is drawn last, above the others
  lines.sort((one, other) => Number(one.on) - Number(other.on));
  return html`<svg class="lines" width=${GAP} height=${height} viewBox=${`0 0 ${GAP} ${height}`} aria-hidden="true">
    ${lines.map(({ on, board, path }) => html`<path key=${board} class=${on ? "traced" : ""} d=${path} />`)}
  </svg>`;
}

/**
 * Bracket of a knockout; rounds that are not paired yet are empty boxes. The path of a player is highlighted while the
 * pointer or the focus is on it.
 * @param {{ tournament: Api.TournamentView, bots: (number | null)[], open: (pairings: import("./games.js").Pairing[]) => void }} props
 */
export function Bracket({ tournament, bots, open }) {
  const { rounds, entries } = tournament;
  const [traced, setTraced] = useState(/** @type {number | null} */ (null));
  const planned = tournament.rounds_planned ?? rounds.length;
  // a tournament that hides player names does not report all boards of the current round
  const size = tournament.anonymous ? 2 ** (planned - 1) : Math.max(rounds[0]?.length ?? 0, 2 ** (planned - 1));
  const final = planned - 1;
  const third = rounds[final]?.find(({ board }) => board === 2);
  const last = middle(final, 0) + PITCH + (third ? 40 : 0);
  const height = Math.max(size * PITCH, third ? last + BOX / 2 + 4 : 0);
  const columns = Array.from({ length: planned }, (_, index) => Array.from({ length: Math.max(1, size >> index) }, (_, place) => rounds[index]?.find(({ board }) => board === place + 1)));
  /** @param {Event} event */
  const trace = ({ target }) => {
    const side = target instanceof Element && target.closest("[data-entry]");
    setTraced(side ? Number(side.getAttribute("data-entry")) : null);
  };
  const common = { entries, bots, traced, open };
  return html`
    <div class="scroll">
      <div class="bracket" onPointerOver=${trace} onPointerLeave=${() => setTraced(null)} onFocusIn=${trace} onFocusOut=${() => setTraced(null)}>
        ${columns.map(
          (bouts, index) => html`
            <section key=${index} aria-label=${NAMES[final - index] ?? t`Round ${index + 1}`}>
              <h2 class="muted small">${NAMES[final - index] ?? t`Round ${index + 1}`}</h2>
              <div class="boards" style=${{ height: `${height}px` }}>
                ${bouts.map((bout, board) => html`<${Box} key=${board} bout=${bout} top=${middle(index, board)} ...${common} />`)}
                ${index === final && third && html`<${Box} key="third" bout=${third} top=${last} title="Third place" ...${common} />`}
              </div>
            </section>
            ${index < final && html`<${Lines} key=${`lines ${index}`} round=${index} bouts=${bouts} following=${columns[index + 1]} height=${height} traced=${traced} />`}
          `,
        )}
      </div>
    </div>
  `;
}
