// SPDX-License-Identifier: GPL-3.0-or-later
// The form of the explorer: game, position by moves or as text, algorithm, depth.

import { useAnswer } from "../asking.js";
import { Board } from "../board.js";
import { inContext, t, translated } from "../texts.js";
import { ask, html, messageOf, Problem, useEffect, useState } from "../view.js";

/**
 * @param {{ games: Api.GameAnswer[], game: Api.GameAnswer, algorithms: string[], descriptions: Record<string, string>,
 *   mostDepth: number, wanted: import("./address.js").Wanted,
 *   change: (changes: Partial<import("./address.js").Wanted>, replace?: boolean) => void }} props
 */
export function Setup({ games, game, algorithms, descriptions, mostDepth, wanted, change }) {
  const [algorithm, setAlgorithm] = useState(wanted.algorithm || (game.chance ? "star1" : "alphabeta"));
  const [depth, setDepth] = useState(wanted.depth);
  const [text, setText] = useState(wanted.position);
  const [problem, setProblem] = useState("");
  const [selected, setSelected] = useState(/** @type {number | null} */ (null));
  const [among, setAmong] = useState(/** @type {Api.LegalMove[] | null} */ (null));
  const [view, refused] = useAnswer(`/api/v1/positions?${new URLSearchParams({ game: game.name, ...(wanted.position && { position: wanted.position }) })}`);
  useEffect(() => {
    setText(wanted.position);
    setSelected(null);
    setAmong(null);
  }, [wanted.position, wanted.game]);
  const legal = view?.legal ?? [];
  const known = algorithms.includes(algorithm) ? algorithm : algorithms[1];
  const fresh = { iteration: null, step: null, toggled: [] };

  /** @param {string} move */
  const play = async (move) => {
    try {
      const query = new URLSearchParams({ game: game.name, moves: move, ...(wanted.position && { position: wanted.position }) });
      const { position } = await ask(`/api/v1/positions?${query}`);
      setProblem("");
      change({ position, ...fresh });
    } catch (error) {
      setProblem(messageOf(error));
    }
  };
  /**
   * Play the only move of a list; let people choose among several.
   * @param {Api.LegalMove[]} moves
   */
  const choose = (moves) => {
    if (moves.length === 1) play(moves[0].move);
    else if (moves.length) setAmong(moves);
    return moves.length > 0;
  };
  /**
   * @param {number} from
   * @param {number} to
   */
  const between = (from, to) => legal.filter(({ squares }) => squares[0] === from && squares[squares.length - 1] === to);
  /** @param {number} square */
  const pick = (square) => {
    setAmong(null);
    if (selected != null && selected !== square && choose(between(selected, square))) return;
    if (choose(between(square, square))) return;
    setSelected(selected !== square && legal.some(({ squares }) => squares[0] === square) ? square : null);
  };
  const targets = new Set(
    legal.filter(({ squares }) => (selected == null ? squares.length === 1 : squares[0] === selected)).map(({ squares }) => squares[squares.length - 1]),
  );
  /** @param {Event} event */
  const search = (event) => {
    event.preventDefault();
    change({ position: text.trim(), algorithm: known, depth: Math.min(Math.max(Math.trunc(depth) || 1, 1), mostDepth), ...fresh });
  };
  /** @typedef {{ currentTarget: HTMLInputElement & HTMLSelectElement }} Typed */
  return html`
    <form class="explorer-setup" onSubmit=${search}>
      <label>Game <select name="game" value=${game.name} onChange=${(/** @type {Typed} */ event) => change({ game: event.currentTarget.value, position: "", algorithm: "", evaluation: "", ...fresh })}>
        ${games.map(({ name, title }) => html`<option key=${name} value=${name}>${translated(title)}</option>`)}
      </select></label>
      ${view && html`<${Board} board=${game.board} diagram=${view.diagram} squares=${view.squares} title="The position that is searched"
        pick=${pick} drop=${(/** @type {number} */ from, /** @type {number} */ to) => choose(between(from, to))} selected=${selected} targets=${targets} />`}
      <${Problem} text=${problem || refused} />
      <details class="explorer-moves" open=${among != null || legal.length <= 24}>
        <summary>${among ? t`Choose a move` : t`Play a move`}</summary>
        <div>${legal.length === 0 && html`<span class="muted">The game is over here.</span>`}${(among ?? legal).map(({ move, said }) => html`<button type="button" class="button" key=${move} onClick=${() => play(move)}>${said}</button>`)}</div>
      </details>
      <label>Position <input name="position" value=${text} placeholder="the start" maxlength="400" autocomplete="off" spellcheck=${false} onInput=${(/** @type {Typed} */ event) => setText(event.currentTarget.value)} /></label>
      <div class="explorer-choice">
        <label>Algorithm <select name="algorithm" value=${known} onChange=${(/** @type {Typed} */ event) => setAlgorithm(event.currentTarget.value)}>
          ${algorithms.map((name) => html`<option key=${name} value=${name}>${name}</option>`)}
        </select></label>
        <label>Depth <input name="depth" type="number" min="1" max=${mostDepth} value=${depth} onInput=${(/** @type {Typed} */ event) => setDepth(Number(event.currentTarget.value))} /></label>
      </div>
      <p class="muted">${translated(descriptions[known] ?? "")}</p>
      <div class="explorer-choice">
        <button class="button primary">${inContext("a command", "Search")}</button>
        ${wanted.position && html`<button type="button" class="button" onClick=${() => change({ position: "", ...fresh })}>Start position</button>`}
      </div>
    </form>
  `;
}
