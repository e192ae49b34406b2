// SPDX-License-Identifier: GPL-3.0-or-later
// The players of a new tournament: search by name with ratings, and the list in the order of the seeds.

import { rating } from "../format.js";
import { plural, t } from "../texts.js";
import { ask, html, useEffect, useRef, useState } from "../view.js";
import { idOf } from "./fields.js";

const [PAUSE, SHOWN, BEST] = [150, 8, 8]; // ms after the last key; suggestions; bots that a button adds

/** @typedef {import("./description.js").Player} Player */
/** @typedef {{ value: number, provisional: boolean }} Rating */
/** @typedef {{ name: string, rated?: Rating }} Suggestion */

/**
 * The ratings of the bots of a game by name, the best first.
 * @param {string} game
 */
function useRatings(game) {
  const [ratings, setRatings] = useState(/** @type {Map<string, Rating>} */ (new Map()));
  useEffect(() => {
    let stale = false;
    setRatings(new Map());
    if (!game) return undefined;
    ask(`/api/v1/leaderboard?${new URLSearchParams({ game, system: "elo", limit: "500" })}`).then(({ items }) => {
      // a bot has a rating for each version; the best one is shown
      if (!stale) setRatings(new Map(items.map(({ bot, rating: value, provisional }) => /** @type {const} */ ([bot.name, { value, provisional }])).toReversed()));
    }, () => {}); // without ratings the search by name still works
    return () => void (stale = true);
  }, [game]);
  return ratings;
}

/**
 * The names of bots that contain a text.
 * @param {string} text
 */
function useNames(text) {
  const [names, setNames] = useState(/** @type {string[]} */ ([]));
  useEffect(() => {
    let stale = false;
    setNames([]);
    if (!text) return undefined;
    const timer = setTimeout(() => ask(`/api/v1/search?text=${encodeURIComponent(text)}`).then(({ bots }) => stale || setNames(bots.map(({ name }) => name)), () => {}), PAUSE);
    return () => {
      stale = true;
      clearTimeout(timer);
    };
  }, [text]);
  return names;
}

/** @param {{ rated?: Rating }} props */
const Shown = ({ rated }) => html`<span class="muted number">${rated ? rating(rated.value, rated.provisional) : t`no rating`}</span>`;

/**
 * The box that finds bots; ``add(name)`` adds one.
 * @param {{ ratings: Map<string, Rating>, chosen: Set<string>, error?: string, add: (name: string) => void }} props
 */
function Search({ ratings, chosen, error, add }) {
  const [written, setWritten] = useState("");
  const [open, setOpen] = useState(false);
  const [place, setPlace] = useState(0);
  const text = written.trim();
  const found = useNames(text);
  const rated = [...ratings.keys()].sort((one, other) => (ratings.get(other)?.value ?? 0) - (ratings.get(one)?.value ?? 0));
  const names = new Set([...rated.filter((name) => name.toLowerCase().includes(text.toLowerCase())), ...found]);
  const suggestions = [...names].filter((name) => !chosen.has(name)).slice(0, SHOWN);
  const current = open && suggestions.length ? Math.min(place, suggestions.length - 1) : -1;
  /** @param {string} name */
  const choose = (name) => {
    add(name);
    setWritten("");
    setPlace(0);
  };
  /** @param {KeyboardEvent} event */
  const press = (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step && suggestions.length) {
      event.preventDefault();
      setPlace(open ? (current + step + suggestions.length) % suggestions.length : 0);
      setOpen(true);
    } else if (event.key === "Enter") {
      event.preventDefault(); // it adds a bot and does not send the form
      if (current >= 0) choose(suggestions[current]);
    } else if (event.key === "Escape") setOpen(false);
  };
  /** @param {InputEvent & { currentTarget: HTMLInputElement }} event */
  const write = (event) => {
    setWritten(event.currentTarget.value);
    setPlace(0);
    setOpen(true);
  };
  const id = idOf("entries");
  return html`
    <div class="field finding">
      <label for=${id}>Add a bot</label>
      <input id=${id} type="text" role="combobox" autocomplete="off" spellcheck=${false} aria-expanded=${String(current >= 0)} aria-controls="new-found" aria-autocomplete="list"
        aria-activedescendant=${current < 0 ? null : `new-found-${current}`} aria-describedby=${`${id}-note`} aria-invalid=${error ? "true" : null}
        value=${written} onInput=${write} onKeyDown=${press} onFocus=${() => setOpen(true)} onBlur=${() => setOpen(false)} />
      <ul id="new-found" class="surface" role="listbox" aria-label="Bots" hidden=${current < 0}>
        ${suggestions.map((name, index) => html`<li key=${name} id=${`new-found-${index}`} role="option" aria-selected=${String(index === current)}
          onPointerDown=${(/** @type {PointerEvent} */ event) => event.preventDefault()} onClick=${() => choose(name)}><bdi class="ellipsis">${name}</bdi><${Shown} rated=${ratings.get(name)} /></li>`)}
      </ul>
      <p id=${`${id}-note`} class=${`note small ${error ? "loss" : "muted"}`}>${error ? `✗ ${error}` : t`Type a part of a name; arrow keys choose, Enter adds.`}</p>
    </div>
  `;
}

