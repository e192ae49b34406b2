// SPDX-License-Identifier: GPL-3.0-or-later
// The section of a bot's page with the genome of its version.

import { count, fixed } from "../format.js";
import { t } from "../texts.js";
import { ask, html, useEffect, useState } from "../view.js";
import { geneName } from "./genes.js";
import { GenomeView } from "./genome_view.js";

/**
 * Parts of a genome that this section shows. The API passes genomes on as their authors wrote them.
 * @typedef {{ what: string, pairs: number, seed: number }} Refinement
 * @typedef {{ population?: string, dynamics?: string, seed?: number, member?: number, generation?: number, refined?: Refinement[], "by hand"?: string[] }} Lineage
 * @typedef {{ schema: string, values: Record<string, number>, lineage?: Lineage | null }} Weights
 */

/**
 * The lineage of a genome in one line. The text comes from the breeder and is not trusted.
 * @param {Lineage} lineage
 */
function descent({ dynamics, seed, generation, member, refined, "by hand": made }) {
  /**
   * @template Item
   * @param {Item[] | undefined} value
   */
  const list = (value) => (Array.isArray(value) ? value.filter(Boolean) : []);
  return [
    ...(generation != null ? [t`evolved by ${dynamics} with seed ${seed}, member ${member} of generation ${generation}`] : []),
    ...list(refined).map((one) => t`${one.what === "both" ? t`numbers` : one.what === "search" ? t`search parameters` : one.what} tuned by ${count(one.pairs)} pairs of games with seed ${one.seed}`),
    ...(list(made).length ? [t`changed by hand: ${list(made).join(", ")}`] : []),
  ].map((part) => `; ${part}`).join("");
}

/**
 * The genome of an evolved search, with its lineage.
 * @param {{ found: Api.GenomeViewAnswer, lineage?: Lineage | null, games: Api.GameAnswer[] }} props
 */
function Search({ found: { version, game, view }, lineage, games }) {
  return html`
    <section>
      <h2 class="foreign">Genome of version <bdi>${version}</bdi></h2>
      <p class="muted played">${view.schema}, ${count(view.nodes)} nodes a move${descent(lineage ?? {})}</p>
      <${GenomeView} view=${view} game=${games.find(({ name }) => name === game)} />
    </section>
  `;
}

/**
 * The number of a population, if the server has one of this name.
 * @param {string} name
 */
async function populationOf(name) {
  const { items } = await ask("/api/v1/populations").catch(() => ({ items: [] })); // the arena may run without populations
  return items.find((row) => row.name === name)?.id;
}

/**
 * The genome of a version and the population where it evolved; nothing for other versions.
 * @param {import("../pages/bot.js").SectionProps & { data: Api.BotGenomesAnswer }} props
 */
export function Section({ bot, games, standing, data }) {
  const { game, version } = standing ?? data.items[0] ?? { game: "", version: "" };
  const [found, setFound] = useState(/** @type {{ genome: Weights, viewed?: Api.GenomeViewAnswer, home?: number } | null} */ (null));
  useEffect(() => {
    let stale = false; // another version is shown by now
    setFound(null);
    if (!data.items.some((row) => row.version === version && row.game === game)) return undefined;
    const look = async () => {
      const { items } = await ask(`/api/v1/genomes?game=${encodeURIComponent(game)}`);
      const own = items.find((row) => row.bot_id === bot.id && row.version === version);
      if (!own) return null;
      const genome = /** @type {Weights} */ (own.genome);
      if (own.has_view) {
        const query = new URLSearchParams({ bot: bot.name, version });
        return { genome, viewed: await ask(`/api/v1/genome-views?${query}`) };
      }
      const name = genome.lineage?.population;
      return { genome, home: name ? await populationOf(name) : undefined };
    };
    look().then((looked) => stale || setFound(looked), () => {}); // the page is whole without it
    return () => void (stale = true);
  }, [game, version]);
  if (!found) return null;
  const { genome: { values, lineage, schema }, viewed, home } = found;
  if (viewed) return html`<${Search} found=${viewed} lineage=${lineage} games=${games} />`;
  const population = lineage?.population;
  return html`
    <section>
      <h2 class="foreign">Genome of version <bdi>${version}</bdi></h2>
      <p class="muted played">${schema}${population && html`, evolved in ${home ? html`<a href=${`/populations/${home}`}>${population}</a>` : population}, member ${lineage.member} of generation ${lineage.generation}`}</p>
      <div class="scroll surface"><table>
        <thead><tr>${Object.keys(values).map((name) => html`<th class="number" key=${name}>${geneName(schema, name)}</th>`)}</tr></thead>
        <tbody><tr>${Object.entries(values).map(([name, value]) => html`<td class="number" key=${name}>${Math.abs(value) >= 1000 ? count(Math.round(value)) : fixed(value, 2)}</td>`)}</tr></tbody>
      </table></div>
    </section>
  `;
}
