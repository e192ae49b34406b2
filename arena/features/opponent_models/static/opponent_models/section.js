// SPDX-License-Identifier: GPL-3.0-or-later
// The section of a bot's page with opponent models of it: board patterns, openings, calibration of predicted moves.

import { useAnswer } from "../asking.js";
import { Board } from "../board.js";
import { count, moment, percent } from "../format.js";
import { plural, t, translated } from "../texts.js";
import { html, Problem } from "../view.js";

const SIDE = 220;
const EDGE = 36;

/**
 * Calibration plot: predicted probability against the share of hits.
 * @param {{ steps: Api.StepAnswer[] }} props
 */
function Calibration({ steps }) {
  const marks = [0, 25, 50, 75, 100];
  /** @param {number} share */
  const x = (share) => EDGE + SIDE * share;
  /** @param {number} share */
  const y = (share) => 8 + SIDE * (1 - share);
  return html`
    <svg class="calibration" viewBox=${`0 0 ${EDGE + SIDE + 12} ${SIDE + EDGE + 12}`} role="img" aria-label="Calibration: predicted probability against share of hits, in percent">
      <rect class="frame" x=${EDGE} y="8" width=${SIDE} height=${SIDE} />
      <line class="guide" x1=${x(0)} y1=${y(0)} x2=${x(1)} y2=${y(1)} />
      ${marks.map((mark) => html`
        <text x=${x(mark / 100)} y=${SIDE + 24} text-anchor="middle">${mark}</text>
        <text x=${EDGE - 6} y=${y(mark / 100) + 4} text-anchor="end">${mark}</text>
      `)}
      ${steps.map(({ probability, predicted, hit, interval: [low, high] }) => html`
        <line class="reach" x1=${x(probability)} y1=${y(low)} x2=${x(probability)} y2=${y(high)} />
        <circle cx=${x(probability)} cy=${y(hit / predicted)} r="4"><title>${t`${hit} of ${predicted}`}</title></circle>
      `)}
      <text x=${x(0.5)} y=${SIDE + 40} text-anchor="middle">probability, %</text>
    </svg>
  `;
}

/** @param {{ found: Api.PredictionsAnswer }} props */
function Predictions({ found }) {
  return html`
    <div class="predictions surface">
      <${Calibration} steps=${found.steps} />
      <div>
        <p><strong>${count(found.hit)} of ${count(found.predicted)}</strong> moves were the predicted move with the highest probability (${percent(found.hit / found.predicted)}), in ${plural(found.matches, "{0} match", "{0} matches")}.</p>
        <table>
          <thead><tr><th>Probability</th><th class="number">Hits</th><th class="number">Moves</th><th class="wide number" title="Share of hits, 95 % interval">Interval</th></tr></thead>
          <tbody>${found.steps.map(({ low, high, hit, predicted, interval }) => html`<tr key=${low}>
            <td>${percent(low)} – ${percent(high)}</td><td class="number">${count(hit)}</td><td class="number">${count(predicted)}</td>
            <td class="wide number muted">${percent(interval[0])} – ${percent(interval[1])}</td>
          </tr>`)}</tbody>
        </table>
      </div>
    </div>
  `;
}

/** @typedef {{ line: Api.OpeningLine, after: Branching[] }} Branching */

/**
 * Opening lines as a tree: a line is a child of the nearest earlier line that is its prefix.
 * @param {Api.OpeningLine[]} lines
 */
function grown(lines) {
  /** @type {Branching[]} */
  const roots = [];
  /** @type {Branching[]} */
  const stack = [];
  for (const line of lines) {
    while ((stack.at(-1)?.line.moves.length ?? -1) >= line.moves.length) stack.pop();
    /** @type {Branching} */
    const node = { line, after: [] };
    (stack.at(-1)?.after ?? roots).push(node);
    stack.push(node);
  }
  return roots;
}

