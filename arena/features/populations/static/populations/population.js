// SPDX-License-Identifier: GPL-3.0-or-later
// The page of a population: weights over generations, players, ratings, ancestors and members.

import { usePolling } from "../asking.js";
import { Family } from "./family.js";
import { count, fixed, rating, signed } from "../format.js";
import { geneName } from "../genomes/genes.js";
import { originName } from "./origins.js";
import { Plot } from "../plot.js";
import { Reading } from "./analysis.js";
import { SharesOverTime } from "../shares.js";
import "../shell.js";
import { t, translated } from "../texts.js";
import { ask, firstData, html, show, useState } from "../view.js";

/** @type {{ title: string, population: Api.PopulationDetailAnswer, genomes: Api.GenomesAnswer }} */
const first = firstData();

const SERIES = [
  { label: t`mean`, token: "--accent" },
  { label: t`mean + σ`, token: "--line" },
  { label: t`mean − σ`, token: "--line" },
  { label: t`standard`, token: "--muted" },
];
const SIGMA = [{ label: "σ", token: "--accent" }];

/**
 * A weight as people read it.
 * @param {number} value
 */
const weight = (value) => (Math.abs(value) >= 1000 ? count(Math.round(value)) : fixed(value, 2));

/** @typedef {Api.GeneSpec & { place: number }} FreeGene */

/**
 * The genes that can change, each with its place.
 * @param {Api.PopulationSpec} spec
 */
const freeGenes = ({ genes }) => genes.map((gene, place) => ({ ...gene, name: geneName(first.population.game, gene.name), place })).filter(({ low, high }) => low < high);

/** @param {{ gene: FreeGene, course: Api.GenerationAnswer[] }} props */
function Gene({ gene, course }) {
  const numbers = course.map(({ number }) => number);
  const unit = gene.high - gene.low >= 10_000 ? 1000 : 1; // an axis has room for few digits
  const mean = course.map((point) => point.mean[gene.place] / unit);
  const sigma = course.map((point) => point.sigma[gene.place] / unit);
  const bands = [1, -1].map((side) => mean.map((value, index) => value + side * sigma[index]));
  const [now, spread] = [mean.at(-1) ?? 0, sigma.at(-1) ?? 0];
  return html`
    <section class="surface plot-card">
      <h2>${gene.name}</h2>
      <p class="muted">${weight(now)} ± ${weight(spread)}, standard ${weight(gene.standard / unit)}${unit > 1 && t`, in thousands`}</p>
      <${Plot} data=${[numbers, mean, ...bands, mean.map(() => gene.standard / unit)]} series=${SERIES}
        label=${t`${gene.name} over generations: mean, standard deviation, and the standard value`} />
      <${Plot} data=${[numbers, sigma]} series=${SIGMA} height=${72} label=${t`σ of ${gene.name} over generations`} />
    </section>
  `;
}

/** @param {Api.MemberReport} member */
function origin({ origin, parents, name }) {
  if (name) return t`foreign genome ${name}`;
  return parents?.length ? t`${originName(origin)} of ${parents.join(t` and `)}` : originName(origin);
}

/**
 * How strong a member is: on the ladder, where it plays there itself, or else as it or its forebear was last tried.
 * @param {{ member: Api.MemberReport, population: Api.PopulationDetailAnswer }} props
 */
function Strength({ member, population: { spec, ratings, forebears, reading } }) {
  const rated = ratings.find((row) => row.member === member.number);
  if (rated) return html`<a href=${`/bots/${rated.bot_id}`} title=${t`${rated.games} games`}>${rating(rated.rating, rated.games < 20)}</a>`;
  if (spec.decided) return "–"; // numbers of two kinds in one column would be compared
  const tried = forebears.find((row) => row.member === member.number)?.tried;
  const player = tried != null && reading?.players.find((row) => row.member === tried);
  if (!player) return "–";
  return tried === member.number ? signed(player.rating) : html`<span class="muted" title=${t`measured for its ancestor, member ${tried}`}>${signed(player.rating)}</span>`;
}

/** @param {{ population: Api.PopulationDetailAnswer, newest: Api.GenerationReport, genes: FreeGene[] }} props */
function Members({ population, newest: { members, best }, genes }) {
  const { spec } = population;
  return html`<div class="scroll surface"><table>
    <thead><tr>
      <th class="number">Member</th><th class="number" title=${spec.decided ? t`Rating on the ladder` : t`Elo points above the standard weights, in the last test`}>Rating</th>${genes.map(({ name }) => html`<th class="number" key=${name}>${name}</th>`)}
      <th class="wide number">Born</th><th class="wide">Origin</th>
    </tr></thead>
    <tbody>${members.map(
      (member) => html`<tr key=${member.number} aria-selected=${member.number === best}>
        <td class="number">${member.number === best ? html`<strong>${member.number}</strong>` : member.number}</td>
        <td class="number"><${Strength} member=${member} population=${population} /></td>
        ${genes.map(({ name, place }) => html`<td class="number" key=${name}>${weight(member.values[place])}</td>`)}
        <td class="wide number muted">${member.born}</td>
        <td class="wide muted">${origin(member)}</td>
      </tr>`,
    )}</tbody>
  </table></div>`;
}

