// SPDX-License-Identifier: GPL-3.0-or-later
// All matches, the newest first. What is asked for stands in the address, so that a view can be shared and gone back to.

import { Command } from "../command.js";
import { follow } from "../feed.js";
import { moment } from "../format.js";
import { MatchTable } from "../results.js";
import { listen } from "../shell.js";
import { Preparing, useStatus } from "../status.js";
import { ask, firstData, html, show, useEffect, useLayoutEffect, useRef, useState } from "../view.js";

const { games: { items: games }, asked, unknown, matches: first, bot, tournament, exports } = firstData();

const STATUSES = [["all", "All"], ["live", "Live"], ["finished", "Finished"]];
const USUAL = { status: "all", limit: 50, name: "" };
const SUGGESTED = 500; // names of bots, at most

const newest = asked.after == null && asked.before == null;

/** What is asked for, with ``changed``, the usual left out; a change leads back to the newest. */
function parameters(changed) {
  const query = { ...asked, name: null, after: null, before: null, ...changed };
  return Object.entries(query).filter(([name, value]) => value != null && value !== USUAL[name]);
}

function address(changed) {
  const query = new URLSearchParams(parameters(changed)).toString();
  return query ? `/matches?${query}` : "/matches";
}

const narrowed = parameters({ limit: null }).length > 0;

/** The matches with what spectators are told of those that ended. */
function brought(matches, recent) {
  const endings = new Map(recent.filter(({ ending }) => ending).map((seen) => [seen.match, seen]));
  return matches.map((match) => {
    const seen = match.status === "live" && endings.get(match.id);
    if (!seen) return match;
    const { result, termination, detail, ratings } = seen.ending;
    const told = match.anonymous ? seen.players.map((player) => ({ ...player, rating_change: null })) : match.players;
    const players = told.map((player, seat) => (ratings ? { ...player, rating: ratings[seat].before, rating_change: ratings[seat].after - ratings[seat].before } : player));
    return { ...match, status: "finished", result, termination, detail, players, plies: seen.ply, finished: seen.clocks_at };
  });
}

/** Whether spectators are told of the end of a match that belongs on the page, but was not there when it was made. */
function missing(recent) {
  const there = new Set(first.items.map(({ id }) => id));
  const last = first.next ? first.items.at(-1).id : 0;
  return recent.some(({ match, players }) => match > last && !there.has(match) && (asked.bot == null || players.some((player) => player.bot === asked.bot)));
}

function ByName() {
  const [names, setNames] = useState([]);
  const suggest = () => {
    if (names.length) return;
    ask(`/api/v1/bots?limit=${SUGGESTED}`).then(
      ({ items }) => setNames(items.map(({ name }) => name)),
      () => {}, // a name can be typed without
    );
  };
  return html`
    <form action="/matches" role="search">
      ${parameters({ bot: null }).map(([name, value]) => html`<input type="hidden" key=${name} name=${name} value=${value} />`)}
      <input type="search" name="name" list="names" placeholder="A bot’s name" aria-label="Matches of a bot, by its name" autocomplete="off"
        defaultValue=${unknown ?? ""} onFocus=${suggest} />
      <datalist id="names">${names.map((name) => html`<option key=${name} value=${name} />`)}</datalist>
      <button>Find</button>
    </form>
  `;
}

/** A day; those that ended up to its end are listed. */
function ByDay() {
  const box = useRef(null);
  const chosen = asked.until == null ? "" : new Date(1000 * asked.until - 1);
  const day = chosen && `${chosen.getFullYear()}-${String(chosen.getMonth() + 1).padStart(2, "0")}-${String(chosen.getDate()).padStart(2, "0")}`;
  const go = (event) => {
    event.preventDefault();
    const [year, month, date] = box.current.value.split("-").map(Number);
    const until = year && new Date(year, month - 1, date + 1).getTime() / 1000;
    location.assign(address({ until: until || null, status: asked.status === "live" ? "all" : asked.status }));
  };
  return html`
    <form onSubmit=${go}>
      <label class="muted" for="day">Up to</label>
      <input type="date" id="day" ref=${box} defaultValue=${day} />
      <button>Go</button>
    </form>
  `;
}