/** @param {{ nodes: Branching[], depth?: number }} props */
function Tree({ nodes, depth = 0 }) {
  return html`<ul class="openings">${nodes.map(
    ({ line, after }) => html`<li key=${line.moves.join(" ")}>
      ${after.length
        ? html`<details open=${depth < 1}><summary><${Move} line=${line} /></summary><${Tree} nodes=${after} depth=${depth + 1} /></details>`
        : html`<${Move} line=${line} />`}
    </li>`,
  )}</ul>`;
}

/** @param {{ line: Api.OpeningLine }} props */
const Move = ({ line }) => html`${line.moves.at(-1)} <span class="muted small">${count(line.games)} games, score ${percent(line.score)}</span>`;

/**
 * An opponent model: its accuracy, patterns and openings.
 * @param {{ item: Api.OpponentModelAnswer, game: Api.GameAnswer }} props
 */
export function OpponentModel({ item, game }) {
  const { model } = item;
  const tested = model.held_out;
  const seats = [0, 1].map((seat) => ({
    seat,
    patterns: (model.patterns ?? []).filter((pattern) => pattern.seat === seat),
    tree: grown((model.lines ?? []).filter((line) => line.seat === seat)),
  }));
  return html`
    <p class="muted">Learned by <a href=${`/bots/${item.author_id}`}>${item.author}</a> from ${count(model.games)} games, ${moment(item.updated)}.</p>
    ${tested && tested.moves > 0 && html`<p>A model fitted to the earlier games predicted the moves of the ${count(tested.games)} newest games: <strong>${count(tested.hits)} of ${count(tested.moves)}</strong> moves were its most probable move (${percent(tested.hits / tested.moves)}). A prediction at random is right in ${percent(tested.chance)}.</p>`}
    ${seats.map(({ seat, patterns, tree }) => html`
      <h3>As ${translated(game.seats[seat])}</h3>
      <div class="patterns">${patterns.map((pattern) => html`<figure key=${pattern.diagram}>
        <${Board} board=${game.board} diagram=${pattern.diagram} flipped=${seat !== game.board.bottom} bare title=${t`Pattern in ${pattern.games} of ${pattern.of} games`} />
        <figcaption class="small muted">in ${count(pattern.games)} of ${count(pattern.of)} games, first around move ${pattern.move.toFixed(0)}; score ${percent(pattern.score)}</figcaption>
      </figure>`)}</div>
      ${patterns.length === 0 && html`<p class="muted">No pattern occurred twice.</p>`}
      ${tree.length > 0 ? html`<${Tree} nodes=${tree} />` : html`<p class="muted">No opening occurred twice.</p>`}
    `)}
  `;
}

/**
 * The models of a bot in a game, and the accuracy of predictions; empty without either.
 * @param {{ bot: number, game: Api.GameAnswer, models: Api.OpponentModelAnswer[] }} props
 */
function OpponentModels({ bot, game, models }) {
  const [found, problem] = useAnswer(`/api/v1/bots/${bot}/predictions?${new URLSearchParams({ game: game.name })}`);
  return html`
    <${Problem} text=${problem} />
    ${found && found.predicted > 0 && html`<section><h2>Predictions of its moves in ${translated(game.title)}</h2><${Predictions} found=${found} /></section>`}
    ${models.length > 0 && html`<section class="opponent-models"><h2>Opponent models of this bot in ${translated(game.title)}</h2>
      ${models.map((item) => html`<${OpponentModel} key=${item.author_id} item=${item} game=${game} />`)}
    </section>`}
  `;
}

/** @param {import("../pages/bot.js").SectionProps & { data: Api.OpponentModelsAnswer }} props */
export function Section({ bot, games, game, data }) {
  const shown = games.find(({ name }) => name === game);
  if (!shown) return null;
  return html`<${OpponentModels} key=${shown.name} bot=${bot.id} game=${shown} models=${data.items.filter(({ model }) => model.game === game)} />`;
}
