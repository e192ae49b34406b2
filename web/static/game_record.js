// SPDX-License-Identifier: GPL-3.0-or-later
// State of the match page: summary, initial diagram and moves; built from the API's record and updated by the stream.

import { serverTime } from "./time.js";

/**
 * A match as the page holds it. ``observation``: in the view of a seat, what it saw before the first move.
 * @typedef {{ seen: Protocol.Seen, initial: string, observation: string | null, moves: Api.SeenMove[] }} Held
 */

/**
 * Convert the API's match record to the page's state.
 * @param {Api.MatchDetailAnswer} record
 * @returns {Held}
 */
export function fromRecord(record) {
  const { info_release } = record;
  const last = record.next == null ? record.moves.at(-1) : null;
  const over = record.status === "finished";
  const [first, second] = record.players;
  /** @param {Api.PlayerAnswer} player */
  const told = ({ name, bot, version, rating }) => ({ name, bot, version, rating });
  return {
    seen: {
      match: record.id,
      game: record.game,
      players: [told(first), told(second)],
      rated: record.rated,
      time_control: record.time_control,
      time_class: record.time_class,
      started: record.started,
      ply: record.plies,
      diagram: record.diagram,
      aside: record.aside,
      squares: last?.squares ?? [],
      to_move: record.to_move ?? 0,
      clocks: null,
      clocks_at: record.finished ?? serverTime() / 1000,
      info_release,
      dice_commitment: record.dice_commitment,
      ending: over
        ? {
            result: record.result ?? "*",
            termination: record.termination ?? "",
            detail: record.detail,
            ratings: ratingChanges(record.players),
            dice_secret: record.dice_secret,
            sealed_until: record.sealed_until,
            payoff: record.payoff ?? 1,
            points: record.points,
            decision: record.decision,
          }
        : null,
    },
    initial: record.initial,
    observation: record.observation,
    moves: record.moves,
  };
}

/**
 * The ratings of both sides before and after a rated match.
 * @param {[Api.PlayerAnswer, Api.PlayerAnswer]} players
 * @returns {[Protocol.RatingChange, Protocol.RatingChange] | null}
 */
function ratingChanges([first, second]) {
  if (first.rating == null || first.rating_change == null || second.rating == null || second.rating_change == null) return null;
  return [
    { before: first.rating, after: first.rating + first.rating_change },
    { before: second.rating, after: second.rating + second.rating_change },
  ];
}

/**
 * The match with later moves added; moves that it already has are skipped.
 * @param {Held} match
 * @param {Api.SeenMove[]} items
 */
export function extended(match, items) {
  const missing = items.filter(({ ply }) => ply > match.moves.length);
  return { ...match, moves: [...match.moves, ...missing] };
}

/**
 * Whether moves between those of the match and a message are missing, so that the match must be requested again.
 * @param {Held} match
 * @param {Protocol.WatchMessage} message
 */
export function misses(match, message) {
  if (message.type === "snapshot") return message.seen.match === match.seen.match && (message.after ?? 0) > match.moves.length;
  return message.type === "move-made" && message.match === match.seen.match && message.made.ply > match.moves.length + 1;
}

/**
 * The match after a message of the stream; the same object when the message changes nothing, because it is about another
 * match, came twice, came late, or moves before it are missing.
 * @param {Held} match
 * @param {Protocol.WatchMessage} message
 * @returns {Held}
 */
export function advance(match, message) {
  if (message.type === "snapshot" && message.seen.match === match.seen.match) {
    const after = message.after ?? 0;
    const { seen, initial } = message;
    if (misses(match, message) || seen.ply < match.moves.length || (match.seen.ending && !seen.ending)) return match;
    const known = informed(match.moves.slice(0, after), message.late);
    const later = match.moves.slice(after + message.moves.length);
    return { seen, initial, observation: match.observation, moves: [...known, ...message.moves, ...later] };
  }
  if (!("match" in message) || message.match !== match.seen.match) return match;
  if (message.type === "move-made" && message.made.ply === match.moves.length + 1) {
    const { made, to_move, clocks } = message;
    const { ply, diagram, squares, aside = null } = made;
    const seen = { ...match.seen, ply, diagram, squares, aside, to_move, clocks: clocks ?? null, clocks_at: serverTime() / 1000 };
    return { ...match, seen, moves: [...informed(match.moves, message.late && [message.late]), made] };
  }
  if (message.type === "match-over" && !match.seen.ending) {
    const { ending, late } = message;
    const players = message.players ?? match.seen.players;
    return { ...match, seen: { ...match.seen, players, ending }, moves: informed(match.moves, late) };
  }
  return match;
}

/**
 * The moves with search info that the server released later: ``late`` lists it by ply.
 * @param {Api.SeenMove[]} moves
 * @param {Protocol.LateInfo[] | null | undefined} late
 */
function informed(moves, late) {
  if (!late?.length) return moves;
  const known = [...moves];
  for (const { ply, info, line } of late) {
    if (known[ply - 1]) known[ply - 1] = { ...known[ply - 1], info, line };
  }
  return known;
}

/**
 * The instructions that each side used for its newest move, after ``ply`` moves of a match by instructions.
 * @param {Api.SeenMove[]} moves
 * @param {number} ply
 * @returns {(number | null)[]}
 */
export function instructionsAt(moves, ply) {
  /** @type {(number | null)[]} */
  const used = [null, null];
  for (const move of moves.slice(0, ply)) {
    if (move.instructions != null) used[move.seat] = move.instructions;
  }
  return used;
}

/**
 * Both clocks after ``ply`` moves, where the record has them; ``initial``: the time of each side at the start.
 * @param {Api.SeenMove[]} moves
 * @param {number} ply
 * @param {(number | null)[]} initial
 */
export function clocksAt(moves, ply, initial) {
  const clocks = [...initial];
  for (const move of moves.slice(0, ply)) {
    if (move.clock != null) clocks[move.seat] = move.clock;
  }
  return clocks.every((clock) => clock == null) ? null : clocks;
}
