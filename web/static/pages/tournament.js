// SPDX-License-Identifier: GPL-3.0-or-later
// A tournament: live boards, progress, reasons of a wait, standings, crosstable or bracket, rounds. The page reloads the
// data when the server reports a change.

import { Rounds, Schedule } from "../bouts.js";
import { Command } from "../command.js";
import { Crosstable } from "../crosstable.js";
import { follow } from "../feed.js";
import { useHiding } from "../hiding.js";
import { count } from "../format.js";
import { Downloads } from "../parts.js";
import { translatedSentence } from "../sentences.js";
import { shared } from "../sharing.js";
import "../shell.js";
import { withStyles } from "../styles.js";
import { Tabs } from "../tabs.js";
import { advance, followed, LiveBoards, request } from "../tournament/boards.js";
import { Bracket } from "../tournament/bracket.js";
import { PairingDialog } from "../tournament/games.js";
import { Progress, Waits } from "../tournament/progress.js";
import { Shares } from "../tournament/shares.js";
import { Standings } from "../tournament/standings.js";
import { Test } from "../tournament/walk.js";
import { plural, t, translated } from "../texts.js";
import { unlessSame } from "../unless_same.js";
import { ask, firstData, html, messageOf, show, useCallback, useEffect, useState } from "../view.js";

/** @type {{ title: string, exports: string[], bots: (number | null)[], board: Api.BoardAnswer, menu: [string, string][], tournament: Api.TournamentView, walk: Api.Walk | null }} */
const { title, exports, bots, board, menu, tournament: first, walk: firstWalk } = firstData();
await withStyles([board]);

const PAUSE = 250;
const WIDEST = 32;

/**
 * Return a function that reloads the tournament; several changes in a row cause one request.
 * @param {(tournament: Api.TournamentView) => void} setTournament
 * @param {(problem: string | null) => void} setProblem
 */
function renewal(setTournament, setProblem) {
  let due = false;
  let asking = false;
  return async () => {
    due = true;
    if (asking) return;
    asking = true;
    while (due) {
      due = false;
      try {
        setTournament(await ask(`/api/v1/tournaments/${first.id}`));
        setProblem(null);
      } catch (error) {
        setProblem(messageOf(error));
      }
      await new Promise((resolve) => setTimeout(resolve, PAUSE));
    }
    asking = false;
  };
}

/** Follow the tournament and its live matches while it is not over. */
function useTournament() {
  const [tournament, setTournament] = useState(first);
  const [boards, setBoards] = useState(/** @type {import("../tournament/boards.js").Boards} */ (new Map()));
  const [problem, setProblem] = useState(/** @type {string | null} */ (null));
  const ended = ["finished", "cancelled"].includes(tournament.status);
  useEffect(() => {
    if (ended) return undefined;
    let matches = followed(first, new Set());
    /** @param {Api.TournamentView} answer */
    const take = (answer) => {
      const before = matches;
      matches = followed(answer, before);
      for (const match of matches) if (!before.has(match)) stop.say(request(match));
      setTournament((old) => shared(old, answer));
    };
    const renew = renewal(take, setProblem);
    const stop = follow(
      () => [{ type: "follow-tournament", tournament: first.id }, ...[...matches].map(request)],
      (message) => (message.type === "tournament-changed" ? void renew() : setBoards((old) => advance(old, message))),
      { rests: true },
    );
    return stop;
  }, [ended]);
  return { tournament, boards, problem };
}

/**
 * The walk of the sequential test, loaded again after each pair of games.
 * @param {Api.TournamentView} tournament
 */
function useWalk({ test }) {
  const [walk, setWalk] = useState(firstWalk);
  const pairs = test?.pentanomial.join() ?? "";
  useEffect(() => {
    if (!test || pairs === first.test?.pentanomial.join()) return undefined;
    let stale = false;
    // the walk of a lost answer comes with the next pair
    ask(`/api/v1/tournaments/${first.id}/walk`).then((answer) => stale || setWalk(answer), () => {});
    return () => void (stale = true);
  }, [pairs]);
  return walk;
}

/** @param {string} format */
const download = (format) => `/api/v1/matches/export?tournament=${first.id}&format=${format}`;

