// SPDX-License-Identifier: GPL-3.0-or-later
// The lobby: the featured match, live boards of the other matches, the latest results and upsets.

import { Board } from "../board.js";
import { AddBot } from "../command.js";
import { decided, how } from "../endings.js";
import { follow } from "../feed.js";
import { control, count, half, named, score } from "../format.js";
import { LiveBoard } from "../live_board.js";
import { advance, settle } from "../lobby_state.js";
import { Ago } from "../parts.js";
import { PlayerLine } from "../players.js";
import { prefixed } from "../root.js";
import "../shell.js";
import { useSounds } from "../sounds.js";
import { Preparing, useStatus } from "../status.js";
import { withStyles } from "../styles.js";
import { GameTabs } from "../tabs.js";
import { plural, t, translated } from "../texts.js";
import { every } from "../time.js";
import { firstData, html, show, useEffect, useRef, useState } from "../view.js";

/** @type {{ games: Api.GamesAnswer, game: string | null, lobby: Protocol.Lobby, sections: { script: string, data: unknown }[] }} */
const { games: { items: games }, game, lobby: first, sections: added } = firstData();
await withStyles(games.map(({ board }) => board));
const BESIDE = 6; // boards beside the featured match
const BOARDS = 64;
const MANY = 12;
const PACE = 1000; // ms
/** @type {Record<string, Api.GameAnswer>} */
const byName = Object.fromEntries(games.map((game) => [game.name, game]));

/**
 * Properties of a section that a feature adds to this page, with `data` as the feature's server side returned them.
 * Each section is a module that exports the component `Section`.
 * @typedef {object} SectionProps
 * @property {Record<string, Api.GameAnswer>} games the games that the arena offers, by name
 * @property {string | null} game name of the game that the visitor chose
 */
/** @type {{ Section: import("preact").FunctionComponent<SectionProps & { data: any }>, script: string, data: unknown }[]} */
const sections = await Promise.all(added.map(async (one) => ({ ...one, Section: (await import(prefixed(one.script))).Section })));

/** @param {{ seen: Protocol.Seen }} props */
const SmallBoard = ({ seen }) => byName[seen.game] && html`<${LiveBoard} seen=${seen} board=${byName[seen.game].board} caption=${translated(byName[seen.game].title)} />`;

/**
 * The featured match: a large board, the score of its pairing, and the match that follows.
 * @param {{ seen: Protocol.Seen, lobby: Protocol.Lobby }} props
 */
function Featured({ seen, lobby }) {
  const game = byName[seen.game];
  useSounds(game?.board.pieces ?? {}, seen);
  if (!game) return null;
  const { following } = lobby;
  const series = (lobby.results ?? []).find((result) => result.game === seen.game && samePlayers(result.players, seen.players));
  return html`
    <section class="featured surface" aria-label="Featured match" key=${seen.match}>
      <a class="whole" href=${`/matches/${seen.match}`}>
        <${PlayerLine} seen=${seen} board=${game.board} seat=${1 - game.board.bottom} />
        <div class="frame">
          <${Board} board=${game.board} diagram=${seen.diagram} squares=${seen.squares} aside=${seen.aside} steps=${seen.ply}
            title=${t`${named(seen.players[0])} against ${named(seen.players[1])}`} ...${decided(seen.ending)} />
        </div>
        <${PlayerLine} seen=${seen} board=${game.board} seat=${game.board.bottom} />
      </a>
      <p class="caption">
        <span class="ellipsis">${translated(game.title)} · ${control(seen.time_control)} · ${seen.ending ? html`<span class="spoiler">${score(seen.ending.result)} ${how(seen.ending)}</span>` : t`ply ${seen.ply}`}</span>
        <span class="ellipsis spoiler">${series && plural(series.matches, "Score of this pairing: {1} in {0} match", "Score of this pairing: {1} in {0} matches", pairingScore(series))}</span>
        <span class="ellipsis foreign">${following && html`<a href=${`/matches/${following.match}`}>${t`Next: ${following.players.map(named).join(" – ")}`}${game.name !== following.game && `, ${translated(byName[following.game]?.title ?? following.game)}`}</a>`}</span>
      </p>
    </section>
  `;
}

/**
 * Whether both pairs are the same two bots, in any order; hidden players are never the same.
 * @param {Protocol.Player[]} some
 * @param {Protocol.Player[]} others
 */
const samePlayers = (some, others) => some.every(({ bot }) => bot != null && others.some((other) => other.bot === bot));

/** @param {Protocol.PairingResult} result */
const pairingScore = ({ points: [one, other] }) => `${half(one)}\u2013${half(other)}`;

/**
 * The address of the lobby of a game.
 * @param {string} name
 */
const address = (name) => `/?game=${encodeURIComponent(name)}`;

