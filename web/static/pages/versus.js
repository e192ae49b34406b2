// SPDX-License-Identifier: GPL-3.0-or-later
// Two bots against each other: score, difference in rating, results by time class and side, openings, matches.

import { Percent, reach, sum, TallyBar, total } from "../bot/tally.js";
import { count, half, percent, rating, signed, titlesOf } from "../format.js";
import { More, useList } from "../lists.js";
import { Results } from "../parts.js";
import { MatchTable } from "../results.js";
import { visit } from "../root.js";
import "../shell.js";
import { LinkTabs } from "../tabs.js";
import { t, translated } from "../texts.js";
import { ask, firstData, html, messageOf, Problem, show, useState } from "../view.js";

/** @type {{ games: Api.GamesAnswer, versus: Api.VersusAnswer, matches: Api.MatchesAnswer }} */
const { games: { items: games }, versus, matches } = firstData();

const [one, other] = versus.bots;
const titles = titlesOf(games);

/**
 * The address of this page for a game.
 * @param {string} game
 */
const address = (game) => `/bots/${one.id}/versus/${other.id}?${new URLSearchParams({ game })}`;

/** @param {{ bot: Api.LeaderBot }} props */
const Name = ({ bot }) => html`<a href=${`/bots/${bot.id}`} title=${bot.name}><bdi>${bot.name}</bdi></a>`;

/** The score of all matches of the game. */
function Score() {
  return html`
    <div class="versus-score surface">
      <span class="ellipsis"><${Name} bot=${one} /></span>
      <strong class="number">${half(versus.wins + versus.draws / 2)} – ${half(versus.losses + versus.draws / 2)}</strong>
      <span class="ellipsis"><${Name} bot=${other} /></span>
      <${TallyBar} of=${versus} />
      <p class="muted small">${count(versus.wins)} won, ${count(versus.draws)} drawn, ${count(versus.losses)} lost by <bdi>${one.name}</bdi></p>
    </div>
  `;
}

/** The difference in strength, by the matches between both and by the rating list. */
function Differences() {
  const { rated } = versus;
  return html`
    <div class="scroll surface">
      <table>
        <thead><tr><th>Computed from</th><th class="number" title="Difference in points of Elo">Elo</th><th class="number">95 % interval</th><th class="number" title="Likelihood of superiority: the probability that this bot is stronger">LOS</th></tr></thead>
        <tbody>
          <tr>
            <td>Their own matches</td>
            <td class="number"><strong>${versus.elo == null ? "–" : signed(versus.elo)}</strong></td>
            <td class="number muted">${reach(versus.interval)}</td>
            <td class="number muted">${percent(versus.superiority)}</td>
          </tr>
          ${rated
            ? html`<tr>
                <td class="foreign">Rating list, ${translated(rated.time_class)} <span class="muted small">${rating(rated.ratings[0])} and ${rating(rated.ratings[1])}${rated.versions.some((label) => label !== "1") && html`, versions <bdi>${rated.versions[0]}</bdi> and <bdi>${rated.versions[1]}</bdi>`}</span></td>
                <td class="number"><strong>${signed(rated.elo)}</strong></td>
                <td class="number muted">${reach(rated.interval)}</td>
                <td class="number muted">${percent(rated.superiority)}</td>
              </tr>`
            : html`<tr><td colspan="4" class="muted">The rating list does not contain both bots now.</td></tr>`}
        </tbody>
      </table>
    </div>
  `;
}

/** Results by time class and side. */
function Sides() {
  const keys = [...new Set(versus.results.map(({ time_class, rated }) => `${translated(time_class)}${rated ? "" : `, ${t`unrated`}`}`))];
  return html`
    <div class="scroll surface">
      <table class="classes">
        <thead><tr><th>Time class</th><th class="number">Matches</th><th class="number">Score</th><th class="wide number">W / D / L</th><th class="number" title="Score of the matches in which the first bot moved first">Moving first</th><th class="number" title="Score of the matches in which the first bot moved second">Moving second</th></tr></thead>
        <tbody>${keys.map((key) => {
          const of = versus.results.filter(({ time_class, rated }) => key === `${translated(time_class)}${rated ? "" : `, ${t`unrated`}`}`);
          const all = sum(of);
          return html`<tr key=${key}>
            <td>${key}</td>
            <td class="number">${count(total(all))}</td>
            <td class="number"><${Percent} of=${all} /></td>
            <td class="wide number muted"><${Results} of=${all} /></td>
            ${[0, 1].map((seat) => html`<td class="number"><${Percent} of=${sum(of.filter((each) => each.seat === seat))} /></td>`)}
          </tr>`;
        })}</tbody>
      </table>
    </div>
  `;
}

