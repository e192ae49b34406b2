// SPDX-License-Identifier: GPL-3.0-or-later
// A match as the page holds it: what is seen of it, its first diagram, its moves. Fed by the API's record and by the stream.

/** The API's record in the stream's words. */
export function fromRecord(record) {
  const last = record.moves.at(-1);
  const over = record.status === "finished";
  return {
    seen: {
      match: record.id,
      game: record.game,
      players: record.players.map(({ bot, version, rating }) => ({ name: bot.name, bot: bot.id, version, rating })),
      rated: record.rated,
      time_control: record.time_control,
      time_class: record.time_class,
      started: record.started,
      ply: record.moves.length,
      diagram: last?.diagram ?? record.initial,
      squares: last?.squares ?? [],
      to_move: record.to_move ?? 0,
      clocks: null,
      clocks_at: record.finished ?? Date.now() / 1000,
      ending: over
        ? {
            result: record.result,
            termination: record.termination,
            detail: record.detail ?? "",
            ratings: record.players.every((player) => player.rating_change != null)
              ? record.players.map(({ rating, rating_change }) => ({ before: rating, after: rating + rating_change }))
              : null,
          }
        : null,
    },
    initial: record.initial,
    moves: record.moves,
  };
}

/** The match after a message of the stream; the same object when the message tells nothing new. */
export function advance(match, message) {
  if (message.type === "snapshot" && message.seen.match === match.seen.match) {
    const after = message.after ?? 0;
    if (after > match.moves.length) return match;
    return { seen: message.seen, initial: message.initial, moves: [...match.moves.slice(0, after), ...message.moves] };
  }
  if (message.match !== match.seen.match) return match;
  if (message.type === "move-made" && message.made.ply === match.moves.length + 1) {
    const { made, to_move, clocks } = message;
    const { ply, diagram, squares } = made;
    const seen = { ...match.seen, ply, diagram, squares, to_move, clocks: clocks ?? null, clocks_at: Date.now() / 1000 };
    return { ...match, seen, moves: [...match.moves, made] };
  }
  if (message.type === "match-over") return { ...match, seen: { ...match.seen, ending: message.ending } };
  return match;
}

/** Both clocks after ``ply`` moves, as far as the record tells; ``initial`` is the time that each side began with. */
export function clocksAt(moves, ply, initial) {
  const clocks = [...initial];
  for (const move of moves.slice(0, ply)) {
    if (move.clock != null) clocks[move.seat] = move.clock;
  }
  return clocks.every((clock) => clock == null) ? null : clocks;
}