/** What narrows the list besides its tabs, each with a way to let it go. */
function Chosen() {
  const chosen = [
    bot && [`Bot ${bot}`, { bot: null }],
    tournament && [`Tournament ${tournament}`, { tournament: null }],
    asked.until != null && [`Before ${moment(asked.until)}`, { until: null }],
  ].filter(Boolean);
  if (!chosen.length) return null;
  return html`
    <ul class="chosen" aria-label="Only">
      ${chosen.map(([text, without]) => html`<li key=${text}><a class="button" href=${address(without)} title=${text} aria-label=${`${text}: show all again`}><span class="ellipsis">${text}</span><span aria-hidden="true">×</span></a></li>`)}
    </ul>
  `;
}

function Nothing() {
  const status = useStatus(!unknown && newest && !narrowed);
  if (unknown)
    return html`<div class="empty"><h2>No bot is called “${unknown}”</h2><p class="muted">A name must be whole; capitals do not matter.</p><a class="button" href="/bots#search">Search the bots</a></div>`;
  if (!newest)
    return html`<div class="empty"><h2>Nothing is older</h2><p class="muted">The first match that fits stands on the page before.</p><a class="button" href=${address({})}>The newest</a></div>`;
  if (narrowed)
    return html`<div class="empty">
      <h2>${asked.status === "live" ? "No such match is going on" : "No match fits"}</h2>
      <p class="muted">${asked.status === "live" ? "One that begins is listed when the page is loaded again." : "Remove a filter, or show all matches."}</p>
      <a class="button" href="/matches">All matches</a>
    </div>`;
  return html`<div class="empty">
    <h2>No match was played yet</h2>
    <p class="muted">Bots that are connected and play the same game are paired. A match is listed here from the next time that the page is loaded.</p>
    <${Preparing} status=${status} />
    <p class="muted">Connect a bot:</p>
    <${Command} text="arena bots add my-bot" />
    <a class="button" href="/connect">How to connect a bot</a>
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
      ${!newest && html`<a class="button" href=${address({})}>The newest</a>`}
    </nav>
  `;
}

function Exports() {
  if (asked.status === "live" || !first.items.length) return null;
  const query = (format) => new URLSearchParams([["format", format], ...parameters({ status: null, limit: null })]);
  return html`<p class="small muted files">All finished ones of this list as a file: ${exports.map((format) => html`<a class="button" key=${format} href=${`/api/v1/matches/export?${query(format)}`} download>${format.toUpperCase()}</a> `)}</p>`;
}

function Matches() {
  const [matches, setMatches] = useState(first.items);
  const [news, setNews] = useState(false);
  // before the next key, which an effect after painting could miss
  useLayoutEffect(() => {
    const go = (way) => [`${way} matches`, () => ways[way] && location.assign(ways[way])];
    return listen({ ArrowLeft: go("newer"), ArrowRight: go("older") });
  }, []);
  useEffect(() => {
    // nothing changes in a list of what is over, nor in one whose top is not shown
    if (unknown || asked.until != null || !(newest || first.items.some(({ status }) => status === "live"))) return undefined;
    return follow(
      () => [{ type: "follow-lobby", game: asked.game, boards: 0 }],
      (message) => {
        if (message.type !== "lobby") return;
        setMatches((before) => brought(before, message.recent ?? []));
        if (newest && !asked.tournament && asked.status !== "live") setNews((before) => before || missing(message.recent ?? []));
      },
    );
  }, []);
  return html`
    <div class="head">
      <h1>Matches</h1>
      <p class="muted" role="status">${news && html`<a class="fresh" href=${address({})}>More have ended: show them</a>`}</p>
      <div class="tabs aside" aria-label="Game">
        <a href=${address({ game: null, tournament: null })} aria-current=${asked.game == null ? "page" : null}>All games</a>
        ${games.map(({ name, title }) => html`<a key=${name} href=${address({ game: name, tournament: null })} aria-current=${name === asked.game ? "page" : null}>${title}</a>`)}
      </div>
    </div>
    <div class="filters matching">
      <div class="tabs" aria-label="How they stand">
        ${STATUSES.map(([status, text]) => html`<a key=${status} href=${address({ status, ...(status === "live" && { until: null }) })} aria-current=${status === asked.status ? "page" : null}>${text}</a>`)}
      </div>
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
