// SPDX-License-Identifier: GPL-3.0-or-later
// A bot: ratings with their history, genomes of bred versions, results by opponent, learned models, matches.

import { Exhibit } from "../exhibit.js";
import { count, moment, rating, signed } from "../format.js";
import { Learned } from "../learned.js";
import { Plot } from "../plot.js";
import { MatchTable } from "../results.js";
import "../shell.js";
import { ask, firstData, html, show, useEffect, useState } from "../view.js";

const { bot, games: { items: games }, matches } = firstData();
const titles = Object.fromEntries(games.map(({ name, title }) => [name, title]));
const SERIES = [{ label: "rating", token: "--accent", steps: true }];

function History({ standing }) {
  const [items, setItems] = useState(null);
  const [problem, setProblem] = useState(null);
  useEffect(() => {
    const query = new URLSearchParams({ game: standing.game, time_class: standing.time_class });
    ask(`/api/v1/bots/${bot.id}/history?${query}`).then(
      (page) => setItems(page.items),
      (error) => setProblem(error.message),
    );
  }, [standing]);
  const data = items && [items.map(({ finished }) => finished), items.map(({ rating }) => rating)];
  return html`
    <div class="plot history surface">
      ${problem && html`<p role="alert" class="loss">${problem}</p>`}
      ${data?.[0].length > 0 && html`<${Plot} data=${data} series=${SERIES} time height=${208} label=${`Rating of ${bot.name} over time`} />`}
    </div>
  `;
}

/** The 95 % interval of a rating difference as text: "−20 to +91". */
function reach([low, high]) {
  return `${low == null ? "−∞" : signed(low)} to ${high == null ? "+∞" : signed(high)}`;
}

function Opponents({ standing }) {
  const [items, setItems] = useState([]);
  const [problem, setProblem] = useState(null);
  useEffect(() => {
    const query = new URLSearchParams({ game: standing.game, time_class: standing.time_class });
    ask(`/api/v1/bots/${bot.id}/opponents?${query}`).then(
      (page) => setItems(page.items),
      (error) => setProblem(error.message),
    );
  }, [standing]);
  if (problem) return html`<p role="alert" class="loss">${problem}</p>`;
  return html`
    <div class="scroll surface">
      <table class="opponents">
        <thead><tr>
          <th>Against</th><th class="number">Games</th><th class="number">Score</th><th class="wide number">W / D / L</th>
          <th class="wide number" title="Elo difference, 95 % interval">Elo</th><th class="number" title="Likelihood of superiority: the probability that this bot is stronger than the opponent">LOS</th>
        </tr></thead>
        <tbody>${items.map(
          (row) => html`<tr key=${row.bot.id}>
            <td class="name"><a href=${`/bots/${row.bot.id}`} title=${row.bot.name}>${row.bot.name}</a></td>
            <td class="number">${count(row.games)}</td>
            <td class=${`number ${row.score > 0.5 ? "win" : row.score < 0.5 ? "loss" : ""}`}>${(100 * row.score).toFixed(1)} %</td>
            <td class="wide number muted">${count(row.wins)} / ${count(row.draws)} / ${count(row.losses)}</td>
            <td class="wide number muted">${reach(row.interval)}</td>
            <td class="number muted">${(100 * row.superiority).toFixed(0)} %</td>
          </tr>`,
        )}</tbody>
      </table>
    </div>
  `;
}

/** The lineage of a genome in one line. The text comes from the breeder and is not trusted. */
function descent({ dynamics, seed, generation, member, refined, "by hand": made }) {
  const list = (value) => (Array.isArray(value) ? value.filter(Boolean) : []);
  return [
    ...(generation != null ? [`bred by ${dynamics} from seed ${seed}, member ${member} of generation ${generation}`] : []),
    ...list(refined).map((one) => `its ${one.what === "both" ? "numbers" : one.what} refined by ${count(one.pairs)} pairs of games from seed ${one.seed}`),
    ...(list(made).length ? [`by hand: ${list(made).join(", ")}`] : []),
  ].map((part) => `; ${part}`).join("");
}

/** The genome of an evolved search, with its lineage. */
function Steered({ found: { version, game, lineage, exhibit } }) {
  return html`
    <section>
      <h2 class="foreign">Genome of version <bdi>${version}</bdi></h2>
      <p class="muted played">${exhibit.schema}, ${count(exhibit.nodes)} nodes a move${descent(lineage ?? {})}</p>
      <${Exhibit} exhibit=${exhibit} game=${games.find(({ name }) => name === game)} />
    </section>
  `;
}