/**
 * The players; ``change`` gets another list.
 * @param {{ game: string, players: Player[], hint: string, error?: string, change: (players: Player[]) => void }} props
 */
export function Players({ game, players, hint, error, change }) {
  const ratings = useRatings(game);
  const [focus, setFocus] = useState("");
  const list = useRef(/** @type {HTMLOListElement | null} */ (null));
  useEffect(() => {
    if (focus) document.getElementById(focus)?.focus();
    setFocus("");
  }, [focus]);
  const chosen = new Set(players.map(({ name }) => name));
  /** @param {string[]} names */
  const added = (names) => change([...players, ...names.filter((name) => !chosen.has(name)).map((name) => ({ name, time_control: "" }))]);
  /** @param {number} from @param {number} to @param {string} way */
  const move = (from, to, way) => {
    if (to < 0 || to >= players.length) return;
    change(players.toSpliced(from, 1).toSpliced(to, 0, players[from]));
    setFocus(`new-${way}-${to}`);
  };
  /** @param {number} place */
  const drop = (place) => {
    change(players.toSpliced(place, 1));
    setFocus(idOf("entries"));
  };
  /** @param {number} place @param {string} own */
  const time = (place, own) => change(players.with(place, { ...players[place], time_control: own }));
  /** @param {Player} player */
  const value = ({ name }) => ratings.get(name)?.value ?? -Infinity;
  const best = [...ratings.keys()].toSorted((one, other) => (ratings.get(other)?.value ?? 0) - (ratings.get(one)?.value ?? 0)).filter((name) => !chosen.has(name)).slice(0, BEST);
  return html`
    <${Search} ratings=${ratings} chosen=${chosen} error=${error} add=${(/** @type {string} */ name) => added([name])} />
    <p class="buttons">
      <button type="button" aria-disabled=${!best.length} onClick=${() => added(best)}>Add the ${BEST} best by rating</button>
      <button type="button" aria-disabled=${players.length < 2} onClick=${() => change(players.toSorted((one, other) => value(other) - value(one)))}>Sort by rating</button>
    </p>
    <p class="small muted" role="status">${plural(players.length, "{0} bot", "{0} bots")}. ${hint}</p>
    <ol ref=${list} class="entrants">
      ${players.map(({ name, time_control: own }, place) => html`<li key=${name}>
        <span class="muted number">${place + 1}</span>
        <bdi class="ellipsis" title=${name}>${name}</bdi>
        <${Shown} rated=${ratings.get(name)} />
        <input type="text" aria-label=${t`Own time control of ${name}`} placeholder="same as all" value=${own} onInput=${(/** @type {InputEvent & { currentTarget: HTMLInputElement }} */ event) => time(place, event.currentTarget.value)} />
        <span class="order">
          <button type="button" id=${`new-up-${place}`} aria-label=${t`Move ${name} up`} aria-disabled=${place === 0} onClick=${() => move(place, place - 1, "up")}>↑</button>
          <button type="button" id=${`new-down-${place}`} aria-label=${t`Move ${name} down`} aria-disabled=${place === players.length - 1} onClick=${() => move(place, place + 1, "down")}>↓</button>
          <button type="button" aria-label=${t`Remove ${name}`} onClick=${() => drop(place)}>✕</button>
        </span>
      </li>`)}
    </ol>
  `;
}