/** @param {{ genomes: Api.GenomeAnswer[], champion?: string | null }} props */
function Champions({ genomes, champion }) {
  if (!genomes.length) return html`<p class="muted">The first champion enters the ladder after a few generations.</p>`;
  return html`<div class="scroll surface"><table>
    <thead><tr><th>Bot</th><th class="wide">Version</th><th class="number">Rating</th><th class="number">Games</th></tr></thead>
    <tbody>${genomes.map(
      (row) => html`<tr key=${row.version} aria-selected=${row.version === champion}>
        <td class="name"><a href=${`/bots/${row.bot_id}`}>${row.bot}</a></td>
        <td class="wide muted"><bdi>${row.version}</bdi></td>
        <td class="number">${row.rating == null ? "–" : rating(row.rating, row.games < 20)}</td>
        <td class="number"><a href=${`/bots/${row.bot_id}`} title=${t`The games of ${row.bot}`}>${count(row.games)}</a></td>
      </tr>`,
    )}</tbody>
  </table></div>`;
}

/**
 * Matches that are played for the population.
 * @param {{ newest: Api.GenerationReport }} props
 */
function Played({ newest: { trial, tournament } }) {
  const links = [
    trial && html`<a href=${`/tournaments/${trial}`}>challenger against champion</a>`,
    tournament && html`<a href=${`/tournaments/${tournament}`}>games of this generation</a>`,
  ].filter(Boolean);
  return links.length > 0 && html`<p class="muted played">Rated matches: ${links.map((link, place) => [place > 0 && ", ", link])}.</p>`;
}

/**
 * The strategies of the members over the generations.
 * @param {{ shares: Api.SharesOverTime }} props
 */
const Strategies = ({ shares }) => html`
  <section>
    <h2>Strategies over the generations</h2>
    <p class="muted">Each member counts for the named strategy that is nearest to it. The payoffs of the mean members of the strategies against each other show which strategies can invade.</p>
    <${SharesOverTime} course=${shares} who=${t`Strategy`} label=${t`Shares of the strategies from generation ${count(shares.numbers[0])} to ${count(shares.numbers.at(-1) ?? 0)}; the table has the numbers`} />
  </section>
`;

function Population() {
  const [population, setPopulation] = useState(first.population);
  const [genomes, setGenomes] = useState(first.genomes.items);
  usePolling(async () => {
    setPopulation(await ask(`/api/v1/populations/${first.population.id}`));
    setGenomes((await ask(`/api/v1/genomes?game=${encodeURIComponent(first.population.game)}`)).items);
  });
  const { spec, course, newest, lineage, family, reading, shares } = population;
  const genes = freeGenes(spec);
  return html`
    <div class="head">
      <h1 class="ellipsis" title=${population.name}><bdi>${population.name}</bdi></h1>
      <p class="muted">${translated(first.title)} · ${population.dynamics} · seed ${spec.seed} · ${spec.decided && html`<a href="/tournaments">fitness from rated matches</a> · `}<span id="generations">generation ${newest ? newest.number : "–"}</span>${newest && t`, ${count(newest.games)} games`}</p>
    </div>
    ${newest
      ? html`<div class="stack">
          ${shares && html`<${Strategies} shares=${shares} />`}
          <div class="plot-cards">${genes.map((gene) => html`<${Gene} key=${gene.name} gene=${gene} course=${course} />`)}</div>
          ${!shares && html`<section><h2>Champions and other genomes on the ladder</h2><${Champions} genomes=${genomes} champion=${newest.champion} /><${Played} newest=${newest} /></section>`}
          ${reading && html`<section><h2>Strength of the members</h2><${Reading} reading=${reading} /></section>`}
          <section><h2>Family tree</h2><${Family} family=${family} best=${newest.best} newest=${newest.number} /></section>
          <section>
            <h2>Lineage of the best member</h2>
            <ol class="lineage surface">${lineage.map((member) => html`<li key=${member.number}><strong>${member.number}</strong> <span class="muted">generation ${member.born}, ${origin(member)}</span></li>`)}</ol>
          </section>
          <section><h2>Members</h2><${Members} population=${population} newest=${newest} genes=${genes} /></section>
        </div>`
      : html`<div class="empty"><h2>No generation yet</h2><p class="muted">The first generation appears here when the process that evolves this population reports it.</p></div>`}
  `;
}

show(html`<${Population} />`);
