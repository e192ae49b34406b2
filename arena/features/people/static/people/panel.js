// SPDX-License-Identifier: GPL-3.0-or-later
// The panel of a person's seat: whose turn it is, choices between moves, and what else a person can do.

import { t } from "../texts.js";
import { html, useState } from "../view.js";

/**
 * @typedef {object} Actions
 * @property {(move: Api.LegalMove) => void} play
 * @property {(text: string) => boolean} type
 * @property {() => void} cancel
 * @property {() => void} resign
 * @property {() => void} offerDraw
 * @property {(accept: boolean) => void} answerDraw
 * @property {() => void} take
 * @property {() => void} forget
 * @property {() => void} undo
 * @property {() => void} rematch
 */

/**
 * What a person should know now.
 * @param {{ held: import("./sitting.js").Held, toMove: number, ready: boolean, premove: boolean, selected: boolean }} props
 */
function status({ held, toMove, ready, premove, selected }) {
  if (held.link === "waiting" || held.link === "lost") return held.link === "lost" ? t`The connection is lost; the page connects again.` : t`Connecting…`;
  if (ready) return selected ? t`Your turn: choose a target.` : t`Your turn.`;
  if (held.turn) return t`Your turn; loading the moves…`;
  if (premove) return t`The opponent thinks; your premove follows.`;
  return toMove < 0 ? t`The dice roll.` : t`The opponent thinks.`;
}

/**
 * A field for a move as text, for every game.
 * @param {{ type: (text: string) => boolean }} props
 */
function Typed({ type }) {
  const [wrong, setWrong] = useState("");
  /** @param {SubmitEvent & { currentTarget: HTMLFormElement }} event */
  const submit = (event) => {
    event.preventDefault();
    const form = event.currentTarget;
    const text = String(new FormData(form).get("move") ?? "");
    const played = type(text);
    if (played) form.reset();
    setWrong(played || !text ? "" : t`No legal move is written ${text}.`);
  };
  return html`
    <form class="typed" onSubmit=${submit}>
      <label>Move <input name="move" type="text" autocomplete="off" autocapitalize="none" spellcheck=${false} maxlength="100" onInput=${() => setWrong("")} /></label>
      <button>Play</button>
      <span role="alert" class="loss small foreign">${wrong}</span>
    </form>
  `;
}

/**
 * @param {{ held: import("./sitting.js").Held, ending: Protocol.Ending | null, toMove: number, ready: boolean, asked: Api.LegalMove[],
 *   others: Api.LegalMove[], premove: boolean, done: number, selected: boolean, actions: Actions }} props
 */
export function Panel({ held, ending, toMove, ready, asked, others, premove, done, selected, actions }) {
  const [sure, setSure] = useState(false);
  if (ending) {
    return html`
      <div class="seat surface">
        <p role="status">The match is over.</p>
        <p class="buttons"><button class="primary" onClick=${actions.rematch}>Rematch</button> <a class="button" href="/play">Another match</a></p>
        ${held.note && html`<p role="alert" class="loss small foreign">${held.note}</p>`}
      </div>
    `;
  }
  if (held.link === "elsewhere" || held.link === "failed") {
    return html`
      <div class="seat surface">
        <p role="status">${held.link === "elsewhere" ? t`You play this match on another page.` : held.note}</p>
        <p class="buttons"><button class="primary" onClick=${actions.take}>Play here</button></p>
      </div>
    `;
  }
  const moves = asked.length ? asked : others;
  return html`
    <div class=${`seat surface${ready ? " turn" : ""}`}>
      <p role="status">${status({ held, toMove, ready, premove, selected })}</p>
      ${moves.length > 0 &&
      html`<p class="buttons" role="group" aria-label="Choose a move">
        ${moves.map((move) => html`<button key=${move.move} class="primary foreign" onClick=${() => actions.play(move)}>${move.said}</button>`)}
        ${asked.length > 0 && html`<button onClick=${actions.cancel}>Cancel</button>`}
      </p>`}
      ${held.draw === "theirs" &&
      html`<p class="buttons" role="group" aria-label="Draw">
        The opponent offers a draw.
        <button class="primary" onClick=${() => actions.answerDraw(true)}>Accept</button>
        <button onClick=${() => actions.answerDraw(false)}>Decline</button>
      </p>`}
      <p role="alert" class="loss small foreign">${held.note}</p>
      ${ready && html`<${Typed} type=${actions.type} />`}
      <p class="buttons">
        ${ready && done > 0 && html`<button onClick=${actions.undo}>Undo the step</button>`}
        ${premove && html`<button onClick=${actions.forget}>Cancel the premove</button>`}
        ${held.draw === "ours" ? html`<span class="muted small">You offer a draw.</span>` : held.draw === "" && html`<button onClick=${actions.offerDraw}>Offer a draw</button>`}
        ${sure
          ? html`<button class="danger" onClick=${actions.resign}>Resign the match</button> <button onClick=${() => setSure(false)}>Play on</button>`
          : html`<button onClick=${() => setSure(true)}>Resign</button>`}
      </p>
    </div>
  `;
}
