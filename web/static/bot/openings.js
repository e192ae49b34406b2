// SPDX-License-Identifier: GPL-3.0-or-later
// The opening tree of a bot: the first moves of its newest matches by frequency, opened node by node, beside a board.

import { Board } from "../board.js";
import { targetOf } from "../drawing.js";
import { count, percent } from "../format.js";
import { plural, t } from "../texts.js";
import { ask, html, messageOf, Problem, useEffect, useRef, useState } from "../view.js";
import { share, TallyBar } from "./tally.js";

/** @typedef {{ path: string, child: Api.OpeningMove, level: number }} Row */

/** @param {string} path */
const parentOf = (path) => path.slice(0, Math.max(0, path.lastIndexOf(",")));

/**
 * The visible rows below a node, in order. ``nodes``: the loaded nodes by their moves; ``open``: the opened ones.
 * @param {Map<string, Api.OpeningNodeAnswer>} nodes
 * @param {Set<string>} open
 * @param {string} [path]
 * @param {number} [level]
 * @returns {Row[]}
 */
function rowsBelow(nodes, open, path = "", level = 1) {
  return (nodes.get(path)?.children ?? []).flatMap((child) => {
    const below = path ? `${path},${child.move}` : child.move;
    return [{ path: below, child, level }, ...(open.has(below) ? rowsBelow(nodes, open, below, level + 1) : [])];
  });
}

/**
 * A move of the tree.
 * @param {{ row: Row, all: number, open: boolean, chosen: boolean, stop: boolean, choose: () => void }} props ``all``: the
 *   number of matches in the position before it
 */
function Item({ row: { child, level, path }, all, open, chosen, stop, choose }) {
  const told = `${child.said}: ${plural(child.matches, "{0} match", "{0} matches")}, ${t`score ${percent(share(child))}`}${child.drawn ? `, ${plural(child.drawn, "opening of the arena in {0} match", "opening of the arena in {0} matches")}` : ""}`;
  return html`
    <li role="treeitem" data-path=${path} aria-level=${level} aria-expanded=${child.further ? open : null} aria-selected=${chosen}
      title=${told} tabindex=${stop ? 0 : -1} onClick=${choose} style=${{ "--level": level - 1 }}>
      <span class="twig" aria-hidden="true">${child.further ? (open ? "▾" : "▸") : ""}</span>
      <strong class="ellipsis">${child.said}</strong>
      <span class="number">${count(child.matches)}</span>
      <span class="number muted">${percent(child.matches / Math.max(1, all))}</span>
      <${TallyBar} of=${child} />
      <span class="number">${percent(share(child))}</span>
    </li>
  `;
}

/** @type {[string, string][]} */
const SIDES = [["", t`Both sides`], ["0", t`Moving first`], ["1", t`Moving second`]];

/**
 * The tree with the board of the chosen position.
 * @param {{ bot: number, game: Api.GameAnswer }} props
 */
export function OpeningTree({ bot, game }) {
  const [nodes, setNodes] = useState(/** @type {Map<string, Api.OpeningNodeAnswer>} */ (new Map()));
  const [open, setOpen] = useState(/** @type {Set<string>} */ (new Set()));
  const [chosen, setChosen] = useState("");
  const [seat, setSeat] = useState("");
  const [problem, setProblem] = useState(/** @type {string | null} */ (null));
  const side = useRef(seat);
  side.current = seat;
  const tree = useRef(/** @type {HTMLElement | null} */ (null));

  /** @param {string} moves */
  const load = async (moves) => {
    const query = new URLSearchParams({ game: game.name, moves, ...(seat && { seat }) });
    try {
      const found = await ask(/** @type {`/api/v1/bots/${number}/openings`} */ (`/api/v1/bots/${bot}/openings?${query}`));
      if (side.current !== seat) return; // another side was chosen meanwhile
      setNodes((before) => new Map(before).set(moves, found));
      setProblem(null);
    } catch (error) {
      setProblem(messageOf(error));
    }
  };
  useEffect(() => {
    setNodes(new Map());
    setOpen(new Set());
    setChosen("");
    load("");
  }, [bot, game.name, seat]);

  const rows = rowsBelow(nodes, open);
  /**
   * Show a position, and open or close its node.
   * @param {Row} row
   * @param {boolean} opened
   */
  const choose = ({ path, child }, opened) => {
    setChosen(path);
    if (!nodes.has(path)) load(path);
    if (!child.further) return;
    const now = new Set(open);
    if (opened) now.add(path);
    else now.delete(path);
    setOpen(now);
  };
  /** @param {number} place */
  const focus = (place) => {
    const row = rows[Math.min(rows.length - 1, Math.max(0, place))];
    const item = /** @type {HTMLElement | undefined} */ ([...(tree.current?.children ?? [])][rows.indexOf(row)]);
    item?.focus();
    choose(row, open.has(row.path));
  };
  /** @param {KeyboardEvent & { target: HTMLElement }} event */
  const press = (event) => {
    const at = rows.findIndex(({ path }) => path === event.target.dataset.path);
    if (at < 0) return;
    const row = rows[at];
    const opened = open.has(row.path);
    const above = rows.findIndex(({ path }) => path === parentOf(row.path));
    targetOf(event, {
      ArrowDown: () => focus(at + 1),
      ArrowUp: () => focus(at - 1),
      Home: () => focus(0),
      End: () => focus(rows.length - 1),
      ArrowRight: () => (opened ? focus(at + 1) : choose(row, true)),
      ArrowLeft: () => (opened ? choose(row, false) : above >= 0 && focus(above)),
      Enter: () => choose(row, !opened),
      " ": () => choose(row, !opened),
    })?.();
  };
  const root = nodes.get("");
  const stop = rows.some(({ path }) => path === chosen) ? chosen : rows[0]?.path;
  const view = nodes.get(chosen)?.view ?? root?.view;
  const line = rows.find(({ path }) => path === chosen);
  const node = nodes.get(chosen);
  const named = node?.name ? ` · ${node.eco} ${node.name}` : "";
  const caption = line ? t`Position after ${line.child.said}` : t`Start of the game`;
  return html`
    <div class="opening-tree">
      <div>
        <div class="filters">
          <select aria-label="Side of the bot" value=${seat} onChange=${(/** @type {Event & { currentTarget: HTMLSelectElement }} */ event) => setSeat(event.currentTarget.value)}>
            ${SIDES.map(([value, text]) => html`<option key=${value} value=${value}>${text}</option>`)}
          </select>
          ${root && html`<span class="muted small">${plural(root.matches, "The first moves of {0} match (the newest {1} at most)", "The first moves of {0} matches (the newest {1} at most)", count(1000))}</span>`}
        </div>
        <${Problem} text=${problem} />
        ${root && !rows.length && html`<p class="muted">No match with stored moves begins at the usual start.</p>`}
        ${rows.length > 0 && html`<ul class="tree surface" role="tree" aria-label="Opening moves" ref=${tree} onKeyDown=${press}>
          ${rows.map((row) => html`<${Item} key=${row.path} row=${row} all=${nodes.get(parentOf(row.path))?.matches ?? 0} open=${open.has(row.path)}
            chosen=${row.path === chosen} stop=${row.path === stop} choose=${() => choose(row, !open.has(row.path))} />`)}
        </ul>`}
      </div>
      <figure>
        ${view && html`<${Board} board=${game.board} title=${caption} diagram=${view.diagram} squares=${view.squares} steps=${chosen ? chosen.split(",").length : 0} />`}
        <figcaption class="muted small">${caption}${named}</figcaption>
      </figure>
    </div>
  `;
}
