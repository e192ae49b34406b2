// SPDX-License-Identifier: GPL-3.0-or-later
// The list of matches, newest first. The filters are in the address, so a filtered list can be bookmarked and shared.

import { AddBot } from "../command.js";
import { follow } from "../feed.js";
import { moment } from "../format.js";
import { Downloads } from "../parts.js";
import { MatchTable } from "../results.js";
import { visit } from "../root.js";
import { listen } from "../shell.js";
import { Preparing, useStatus } from "../status.js";
import { GameTabs, LinkTabs } from "../tabs.js";
import { t } from "../texts.js";
import { ask, firstData, html, show, useEffect, useLayoutEffect, useRef, useState } from "../view.js";

/**
 * What the list is asked for; null: it does not matter.
 * @typedef {{
 *   game: string | null, bot: number | null, opponent: number | null, tournament: number | null, status: "all" | "live" | "finished" | null,
 *   until: number | null, limit: number | null, after: string | null, before: string | null, name: string | null,
 * }} Asked
 */

/** @type {{ games: Api.GamesAnswer, asked: Asked, unknown: string | null, matches: Api.MatchesAnswer, bot: string | null, tournament: string | null, exports: string[] }} */
const { games: { items: games }, asked, unknown, matches: first, bot, tournament, exports } = firstData();

/** @type {[Asked["status"], string][]} */
const STATUSES = [["all", t`All`], ["live", t`Live`], ["finished", t`Finished`]];
/** @type {Partial<Asked>} */
const USUAL = { status: "all", limit: 50, name: "" };
const SUGGESTED = 500; // most bot names that the search box suggests

const newest = asked.after == null && asked.before == null;

/** @param {[string, string | number][]} parameters */
const searchOf = (parameters) => new URLSearchParams(parameters.map(([name, value]) => [name, String(value)]));

/**
 * The query parameters after ``changed``, without default values; a change goes back to the newest matches.
 * @param {Partial<Asked>} changed
 * @returns {[string, string | number][]}
 */
function parameters(changed) {
  const query = { ...asked, name: null, after: null, before: null, ...changed };
  if (query.bot == null) query.opponent = null;
  const usual = new Map(Object.entries(USUAL));
  return Object.entries(query).flatMap(([name, value]) => (value == null || value === usual.get(name) ? [] : [[name, value]]));
}

/** @param {Partial<Asked>} changed */
function address(changed) {
  const query = searchOf(parameters(changed)).toString();
  return query ? `/matches?${query}` : "/matches";
}

const narrowed = parameters({ limit: null }).length > 0;

/**
 * The matches, updated with the results that the spectators' stream reported.
 * @param {Api.MatchAnswer[]} matches
 * @param {Protocol.Seen[]} recent
 * @returns {Api.MatchAnswer[]}
 */
function brought(matches, recent) {
  const endings = new Map(recent.filter(({ ending }) => ending).map((seen) => [seen.match, seen]));
  return matches.map((match) => {
    const seen = endings.get(match.id);
    if (match.status !== "live" || !seen?.ending) return match;
    const { result, termination, detail = "", ratings } = seen.ending;
    /**
     * @param {0 | 1} seat
     * @returns {Api.PlayerAnswer}
     */
    const side = (seat) => {
      const { name, version, bot = null, rating = null } = seen.players[seat];
      const player = match.anonymous ? { name, version, bot, rating, rating_change: null } : match.players[seat];
      return ratings ? { ...player, rating: ratings[seat].before, rating_change: ratings[seat].after - ratings[seat].before } : player;
    };
    return { ...match, status: "finished", result, termination, detail, players: [side(0), side(1)], plies: seen.ply, finished: seen.clocks_at };
  });
}

/**
 * Whether the stream reported a finished match that belongs on this page but is not in its list.
 * @param {Protocol.Seen[]} recent
 */
function missing(recent) {
  const there = new Set(first.items.map(({ id }) => id));
  const last = (first.next && first.items.at(-1)?.id) || 0;
  return recent.some(({ match, players }) => match > last && !there.has(match) && (asked.bot == null || players.some((player) => player.bot === asked.bot)));
}

function ByName() {
  const [names, setNames] = useState(/** @type {string[]} */ ([]));
  const suggest = () => {
    if (names.length) return;
    ask(`/api/v1/bots?limit=${SUGGESTED}`).then(
      ({ items }) => setNames(items.map(({ name }) => name)),
      () => {}, // the search box works without suggestions
    );
  };
  return html`
    <form action="/matches" role="search">
      ${parameters({ bot: null }).map(([name, value]) => html`<input type="hidden" key=${name} name=${name} value=${value} />`)}
      <input type="search" name="name" list="names" placeholder="Bot name" aria-label="Filter by bot name" autocomplete="off"
        defaultValue=${unknown ?? ""} onFocus=${suggest} />
      <datalist id="names">${names.map((name) => html`<option key=${name} value=${name} />`)}</datalist>
      <button>Find</button>
    </form>
  `;
}

/** Form for a day: lists the matches that ended on or before it. */
function ByDay() {
  const box = useRef(/** @type {HTMLInputElement | null} */ (null));
  const chosen = asked.until == null ? "" : new Date(1000 * asked.until - 1);
  const day = chosen && `${chosen.getFullYear()}-${String(chosen.getMonth() + 1).padStart(2, "0")}-${String(chosen.getDate()).padStart(2, "0")}`;
  /** @param {Event} event */
  const go = (event) => {
    event.preventDefault();
    const [year, month, date] = (box.current?.value ?? "").split("-").map(Number);
    const until = year && new Date(year, month - 1, date + 1).getTime() / 1000;
    visit(address({ until: until || null, status: asked.status === "live" ? "all" : asked.status }));
  };
  return html`
    <form onSubmit=${go}>
      <label class="muted" for="day">Ended on or before</label>
      <input type="date" id="day" ref=${box} defaultValue=${day} />
      <button>Go</button>
    </form>
  `;
}

