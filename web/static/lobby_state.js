// SPDX-License-Identifier: GPL-3.0-or-later
// The state of the lobby, and its pure update. Boards that did not change stay the same objects, and are not drawn anew.

/**
 * The lobby after a message; the same object when the message changes nothing, and null when a message before it is
 * missing.
 * @param {Protocol.Lobby} lobby
 * @param {Protocol.WatchMessage} message
 * @returns {Protocol.Lobby | null}
 */
export function advance(lobby, message) {
  if (message.type === "lobby") return { ...message, ...same(lobby, message) };
  if (message.type !== "lobby-changed" || message.version <= (lobby.version ?? 0)) return lobby;
  if (message.since !== lobby.version) return null;
  const known = new Map([...lobby.boards, ...message.boards].map((seen) => [seen.match, seen]));
  const numbers = message.order ?? lobby.boards.map(({ match }) => match);
  return { ...lobby, ...message, type: "lobby", boards: numbers.flatMap((number) => known.get(number) ?? []) };
}

/**
 * The boards of a lobby, each as the object of an earlier lobby if it did not change.
 * @param {Protocol.Lobby} before
 * @param {Protocol.Lobby} lobby
 */
function same(before, lobby) {
  const known = new Map(before.boards.map((seen) => [seen.match, seen]));
  return { boards: lobby.boards.map((seen) => (alike(known.get(seen.match), seen) ? known.get(seen.match) ?? seen : seen)) };
}

/**
 * Whether both are the same state of a match: each change has a time of its own.
 * @param {Protocol.Seen | undefined} one
 * @param {Protocol.Seen} other
 */
const alike = (one, other) => one?.ply === other.ply && one.clocks_at === other.clocks_at && one.to_move === other.to_move && !one.ending === !other.ending;

/**
 * The places of the boards on the page: each keeps its place, and a new board takes that of a board whose match ended.
 * @param {Protocol.Seen[]} places
 * @param {Protocol.Lobby} lobby
 */
export function settle(places, lobby) {
  const live = new Map(lobby.boards.map((seen) => [seen.match, seen]));
  const ended = new Map((lobby.recent ?? []).map((seen) => [seen.match, seen]));
  const kept = places.filter((seen) => live.has(seen.match) || ended.has(seen.match));
  const known = new Set(kept.map((seen) => seen.match));
  const fresh = lobby.boards.filter((seen) => !known.has(seen.match));
  const next = kept.map((seen) => live.get(seen.match) ?? fresh.shift() ?? ended.get(seen.match) ?? seen).concat(fresh);
  return next.length === places.length && next.every((seen, index) => seen === places[index]) ? places : next;
}
