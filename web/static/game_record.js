// SPDX-License-Identifier: GPL-3.0-or-later
// State of the match page: summary, initial diagram and moves; built from the API's record and updated by the stream.

/** Convert the API's match record to the page's state. */
export function fromRecord(record) {
  const { info_release } = record;
  const last = record.next == null ? record.moves.at(-1) : null;
  const over = record.status === "finished";
  return {
    seen: {
      match: record.id,
      game: record.game,
      players: record.players.map(({ name, bot, version, rating }) => ({ name, bot, version, rating })),
      rated: record.rated,
      time_control: record.time_control,
      time_class: record.time_class,
      started: record.started,
      ply: record.plies,
      diagram: record.diagram,
      squares: last?.squares ?? [],
      to_move: record.to_move ?? 0,
      clocks: null,
      clocks_at: record.finished ?? Date.now() / 1000,
      info_release,
      dice_commitment: record.dice_commitment,
      ending: over
        ? {
            result: record.result,
            termination: record.termination,
            detail: record.detail ?? "",
            ratings: record.players.every((player) => player.rating_change != null)
              ? record.players.map(({ rating, rating_change }) => ({ before: rating, after: rating + rating_change }))
              : null,
            dice_secret: record.dice_secret,
          }
        : null,
    },
    initial: record.initial,
    moves: record.moves,
  };
}

/** The match with later moves added; moves that it already has are skipped. */
export function extended(match, items) {
  const missing = items.filter(({ ply }) => ply > match.moves.length);
  return { ...match, moves: [...match.moves, ...missing] };
}

/** The match after a message of the stream; the same object when the message changes nothing. */
export function advance(match, message) {
  if (message.type === "snapshot" && message.seen.match === match.seen.match) {
    const after = message.after ?? 0;
    if (after > match.moves.length) return match;
    const known = informed(match.moves.slice(0, after), message.late);
    return { seen: message.seen, initial: message.initial, moves: [...known, ...message.moves] };
  }
  if (message.match !== match.seen.match) return match;
  if (message.type === "move-made" && message.made.ply === match.moves.length + 1) {
    const { made, to_move, clocks } = message;
    const { ply, diagram, squares } = made;
    const seen = { ...match.seen, ply, diagram, squares, to_move, clocks: clocks ?? null, clocks_at: Date.now() / 1000 };
    return { ...match, seen, moves: [...informed(match.moves, message.late && [message.late]), made] };
  }
  if (message.type === "match-over") {
    const { ending, players = match.seen.players, late } = message;
    return { ...match, seen: { ...match.seen, players, ending }, moves: informed(match.moves, late) };
  }
  return match;
}

/** The moves with search info that the server released later: ``late`` lists it by ply. */
function informed(moves, late) {
  if (!late?.length) return moves;
  const known = [...moves];
  for (const { ply, info, line } of late) {
    if (known[ply - 1]) known[ply - 1] = { ...known[ply - 1], info, line };
  }
  return known;
}

/** Both clocks after ``ply`` moves, where the record has them; ``initial``: the time of each side at the start. */
export function clocksAt(moves, ply, initial) {
  const clocks = [...initial];
  for (const move of moves.slice(0, ply)) {
    if (move.clock != null) clocks[move.seat] = move.clock;
  }
  return clocks.every((clock) => clock == null) ? null : clocks;
}
