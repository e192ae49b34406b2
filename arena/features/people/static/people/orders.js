// SPDX-License-Identifier: GPL-3.0-or-later
// Orders of matches: the same match again with swapped seats.

const UNLIMITED = "unlimited";

/**
 * The order of a rematch: the same opponent and clock, the other seat.
 * @param {Api.MatchDetailAnswer} record
 * @param {number} seat the person's
 */
export function again(record, seat) {
  const clock = record.time_control ?? UNLIMITED;
  return {
    game: record.game,
    opponent: record.players[1 - seat].name,
    seat: 1 - seat,
    // each side has its own time for each move in a match without a clock
    clock: clock.includes("/move") ? UNLIMITED : clock,
  };
}