/** The active filters besides the tabs, each with a button that removes it. */
function Chosen() {
  /** @type {[string | null | false, Partial<Asked>][]} */
  const chosen = [
    [bot && t`Bot ${bot}`, { bot: null }],
    [asked.opponent != null && t`Against bot number ${asked.opponent}`, { opponent: null }],
    [tournament && t`Tournament ${tournament}`, { tournament: null }],
    [asked.until != null && t`Before ${moment(asked.until)}`, { until: null }],
  ];
  if (!chosen.some(([text]) => text)) return null;
  return html`
    <ul class="chosen" aria-label="Active filters">
      ${chosen.map(([text, without]) => text && html`<li key=${text}><a class="button" href=${address(without)} title=${text} aria-label=${t`Remove the filter ${text}`}><span class="ellipsis">${text}</span><span aria-hidden="true">×</span></a></li>`)}
    </ul>
  `;
}

function Nothing() {
  const status = useStatus(!unknown && newest && !narrowed);
  if (unknown)
    return html`<div class="empty"><h2>No bot has the name “${unknown}”</h2><p class="muted">Enter the full name. Upper and lower case make no difference. The key / searches by a part of a name.</p><a class="button" href="/bots">All bots</a></div>`;
  if (!newest)
    return html`<div class="empty"><h2>No older matches</h2><p class="muted">The previous page shows the oldest match.</p><a class="button" href=${address({})}>Newest matches</a></div>`;
  if (narrowed)
    return html`<div class="empty">
      <h2>${asked.status === "live" ? t`No live match fits these filters` : t`No match fits these filters`}</h2>
      <p class="muted">${asked.status === "live" ? t`Reload the page to see new matches.` : t`Remove a filter, or show all matches.`}</p>
      <a class="button" href="/matches">All matches</a>
    </div>`;
  return html`<div class="empty">
    <h2>No matches yet</h2>
    <p class="muted">The server pairs connected bots that play the same game. Reload the page to see new matches.</p>
    <${Preparing} status=${status} />
    <p class="muted">Connect a bot:</p>
    <${AddBot} />
  </div>`;
}

const ways = {
  newer: !newest && first.previous && address({ before: first.previous }),
  older: first.next && address({ after: first.next }),
};

function Pages() {
  if (!ways.newer && !ways.older) return null;
  return html`
    <nav class="pager" aria-label="Pages">
      ${ways.newer ? html`<a class="button" rel="prev" href=${ways.newer}>← Newer</a>` : html`<span class="button" aria-disabled="true">← Newer</span>`}
      ${ways.older ? html`<a class="button" rel="next" href=${ways.older}>Older →</a>` : html`<span class="button" aria-disabled="true">Older →</span>`}
      ${!newest && html`<a class="button" href=${address({})}>Newest</a>`}
    </nav>
  `;
}

function Exports() {
  if (asked.status === "live" || !first.items.length) return null;
  /** @param {string} format */
  const download = (format) => `/api/v1/matches/export?${searchOf([["format", format], ...parameters({ status: null, limit: null })])}`;
  return html`<p class="small muted files">Download all finished matches of this list: <${Downloads} formats=${exports} address=${download} /></p>`;
}

function Matches() {
  const [matches, setMatches] = useState(first.items);
  const [news, setNews] = useState(false);
  // a layout effect, because an effect after painting could miss the next key
  useLayoutEffect(() => {
    /**
     * @param {keyof typeof ways} way
     * @returns {() => void}
     */
    const go = (way) => () => ways[way] && visit(ways[way]);
    return listen({ ArrowLeft: [t`Newer matches`, go("newer")], ArrowRight: [t`Older matches`, go("older")] });
  }, []);
  useEffect(() => {
    // a list of finished matches does not change, nor does a list without the newest matches
    if (unknown || asked.until != null || !(newest || first.items.some(({ status }) => status === "live"))) return undefined;
    return follow(
      () => [{ type: "follow-lobby", game: asked.game, boards: 0 }],
      (message) => {
        if (message.type !== "lobby") return;
        setMatches((before) => brought(before, message.recent ?? []));
        if (newest && !asked.tournament && asked.status !== "live") setNews((before) => before || missing(message.recent ?? []));
      },
      { rests: true },
    );
  }, []);
  return html`
    <div class="head">
      <h1>Matches</h1>
      <p class="muted" role="status">${news && html`<a class="fresh" href=${address({})}>Show new results</a>`}</p>
      <${GameTabs} games=${games} current=${asked.game} address=${(/** @type {string} */ game) => address({ game, tournament: null })} all=${address({ game: null, tournament: null })} />
    </div>
    <div class="filters matching">
      <${LinkTabs} label="Status" current=${asked.status} links=${STATUSES.map(([status, text]) => [status, text, address({ status, ...(status === "live" && { until: null }) })])} />
      <${ByName} />
      <${ByDay} />
    </div>
    <${Chosen} />
    ${matches.length ? html`<${MatchTable} matches=${matches} games=${games} bot=${asked.bot} />` : html`<${Nothing} />`}
    <${Pages} />
    <${Exports} />
  `;
}

show(html`<${Matches} />`);