/** @param {{ result: Protocol.PairingResult }} props */
function Recent({ result }) {
  const { players, points: [one, other], matches } = result;
  const several = matches > 1 ? plural(matches, "{0} match; newest: ", "{0} matches; newest: ") : "";
  return html`
    <tr>
      <td class="name outcome">
        <a class="pair" href=${`/matches/${result.newest}`} title=${several + players.map(named).join(" – ")}>
          <span class=${one > other ? "win" : ""}>${named(players[0])}</span><span class="muted"> – </span><span class=${other > one ? "win" : ""}>${named(players[1])}</span>
        </a>
      </td>
      <td class="result spoiler">${pairingScore(result)}</td>
      <td class="number muted"><${Ago} time=${result.ended} /></td>
    </tr>
  `;
}

/** @param {{ upset: Protocol.Upset }} props */
function UpsetRow({ upset }) {
  const text = t`${named(upset.winner)} beat ${named(upset.loser)}`;
  return html`
    <tr>
      <td class="name"><a class="pair" href=${`/matches/${upset.match}`} title=${text}><span class="win">${named(upset.winner)}</span><span class="muted"> beat </span><span>${named(upset.loser)}</span></a></td>
      <td class="number muted" title="Difference between the two ratings before the match">${count(upset.gap)} points</td>
    </tr>
  `;
}

/** @param {{ lobby: Protocol.Lobby }} props */
function Quiet({ lobby }) {
  const status = useStatus();
  if (game && lobby.live)
    return html`
      <div class="empty">
        <h2>No live match of ${translated(byName[game].title)}</h2>
        <p class="muted">New matches appear here automatically. Live matches of other games: ${count(lobby.live)}.</p>
        <${Preparing} status=${status} />
        <a class="button" href="/">All games</a>
      </div>
    `;
  return html`
    <div class="empty">
      <h2>${lobby.warming ? t`The arena is starting` : t`No live matches`}</h2>
      <p class="muted">
        ${lobby.bots > 1
          ? t`${count(lobby.bots)} bots are connected. A live board appears here when the server pairs two of them.`
          : t`A live board appears here when two bots that play the same game are connected.`}
        ${!lobby.warming && ` ${t`Connect a bot:`}`}
      </p>
      <${Preparing} status=${status} />
      ${!lobby.warming && html`<${AddBot} />`}
    </div>
  `;
}

function Lobby() {
  const [lobby, setLobby] = useState(first);
  const [places, setPlaces] = useState(first.boards);
  const newest = useRef(first);
  const many = places.length > MANY;
  useEffect(
    () =>
      follow(
        () => [{ type: "follow-lobby", game, boards: BOARDS, changes: true }],
        (message, again) => {
          const next = advance(newest.current, message);
          if (!next) again();
          if (!next || next === newest.current) return;
          newest.current = next;
          setLobby(next);
        },
        { rests: true },
      ),
    [],
  );
  // many boards move at the pace of their clocks, in the same frames; the featured match moves at once
  useEffect(() => {
    const renew = () => setPlaces((before) => settle(before, newest.current));
    if (many) return every(PACE, renew);
    renew();
    return undefined;
  }, [many, many || lobby]);
  const { featured } = lobby;
  const results = lobby.results ?? [];
  const upsets = lobby.upsets ?? [];
  const others = places.filter((seen) => seen.match !== featured?.match);
  return html`
    <div class="head">
      <h1>Now playing</h1>
      <p class="muted" role="status">
        ${t`${count(lobby.live)} live · ${count(lobby.bots)} bots · ${count(lobby.spectators)} watching`}
      </p>
      <${GameTabs} games=${games} current=${game} address=${address} all="/" />
    </div>
    ${featured
      ? html`<div class="television">
          <${Featured} seen=${featured} lobby=${lobby} />
          <div class="cards beside">${others.slice(0, BESIDE).map((seen) => html`<${SmallBoard} key=${seen.match} seen=${seen} />`)}</div>
        </div>`
      : !places.length && html`<${Quiet} lobby=${lobby} />`}
    ${lobby.warming && places.length > 0 && html`<p class="muted small" role="status">Compiling: ${lobby.warming}</p>`}
    <div class="news-columns">
      <section>
        <h2>Latest results</h2>
        ${results.length
          ? html`<div class="scroll surface"><table class="fixed"><tbody>${results.map((result) => html`<${Recent} key=${result.newest} result=${result} />`)}</tbody></table></div>`
          : html`<p class="muted">Results appear here as matches end.</p>`}
        <p class="small files"><a class="button" href=${game ? `/matches?game=${encodeURIComponent(game)}` : "/matches"}>All matches</a></p>
      </section>
      ${upsets.length > 0 &&
      html`<section class="spoilers">
        <h2>Upsets</h2>
        <div class="scroll surface"><table class="fixed upsets"><tbody>${upsets.map((upset) => html`<${UpsetRow} key=${upset.match} upset=${upset} />`)}</tbody></table></div>
      </section>`}
      ${sections.map(({ Section, script, data }) => html`<${Section} key=${script} games=${byName} game=${game} data=${data} />`)}
    </div>
    ${others.length > BESIDE &&
    html`<section>
      <h2>More live boards</h2>
      <div class="cards">${others.slice(BESIDE).map((seen) => html`<${SmallBoard} key=${seen.match} seen=${seen} />`)}</div>
    </section>`}
  `;
}

show(html`<${Lobby} />`);
