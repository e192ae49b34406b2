// SPDX-License-Identifier: GPL-3.0-or-later
// The search explorer: choose a position and a search, and step through the tree that the search walks.

import { useAnswer } from "../asking.js";
import { Board } from "../board.js";
import { count } from "../format.js";
import "../shell.js";
import { withStyles } from "../styles.js";
import { Tabs } from "../tabs.js";
import { t } from "../texts.js";
import { firstData, html, Problem, show, useEffect, useMemo, useRef, useState } from "../view.js";
import { readAddress, treeAddress, writeAddress } from "./address.js";
import { CountTable } from "./counts.js";
import { Drawing } from "./drawing.js";
import { KINDS, layout, openNodes, rangeOf, walkOf } from "./model.js";
import { Outline } from "./outline.js";
import { Setup } from "./setup.js";

/** @type {{ games: Api.GamesAnswer, algorithms: { name: string, description: string }[], choices: Record<string, string[]>, most_depth: number }} */
const { games: { items: games }, algorithms, choices, most_depth: mostDepth } = firstData();
await withStyles(games.map(({ board }) => board));
const descriptions = Object.fromEntries(algorithms.map(({ name, description }) => [name, description]));

function Explorer() {
  const [wanted, setWanted] = useState(() => readAddress(location.search, games[0]?.name ?? ""));
  useEffect(() => {
    const back = () => setWanted(readAddress(location.search, games[0]?.name ?? ""));
    addEventListener("popstate", back);
    return () => removeEventListener("popstate", back);
  }, []);
  /** @param {Partial<import("./address.js").Wanted>} changes */
  const change = (changes, replace = false) => {
    const next = { ...wanted, ...changes };
    setWanted(next);
    history[replace ? "replaceState" : "pushState"](null, "", writeAddress(next));
  };
  const game = games.find((each) => each.name === wanted.game);
  const [found, problem] = useAnswer(treeAddress(wanted));
  const shown = found && asked(found, wanted) ? found : null;
  if (!game) return html`<h1>Search explorer</h1><p class="loss" role="alert">This server does not offer the game ${wanted.game}.</p>`;
  return html`
    <div class="head"><h1>Search explorer</h1></div>
    <div class="explorer">
      <${Setup} games=${games} game=${game} algorithms=${choices[game.name]} descriptions=${descriptions} mostDepth=${mostDepth} wanted=${wanted} change=${change} />
      <div class="explorer-main">
        <${Problem} text=${wanted.algorithm ? problem : null} />
        ${shown
          ? html`<${Tree} key=${treeAddress(wanted)} explanation=${shown} game=${game} wanted=${wanted} change=${change} />`
          : !problem || !wanted.algorithm
            ? html`<div class="empty"><h2>${wanted.algorithm ? t`The server is searching…` : t`No search yet`}</h2>
                <p class="muted" role="status">${wanted.algorithm ? t`The first search after a pause takes a few seconds.` : t`Choose a position, an algorithm and a small depth, and press Search. The tree of the search appears here.`}</p></div>`
            : null}
        <div class="explorer-compare">
          <h2><button class="button" aria-expanded=${wanted.compare} onClick=${() => change({ compare: !wanted.compare }, true)}>Compare algorithms</button></h2>
          ${wanted.compare && html`<${CountTable} wanted=${wanted} descriptions=${descriptions} />`}
        </div>
      </div>
    </div>
  `;
}

/**
 * Whether an answer is the tree that the page asks for: the answer before it stays until the next one comes.
 * @param {Api.Explanation} found
 * @param {import("./address.js").Wanted} wanted
 */
const asked = (found, { game, algorithm, depth, evaluation }) =>
  found.game === game && found.algorithm === algorithm && found.depth === depth && (!evaluation || found.evaluation === evaluation);

/**
 * @param {{ explanation: Api.Explanation, game: Api.GameAnswer, wanted: import("./address.js").Wanted,
 *   change: (changes: Partial<import("./address.js").Wanted>, replace?: boolean) => void }} props
 */
