// SPDX-License-Identifier: GPL-3.0-or-later
// Live boards of a tournament. A board stays at its place until its match has ended and another one has begun.

import { LiveBoard } from "../live_board.js";
import { plural, t } from "../texts.js";
import { serverTime } from "../time.js";
import { html } from "../view.js";

const SHOWN = 8;
const NO_MOVES = 100_000; // a ply after every move: the server sends the position without the moves before

/** @typedef {Map<number, Protocol.Seen>} Boards by number of the match, in the order of their places */

/**
 * The live games of a tournament, in the order of its boards.
 * @param {Api.TournamentView} tournament
 */
const liveGames = ({ rounds }) => rounds.flatMap((bouts) => bouts.flatMap(({ games }) => games)).filter(({ status, match }) => status === "live" && match);

/**
 * The matches to follow: those that are followed already and are live, then others, up to the number of boards.
 * @param {Api.TournamentView} tournament
 * @param {Set<number>} before
 */
export function followed(tournament, before) {
  const live = liveGames(tournament).map(({ match }) => /** @type {number} */ (match));
  return new Set([...live.filter((match) => before.has(match)), ...live.filter((match) => !before.has(match))].slice(0, SHOWN));
}

/**
 * The request to follow a match: the server sends its position without the moves before.
 * @param {number} match
 * @returns {Protocol.SpectatorMessage}
 */
export const request = (match) => ({ type: "follow", match, after: NO_MOVES });

/**
 * The boards with another match, which takes the place of one that has ended.
 * @param {Boards} boards
 * @param {Protocol.Seen} seen
 * @returns {Boards}
 */
function placed(boards, seen) {
  const items = [...boards];
  const same = items.findIndex(([match]) => match === seen.match);
  const ended = items.findIndex(([, { ending }]) => ending);
  const place = same >= 0 ? same : ended >= 0 ? ended : items.length;
  items[place] = [seen.match, seen];
  return new Map(items.slice(0, SHOWN));
}

/**
 * The boards after a message of the stream; the same object when it changes nothing.
 * @param {Boards} boards
 * @param {Protocol.WatchMessage} message
 * @returns {Boards}
 */
export function advance(boards, message) {
  if (message.type === "snapshot") return placed(boards, message.seen);
  const seen = "match" in message && message.match != null && boards.get(message.match);
  if (!seen) return boards;
  if (message.type === "refused") return new Map([...boards].filter(([match]) => match !== seen.match));
  if (message.type === "match-over") return new Map(boards).set(seen.match, { ...seen, players: message.players ?? seen.players, ending: message.ending });
  if (message.type !== "move-made" || message.made.ply <= seen.ply) return boards;
  const { made: { ply, diagram, squares }, to_move, clocks } = message;
  return new Map(boards).set(seen.match, { ...seen, ply, diagram, squares, to_move, clocks: clocks ?? null, clocks_at: serverTime() / 1000 });
}

/**
 * @param {{ boards: Boards, board: Api.BoardAnswer, tournament: Api.TournamentView }} props
 */
export function LiveBoards({ boards, board, tournament }) {
  const slots = new Map(tournament.rounds.flatMap((bouts) => bouts.flatMap(({ games }) => games)).map(({ match, slot }) => [match, slot]));
  const more = liveGames(tournament).filter(({ match }) => !boards.has(match ?? 0)).length;
  if (!boards.size) return null;
  return html`
    <section class="live-boards" aria-label="Live boards">
      <div class="cards">${[...boards.values()].map((seen) => html`<${LiveBoard} key=${seen.match} seen=${seen} board=${board} caption=${t`Match ${slots.get(seen.match) ?? ""}`} />`)}</div>
      ${more > 0 && html`<p class="small"><a class="button" href=${`/matches?tournament=${tournament.id}&status=live`}>${plural(more, "{0} more live match", "{0} more live matches")}</a></p>`}
    </section>
  `;
}