/** The openings that the arena chose for these matches. */
function Openings() {
  return html`
    <div class="scroll surface">
      <table>
        <thead><tr><th>Opening</th><th class="number">Matches</th><th class="number">Score</th><th class="wide">Result</th><th class="wide number">W / D / L</th></tr></thead>
        <tbody>${versus.openings.map((opening) => {
          const moves = opening.moves.join(" ") || (opening.start ? opening.start : t`Start of the game`);
          const name = opening.name ? `${opening.eco} ${opening.name}` : "";
          return html`<tr key=${`${opening.start} ${moves}`}>
            <td class="name"><span class="ellipsis" title=${name ? `${name}: ${moves}` : moves}>${name && html`${name} <span class="muted">${moves}</span>`}${!name && moves}</span></td>
            <td class="number">${count(total(opening))}</td>
            <td class="number"><${Percent} of=${opening} /></td>
            <td class="wide"><${TallyBar} of=${opening} /></td>
            <td class="wide number muted"><${Results} of=${opening} /></td>
          </tr>`;
        })}</tbody>
      </table>
    </div>
  `;
}

/** The matches, newest first; a button shows more. */
function Matches() {
  const list = useList(matches, (after) => {
    /** @type {Record<string, string>} */
    const offered = versus.game !== null && versus.game in titles ? { game: versus.game } : {};
    return ask(/** @type {"/api/v1/matches"} */ (`/api/v1/matches?${new URLSearchParams({ status: "finished", bot: String(one.id), opponent: String(other.id), ...offered, after })}`));
  });
  return html`<${MatchTable} matches=${list.items} games=${games} bot=${one.id} /><${More} list=${list} />`;
}

/** A form that leads to the matches against another bot. */
function Another() {
  const [problem, setProblem] = useState(/** @type {string | null} */ (null));
  /** @param {Event & { currentTarget: HTMLFormElement }} event */
  const go = async (event) => {
    event.preventDefault();
    const text = String(new FormData(event.currentTarget).get("name")).trim();
    if (!text) return;
    try {
      const { bots } = await ask(/** @type {"/api/v1/search"} */ (`/api/v1/search?${new URLSearchParams({ text })}`));
      const found = bots.find(({ name }) => name.toLowerCase() === text.toLowerCase()) ?? bots.find(({ id }) => id !== one.id);
      if (found && found.id !== one.id) visit(`/bots/${one.id}/versus/${found.id}`);
      else setProblem(t`No other bot has “${text}” in its name.`);
    } catch (error) {
      setProblem(messageOf(error));
    }
  };
  return html`
    <form class="filters aside" onSubmit=${go}>
      <input type="search" name="name" maxlength="100" aria-label=${t`Another opponent of ${one.name}`} placeholder="Another opponent" />
      <button type="submit">Show</button>
    </form>
    <${Problem} text=${problem} />
  `;
}

function Versus() {
  const met = versus.games.length > 0;
  return html`
    <div class="head">
      <h1 class="foreign"><bdi>${one.name}</bdi> – <bdi>${other.name}</bdi></h1>
      <${Another} />
    </div>
    ${!met && html`<div class="empty"><h2>No finished matches</h2><p class="muted">These two bots have not played against each other yet.</p><p><a class="button" href=${`/bots/${one.id}`}>All opponents of <bdi>${one.name}</bdi></a></p></div>`}
    ${met && html`
      <div class="filters"><${LinkTabs} label="Game" current=${versus.game} links=${versus.games.map(({ game, matches }) => [game, `${titles[game] ?? game} (${count(matches)})`, address(game)])} /></div>
      <div class="stack">
        <${Score} />
        <section><h2 class="foreign">Difference in strength: <bdi>${one.name}</bdi> minus <bdi>${other.name}</bdi></h2><${Differences} /></section>
        <section><h2>By time class and side</h2><${Sides} /></section>
        <section><h2>Openings</h2><${Openings} /></section>
        <section><h2>Matches</h2><${Matches} /></section>
      </div>`}
  `;
}

show(html`<${Versus} />`);
