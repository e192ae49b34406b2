// SPDX-License-Identifier: GPL-3.0-or-later
// A bot: ratings with their history, results by opponent, sections of features, matches.

import { useAnswer } from "../asking.js";
import { OpeningTree } from "../bot/openings.js";
import { GameResults, Opponents } from "../bot/results.js";
import { Versions } from "../bot/versions.js";
import { count, moment, rating, titlesOf } from "../format.js";
import { Payoff, POINTS } from "../leaders/payoffs.js";
import { Results } from "../parts.js";
import { Plot } from "../plot.js";
import { MatchTable } from "../results.js";
import { prefixed } from "../root.js";
import "../shell.js";
import { t, translated } from "../texts.js";
import { firstData, html, Problem, show, useState } from "../view.js";

/** @type {{ bot: Api.BotDetailAnswer, games: Api.GamesAnswer, matches: Api.MatchesAnswer, sections: { script: string, data: unknown }[] }} */
const { bot, games: { items: games }, matches, sections: added } = firstData();
const titles = titlesOf(games);

/**
 * Properties of a section that a feature adds to this page, with `data` as the feature's server side returned them.
 * Each section is a module that exports the component `Section`.
 * @typedef {object} SectionProps
 * @property {Api.BotDetailAnswer} bot
 * @property {Api.GameAnswer[]} games the games that the arena offers
 * @property {{ game: string, version: string } | undefined} standing the chosen standing, if the bot has one
 * @property {string | undefined} game name of the game of the chosen standing, or else of the newest match
 */
/** @type {{ Section: import("preact").FunctionComponent<SectionProps & { data: any }>, script: string, data: unknown }[]} */
const sections = await Promise.all(added.map(async (one) => ({ ...one, Section: (await import(prefixed(one.script))).Section })));

const SERIES = [{ label: t`rating`, token: "--accent", steps: true }];

/** @param {Api.StandingAnswer} standing */
const queryOf = (standing) => new URLSearchParams({ game: standing.game, time_class: standing.time_class });

/** @param {{ standing: Api.StandingAnswer }} props */
function History({ standing }) {
  const [answer, problem] = useAnswer(`/api/v1/bots/${bot.id}/history?${queryOf(standing)}`);
  const items = answer?.items ?? [];
  const data = [items.map(({ finished }) => finished), items.map(({ rating }) => rating)];
  return html`
    <div class="plot history surface">
      <${Problem} text=${problem} />
      ${items.length > 0 && html`<${Plot} data=${data} series=${SERIES} time height=${208} label=${t`Rating of ${bot.name} over time`} />`}
    </div>
  `;
}

function Bot() {
  const standings = bot.ratings ?? [];
  const [chosen, setChosen] = useState(0);
  const played = standings[chosen]?.game ?? matches.items[0]?.game;
  const game = games.find(({ name }) => name === played);
  const counted = standings.some(({ payoff }) => payoff != null);
  const labels = standings.filter(({ game, time_class }) => game === standings[chosen].game && time_class === standings[chosen].time_class).map(({ version }) => version);
  return html`
    <div class="head">
      <h1 class="ellipsis" title=${bot.name}>${bot.name}</h1>
      <p class="muted">${{ "built-in": t`Built-in bot`, person: t`Person`, own: t`Bot` }[bot.kind]}${bot.removed ? t`, removed` : ""}${bot.off_ladder && html`, <span class="loss">${translated(bot.off_ladder)}</span>`} · since ${moment(bot.created)}</p>
    </div>
    <div class="stack">
      ${bot.description && html`<p class="foreign"><bdi>${bot.description}</bdi></p>`}
      ${standings.length
        ? html`
            <section>
              <div class="scroll surface">
                <table>
                  <thead><tr><th>Game</th><th class="wide">Class</th><th class="wide">Version</th><th class="number">Rating</th><th class="number">Games</th><th class="wide number">W / D / L</th>${counted && html`<th class="wide number" title=${POINTS}>Points a game</th>`}</tr></thead>
                  <tbody>${standings.map(
                    (row, index) => html`<tr key=${index} aria-selected=${index === chosen} onClick=${() => setChosen(index)}>
                      <td><button class="plain" aria-pressed=${index === chosen} onClick=${() => setChosen(index)}>${titles[row.game] ?? row.game}</button>${row.own && html` <span class="muted small">${row.own} against bots of the same owner</span>`}</td>
                      <td class="wide muted">${translated(row.time_class)}</td>
                      <td class="wide muted foreign"><bdi>${row.version}</bdi></td>
                      <td class="number"><strong>${rating(row.rating, row.provisional)}</strong></td>
                      <td class="number">${count(row.games)}</td>
                      <td class="wide number muted" title=${row.wins_by_failure > 0 ? t`${count(row.wins_by_failure)} of the wins: the opponent crashed, disconnected, or sent an invalid message or an illegal move` : null}><${Results} of=${row} /></td>
                      ${counted && html`<${Payoff} item=${row} />`}
                    </tr>`,
                  )}</tbody>
                </table>
              </div>
            </section>
            <section>
              <h2>Rating in ${titles[standings[chosen].game] ?? standings[chosen].game}</h2>
              <${History} standing=${standings[chosen]} />
            </section>
            <section>
              <h2>Head to head in ${titles[standings[chosen].game] ?? standings[chosen].game}</h2>
              <${Opponents} bot=${bot.id} standing=${standings[chosen]} />
            </section>
          `
        : html`<div class="empty"><h2>No rated matches yet</h2><p class="muted">The bot gets a rating after its first rated match.</p></div>`}
      ${game && html`
        <${GameResults} key=${`results ${game.name}`} bot=${bot.id} game=${game.name} title=${translated(game.title)} />
        <section key=${`openings ${game.name}`}>
          <h2>Opening tree in ${translated(game.title)}</h2>
          <${OpeningTree} bot=${bot.id} game=${game} />
        </section>
        ${labels.length > 1 && html`<section key=${`versions ${game.name} ${standings[chosen].time_class}`}>
          <h2>Compare versions in ${translated(game.title)}, ${translated(standings[chosen].time_class)}</h2>
          <${Versions} bot=${bot.id} game=${game.name} timeClass=${standings[chosen].time_class} labels=${labels} />
        </section>`}`}
      ${sections.map(({ Section, script, data }) => html`<${Section} key=${script} bot=${bot} games=${games} standing=${standings[chosen]} game=${played} data=${data} />`)}
      <section>
        <h2>Matches</h2>
        ${matches.items.length
          ? html`<${MatchTable} matches=${matches.items} games=${games} bot=${bot.id} />
              <p class="small files"><a class="button" href=${`/matches?bot=${bot.id}`}>All matches of this bot</a></p>`
          : html`<p class="muted">This bot has not played a match yet.</p>`}
      </section>
    </div>
  `;
}

show(html`<${Bot} />`);
