// SPDX-License-Identifier: GPL-3.0-or-later
// How the members of a population stand among each other, and what selection would make of them.

import { Legend } from "../drawing.js";
import { percent, signed } from "../format.js";
import { Plot } from "../plot.js";
import { t } from "../texts.js";
import { html } from "../view.js";

const TOKENS = ["--accent", "--win", "--loss", "--last", "--muted"]; // as many lines as can be told apart

/** @type {Record<string, string>} */
const REFERENCES = { "standard weights": t`standard weights`, "the champion": t`the champion` };

/** @param {number | null | undefined} value */
const share = (value) => (value == null ? "–" : percent(value, value < 0.1 ? 1 : 0));

/**
 * The Elo difference between a player and the reference players, with its interval.
 * @param {Api.PlayerReading} player
 */
const strength = ({ rating, interval: [low, high] }) => low === high ? "0" : html`${signed(rating)} <span class="wide muted">${signed(low)} to ${signed(high)}</span>`;

/** @param {{ players: Api.PlayerReading[] }} props */
function Course({ players }) {
  const told = players.filter(({ replicator }) => replicator.length).sort((one, other) => (other.replicator.at(-1) ?? 0) - (one.replicator.at(-1) ?? 0));
  if (told.length < 2) return null;
  const lines = told.slice(0, TOKENS.length);
  const times = lines[0].replicator.map((_, time) => time);
  const series = lines.map(({ name }, place) => ({ label: name, token: TOKENS[place] }));
  return html`
    <div class="surface course">
      <p class="muted small">Shares of members over time under selection alone (replicator dynamics); the ${lines.length} members with the highest final shares: <${Legend} lines=${lines.map(({ name, member }, place) => [TOKENS[place], member ?? name])} /></p>
      <${Plot} data=${[times, ...lines.map(({ replicator }) => replicator)]} series=${series} label="Shares of members by replicator dynamics over time" />
    </div>
  `;
}

/** @param {{ reading: Api.ReadingView }} props */
export function Reading({ reading }) {
  const { players, games, generation } = reading;
  return html`
    <p class="muted small">Test in generation ${generation}: ${games} unrated games between every two players. Elo points above the standard weights, with 95 % intervals.</p>
    <div class="stack">
      <div class="scroll surface"><table class="reading">
        <thead><tr>
          <th>Player</th><th class="number">Elo</th>
          <th class="number" title="Long-run share of time that a population plays as this player">α-Rank</th>
          <th class="number" title="Probability in the maximum-entropy equilibrium">Nash</th>
          <th class="wide number" title="Long-run share of the members under selection alone">Replicator</th>
          <th class="number" title="Probability that this member takes over the population, by selection and chance">Moran</th>
        </tr></thead>
        <tbody>${players.map(
          (player) => html`<tr key=${player.name}>
            <td class="name">${player.member == null ? html`<em>${REFERENCES[player.name] ?? player.name}</em>` : t`member ${player.member}`}</td>
            <td class="number">${strength(player)}</td>
            <td class="number">${share(player.alpha_rank)}</td>
            <td class="number">${share(player.nash)}</td>
            <td class="wide number">${share(player.replicator.at(-1))}</td>
            <td class="number">${share(player.moran)}</td>
          </tr>`,
        )}</tbody>
      </table></div>
      <${Course} players=${players} />
    </div>
  `;
}