function Tree({ explanation, game, wanted, change }) {
  const [tab, setTab] = useState(/** @type {"drawing" | "list"} */ ("drawing"));
  const walk = useMemo(() => walkOf(explanation), [explanation]);
  const depths = [...new Set(explanation.tree.map(({ iteration }) => iteration))];
  const iteration = wanted.iteration != null && depths.includes(wanted.iteration) ? wanted.iteration : depths[depths.length - 1];
  const range = rangeOf(walk, iteration);
  const step = Math.min(Math.max(wanted.step ?? range[1], range[0]), range[1]);
  const toggled = new Set(wanted.toggled);
  const open = openNodes(walk, range, toggled, step);
  const drawn = useMemo(() => layout(walk, range, open), [walk, iteration, [...open].join()]);
  /** @param {number} number */
  const choose = (number) => change({ step: Math.min(Math.max(number, range[0]), range[1]) }, true);
  /** @param {number} number */
  const toggle = (number) => {
    if (!toggled.delete(number)) toggled.add(number);
    change({ toggled: [...toggled] }, true);
  };
  const node = walk.nodes[step];

  const press = useRef(/** @type {(event: KeyboardEvent) => void} */ (() => {}));
  // set when the page is drawn: the next key may come before effects run
  press.current = (event) => {
    const target = /** @type {HTMLElement} */ (event.target);
    if (event.ctrlKey || event.metaKey || event.altKey || target.closest("input, select, textarea, [role=grid], [role=tablist]")) return;
    /** @type {Record<string, () => void>} */
    const keys = {
      ArrowRight: () => choose(step + 1),
      ArrowLeft: () => choose(step - 1),
      ArrowUp: () => node.parent != null && choose(node.parent),
      ArrowDown: () => walk.children[step].length && choose(walk.children[step][0]),
      Home: () => choose(range[0]),
      End: () => choose(range[1]),
      Enter: () => toggle(step),
    };
    if (event.key === "Enter" && target.closest("button, a")) return;
    if (!Object.hasOwn(keys, event.key)) return;
    event.preventDefault();
    keys[event.key]();
  };
  useEffect(() => {
    /** @param {KeyboardEvent} event */
    const key = (event) => press.current(event);
    document.addEventListener("keydown", key);
    return () => document.removeEventListener("keydown", key);
  }, []);

  return html`
    <div class="explorer-facts">
      <span>${explanation.complete ? html`<b>${count(explanation.nodes)}</b> nodes` : html`The tree is cut off after <b>${count(explanation.tree.length)}</b> visits. Choose a smaller depth.`}</span>
      ${explanation.line.length > 0 && html`<span>best line <b class="foreign">${explanation.line.join(" ")}</b></span>`}
      ${depths.length > 1 && html`<label>Iteration <select value=${String(iteration)} onChange=${(/** @type {{ currentTarget: HTMLSelectElement }} */ event) => change({ iteration: Number(event.currentTarget.value), step: null, toggled: [] }, true)}>
        ${depths.map((depth) => html`<option key=${depth} value=${String(depth)}>depth ${depth}</option>`)}
      </select></label>`}
    </div>
    <div class="explorer-step">
      <div class="explorer-board"><${Board} board=${game.board} diagram=${node.diagram} squares=${node.squares} bare=${true} title=${t`Position at step ${step - range[0] + 1}`} /></div>
      <div class="explorer-words">
        <div class="explorer-steps">
          <button class="button" aria-label="First step" title="First step (Home)" onClick=${() => choose(range[0])}>«</button>
          <button class="button" aria-label="Step back" title="Step back (←)" onClick=${() => choose(step - 1)}>‹</button>
          <span>step ${count(step - range[0] + 1)} of ${count(range[1] - range[0] + 1)}</span>
          <button class="button" aria-label="Step on" title="Step on (→)" onClick=${() => choose(step + 1)}>›</button>
          <button class="button" aria-label="Last step" title="Last step (End)" onClick=${() => choose(range[1])}>»</button>
        </div>
        <p aria-live="polite" class="explorer-says"><b>${KINDS[node.kind]}</b> ${node.words}</p>
        <p class="muted explorer-keys">Keys: ← → step, ↑ parent, ↓ first move, Enter opens or closes, + − 0 zoom.</p>
      </div>
    </div>
    <${Tabs} label="Form of the tree" tabs=${[["drawing", t`Drawing`], ["list", t`List`]]} current=${tab} choose=${setTab} />
    ${tab === "drawing"
      ? html`<${Drawing} walk=${walk} win=${explanation.win} focus=${wanted.step == null ? range[0] : step} places=${drawn.places} width=${drawn.width} height=${drawn.height} open=${open} step=${step} choose=${choose} toggle=${toggle} />
          <p class="muted explorer-legend">⌂ max: the side to move at the top. An upside-down ⌂ is min, an ellipse is a roll of the dice. Below a node: its bounds at entry. ✂ moves that were not searched because of a cut, − other moves that were skipped, ▤ value from the table, ■ end of the game. Thick lines: the best line.</p>`
      : html`<${Outline} walk=${walk} range=${range} open=${open} step=${step} choose=${choose} toggle=${toggle} />`}
  `;
}

show(html`<${Explorer} />`);