/** @param {Api.TournamentView} tournament */
function termsOf(tournament) {
  return [
    `${translated(title)}, ${translatedSentence(tournament.description)}`,
    plural(tournament.entries.length, "{0} bot", "{0} bots"),
    plural(tournament.games, "{0} match per pairing", "{0} matches per pairing"),
    tournament.time_control ?? t`default time control`,
    tournament.own_unrated ? t`rated, except matches between bots of one owner` : tournament.rated ? t`rated` : t`unrated`,
    ...(tournament.own_play ? [t`each bot also plays against itself, and these matches count`] : []),
    ...(tournament.ranked_by === "payoff" ? [t`ranked by points a game`] : []),
    ...(tournament.mirrored_dice ? [t`mirrored dice`] : []),
  ].join(" · ");
}

/**
 * The tabs with the tables of the tournament; drawn again only when it has changed.
 */
const Part = unlessSame(
  /** @param {{ tournament: Api.TournamentView, part: string, open: (pairings: import("../tournament/games.js").Pairing[]) => void }} props */
  ({ tournament, part, open }) => {
    if (part === "crosstable") return html`<${Crosstable} tournament=${tournament} open=${open} />`;
    if (part === "bracket") return html`<${Bracket} tournament=${tournament} bots=${bots} open=${open} />`;
    if (part === "shares") return html`<${Shares} tournament=${tournament} />`;
    if (part === "standings") return html`<${Standings} tournament=${tournament} bots=${bots} />`;
    return html`<${Schedule} tournament=${tournament} />
      ${tournament.rounds.length ? html`<${Rounds} tournament=${tournament} />` : html`<p class="muted">The server pairs the first round when the tournament starts.</p>`}`;
  },
);

function Tournament() {
  const { tournament, boards, problem } = useTournament();
  const walk = useWalk(tournament);
  const [part, setPart] = useState("standings");
  const [opened, setOpened] = useState(/** @type {import("../tournament/games.js").Pairing[] | null} */ (null));
  const close = useCallback(() => setOpened(null), []);
  const { entries, status, over, overview, test, played } = tournament;
  const hiding = useHiding();
  const parts = hiding ? [["rounds", t`Rounds`]] : [["standings", t`Standings`], ["rounds", t`Rounds`]];
  if (!hiding && overview === "bracket") parts.splice(1, 0, ["bracket", t`Bracket`]);
  if (!hiding && overview === "crosstable" && entries.length <= WIDEST) parts.splice(1, 0, ["crosstable", t`Crosstable`]);
  if (!hiding && overview === "crosstable" && status === "finished") parts.push(["shares", t`Shares over time`]);
  return html`
    <div class="head">
      <h1 class="ellipsis" title=${tournament.name}><bdi>${tournament.name}</bdi></h1>
      <p class="muted" role="status">${problem ?? html`${translated(status)}<span class="spoiler">${over ? `: ${translatedSentence(over)}` : ""}</span>`}</p>
      ${menu.length > 0 && html`<p class="aside">${menu.map(([path, label]) => html`<a key=${path} class="button" href=${`${path}?tournament=${tournament.id}`}>${translated(label)}</a>`)}</p>`}
    </div>
    <p class="muted terms">${termsOf(tournament)}</p>
    <${LiveBoards} boards=${boards} board=${board} tournament=${tournament} />
    <${Progress} tournament=${tournament} />
    <${Waits} tournament=${tournament} />
    ${tournament.anonymous && !over && html`<p class="muted">Player names are hidden until a match ends. <a href=${`/matches?tournament=${tournament.id}&status=live`}>Live matches</a> and matches still to play: ${count(tournament.due)}.</p>`}
    ${status === "created" && html`<div class="empty"><h2>Not started</h2><p class="muted">An operator starts the tournament:</p><${Command} text=${`arena tournament start ${tournament.id}`} /></div>`}
    ${test && !hiding && html`<${Test} test=${test} format=${tournament.format} names=${entries} walk=${walk} />`}
    <div class="parts"><${Tabs} label="View" tabs=${parts} current=${hiding ? "rounds" : part} choose=${setPart} /></div>
    <${Part} tournament=${tournament} part=${hiding ? "rounds" : part} open=${setOpened} />
    ${played > 0 && html`<p class="small muted files"><a class="button" href=${`/matches?tournament=${tournament.id}`}>All matches</a> <${Downloads} formats=${exports} address=${download} /></p>`}
    ${opened && !hiding && html`<${PairingDialog} pairings=${opened} entries=${entries} close=${close} />`}
  `;
}

show(html`<${Tournament} />`);
