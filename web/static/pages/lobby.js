// SPDX-License-Identifier: GPL-3.0-or-later
// The lobby: live boards of the matches in progress, and the latest results.

import { Board } from "../board.js";
import { AddBot } from "../command.js";
import { follow } from "../feed.js";
import { count, named, points, score } from "../format.js";
import { Ago } from "../parts.js";
import { PlayerLine } from "../players.js";
import "../shell.js";
import { Preparing, useStatus } from "../status.js";
import { GameTabs } from "../tabs.js";
import { firstData, html, show, useEffect, useState } from "../view.js";

/** @type {{ games: Api.GamesAnswer, game: string | null, lobby: Protocol.Lobby }} */
const { games: { items: games }, game, lobby: first } = firstData();
/** @type {Record<string, Api.GameAnswer>} */
const byName = Object.fromEntries(games.map((game) => [game.name, game]));

/** @param {{ seen: Protocol.Seen }} props */
function LiveBoard({ seen }) {
  const game = byName[seen.game];
  if (!game) return null;
  return html`
    <a class="card surface" href=${`/matches/${seen.match}`}>
      <${PlayerLine} seen=${seen} board=${game.board} seat=${1 - game.board.bottom} />
      <div class="frame">
        <${Board} board=${game.board} diagram=${seen.diagram} squares=${seen.squares} steps=${seen.ply} bare
          title=${seen.players.map(named).join(" against ")} />
      </div>
      <${PlayerLine} seen=${seen} board=${game.board} seat=${game.board.bottom} />
      <div class="caption"><span class="ellipsis">${game.title}</span><span>${seen.ending ? score(seen.ending.result) : `ply ${seen.ply}`}</span></div>
    </a>
  `;
}

/**
 * The address of the lobby of a game.
 * @param {string} name
 */
const address = (name) => `/?game=${encodeURIComponent(name)}`;

/**
 * Keep each board at its position; new boards replace boards whose matches ended, so the other boards do not move.
 * @param {Protocol.Seen[]} places
 * @param {Protocol.Lobby} lobby
 */
function settle(places, lobby) {
  const live = new Map(lobby.boards.map((seen) => [seen.match, seen]));
  const ended = new Map((lobby.recent ?? []).map((seen) => [seen.match, seen]));
  const kept = places.filter((seen) => live.has(seen.match) || ended.has(seen.match));
  const known = new Set(kept.map((seen) => seen.match));
  const fresh = lobby.boards.filter((seen) => !known.has(seen.match));
  const next = kept.map((seen) => live.get(seen.match) ?? fresh.shift() ?? ended.get(seen.match) ?? seen);
  return [...next, ...fresh];
}

/** @param {{ seen: Protocol.Seen }} props */
function Recent({ seen }) {
  const { ending } = seen;
  return html`
    <tr>
      <td class="name">
        <a href=${`/matches/${seen.match}`} title=${seen.players.map(({ name }) => name).join(" – ")}>
          ${[0, 1].map((seat) => html`<span class=${ending && points(ending.result, seat) === "1" ? "win" : ""}>${seen.players[seat].name}</span>${seat ? "" : html`<span class="muted"> – </span>`}`)}
        </a>
      </td>
      <td class="result">${ending && score(ending.result)}</td>
      <td class="number muted"><${Ago} time=${seen.clocks_at} /></td>
    </tr>
  `;
}

/** @param {{ lobby: Protocol.Lobby }} props */
function Quiet({ lobby }) {
  const status = useStatus();
  if (game && lobby.live)
    return html`
      <div class="empty">
        <h2>No live match of ${byName[game].title}</h2>
        <p class="muted">New matches appear here automatically. Live matches of other games: ${count(lobby.live)}.</p>
        <${Preparing} status=${status} />
        <a class="button" href="/">All games</a>
      </div>
    `;
  return html`
    <div class="empty">
      <h2>${lobby.warming ? "The arena is starting" : "No live matches"}</h2>
      <p class="muted">
        ${lobby.bots > 1
          ? `${count(lobby.bots)} bots are connected. A live board appears here when the server pairs two of them.`
          : "A live board appears here when two bots that play the same game are connected."}
        ${!lobby.warming && " Connect a bot:"}
      </p>
      <${Preparing} status=${status} />
      ${!lobby.warming && html`<${AddBot} />`}
    </div>
  `;
}

function Lobby() {
  const [lobby, setLobby] = useState(first);
  const [places, setPlaces] = useState(() => first.boards);
  useEffect(
    () =>
      follow(
        () => [{ type: "follow-lobby", game, boards: 24 }],
        (message) => {
          if (message.type !== "lobby") return;
          setLobby(message);
          setPlaces((before) => settle(before, message));
        },
      ),
    [],
  );
  const recent = lobby.recent ?? [];
  return html`
    <div class="head">
      <h1>Now playing</h1>
      <p class="muted" role="status">
        ${`${count(lobby.live)} live · ${count(lobby.bots)} bots · ${count(lobby.spectators)} watching`}
      </p>
      <${GameTabs} games=${games} current=${game} address=${address} all="/" />
    </div>
    <div class="columns">
      <div>
        ${places.length ? html`<div class="cards">${places.map((seen) => html`<${LiveBoard} key=${seen.match} seen=${seen} />`)}</div>` : html`<${Quiet} lobby=${lobby} />`}
      </div>
      <div class="stack">
        <section>
          <h2>Latest results</h2>
          ${recent.length
            ? html`<div class="scroll surface"><table class="fixed"><tbody>${recent.map((seen) => html`<${Recent} key=${seen.match} seen=${seen} />`)}</tbody></table></div>`
            : html`<p class="muted">Results appear here as matches end.</p>`}
          <p class="small files"><a class="button" href=${game ? `/matches?game=${encodeURIComponent(game)}` : "/matches"}>All matches</a></p>
        </section>
        ${lobby.warming && places.length > 0 && html`<p class="muted small" role="status">Compiling: ${lobby.warming}</p>`}
      </div>
    </div>
  `;
}

show(html`<${Lobby} />`);