/** The genome of a version and the population where it was bred; nothing for other versions. */
function Genome({ standing: { game, version } }) {
  const [found, setFound] = useState(null);
  useEffect(() => {
    setFound(null);
    if (!bot.bred.some((row) => row.version === version && row.game === game)) return;
    const look = async () => {
      const { items } = await ask(`/api/v1/genomes?game=${encodeURIComponent(game)}`);
      const own = items.find((row) => row.bot_id === bot.id && row.version === version);
      if (!own) return;
      if (own.shown) {
        const query = new URLSearchParams({ bot: bot.name, version });
        setFound({ ...own.genome, ...(await ask(`/api/v1/exhibits?${query}`)) });
        return;
      }
      const name = own.genome.lineage?.population;
      const home = name && (await ask("/api/v1/populations")).items.find((row) => row.name === name);
      setFound({ ...own.genome, home });
    };
    look().catch(() => setFound(null)); // the page is whole without it
  }, [game, version]);
  if (!found) return null;
  if (found.exhibit) return html`<${Steered} found=${found} />`;
  const { values, lineage, home, schema } = found;
  return html`
    <section>
      <h2 class="foreign">Genome of version <bdi>${version}</bdi></h2>
      <p class="muted played">${schema}${lineage?.population && html`, bred in ${home ? html`<a href=${`/populations/${home.id}`}>${home.name}</a>` : lineage.population}, member ${lineage.member} of generation ${lineage.generation}`}</p>
      <div class="scroll surface"><table>
        <thead><tr>${Object.keys(values).map((name) => html`<th class="number" key=${name}>${name}</th>`)}</tr></thead>
        <tbody><tr>${Object.entries(values).map(([name, value]) => html`<td class="number" key=${name}>${Math.abs(value) >= 1000 ? count(Math.round(value)) : value.toFixed(2)}</td>`)}</tr></tbody>
      </table></div>
    </section>
  `;
}

function Bot() {
  const standings = bot.ratings ?? [];
  const [chosen, setChosen] = useState(0);
  const played = standings[chosen]?.game ?? matches.items[0]?.game;
  const shown = games.find(({ name }) => name === played);
  return html`
    <div class="head">
      <h1 class="ellipsis" title=${bot.name}>${bot.name}</h1>
      <p class="muted">${bot.kind === "house" ? "Built-in bot" : "Bot"}${bot.removed ? ", removed" : ""} · since ${moment(bot.created)}</p>
    </div>
    <div class="stack">
      ${bot.description && html`<p class="foreign"><bdi>${bot.description}</bdi></p>`}
      ${standings.length
        ? html`
            <section>
              <div class="scroll surface">
                <table>
                  <thead><tr><th>Game</th><th class="wide">Class</th><th class="wide">Version</th><th class="number">Rating</th><th class="number">Games</th><th class="wide number">W / D / L</th></tr></thead>
                  <tbody>${standings.map(
                    (row, index) => html`<tr key=${index} aria-selected=${index === chosen} onClick=${() => setChosen(index)}>
                      <td><button class="plain" aria-pressed=${index === chosen} onClick=${() => setChosen(index)}>${titles[row.game] ?? row.game}</button></td>
                      <td class="wide muted">${row.time_class}</td>
                      <td class="wide muted foreign"><bdi>${row.version}</bdi></td>
                      <td class="number"><strong>${rating(row.rating, row.provisional)}</strong></td>
                      <td class="number">${count(row.games)}</td>
                      <td class="wide number muted" title=${row.wins_by_failure > 0 ? `${count(row.wins_by_failure)} of the wins: the opponent crashed, disconnected, or sent an invalid message or an illegal move` : null}>${count(row.wins)} / ${count(row.draws)} / ${count(row.losses)}</td>
                    </tr>`,
                  )}</tbody>
                </table>
              </div>
            </section>
            <section>
              <h2>Rating in ${titles[standings[chosen].game] ?? standings[chosen].game}</h2>
              <${History} standing=${standings[chosen]} />
            </section>
            <${Genome} standing=${standings[chosen]} />
            <section>
              <h2>Head to head in ${titles[standings[chosen].game] ?? standings[chosen].game}</h2>
              <${Opponents} standing=${standings[chosen]} />
            </section>
          `
        : html`<div class="empty"><h2>No rated matches yet</h2><p class="muted">The bot gets a rating after its first rated match.</p></div>
            ${bot.bred.length > 0 && html`<${Genome} standing=${bot.bred[0]} />`}`}
      ${shown && html`<${Learned} key=${shown.name} bot=${bot.id} game=${shown} />`}
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
