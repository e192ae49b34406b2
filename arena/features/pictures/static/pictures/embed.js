// SPDX-License-Identifier: GPL-3.0-or-later
// The page of a match inside an iframe of another site: live view or replay, without menus.

import { Board } from "../board.js";
import { decided, how } from "../endings.js";
import { follow } from "../feed.js";
import { initialClock, score } from "../format.js";
import { advance, clocksAt, extended, fromRecord, instructionsAt, misses } from "../game_record.js";
import { laterMoves, said, wholeRecord } from "../moves.js";
import { PlayerLine } from "../players.js";
import { withStyles } from "../styles.js";
import { t, translated } from "../texts.js";
import { firstData, html, show, useEffect, useState } from "../view.js";

/** @type {Api.MatchDetailAnswer & { title: string, board: Api.BoardAnswer, ply: number | null }} */
const record = firstData();
await withStyles([record.board]);

/** @typedef {import("../game_record.js").Held} Held */

/**
 * Follow a live match; returns a function that stops following.
 * @param {Held} match
 * @param {(match: Held) => void} keep
 */
function followed(match, keep) {
  let known = match;
  /**
   * @param {Protocol.WatchMessage} message
   * @param {() => void} again
   */
  const take = async (message, again) => {
    if (message.type === "refused") {
      // the match ended while the page was not connected, or the server does not show it yet
      const whole = await wholeRecord(record.id).catch(() => null);
      if (whole?.status !== "finished") return again();
      known = fromRecord(whole);
    } else if (misses(known, message)) {
      return again();
    } else {
      known = advance(known, message);
    }
    keep(known);
    if (known.seen.ending && known.moves.length >= known.seen.ply) stop();
  };
  const stop = follow(() => [{ type: "follow", match: record.id, after: known.moves.length }], take);
  return stop;
}

/** The match, and a text about a problem. */
function useMatch() {
  const [match, setMatch] = useState(() => fromRecord(record));
  const [problem, setProblem] = useState("");
  useEffect(() => {
    if (record.status === "live") return followed(match, setMatch);
    const load = async () => {
      for await (const items of laterMoves(record.id, record.next)) setMatch((before) => extended(before, items));
    };
    load().catch((error) => setProblem(error.message));
    return undefined;
  }, []);
  return /** @type {const} */ ([match, problem]);
}

/** @param {{ match: Held }} props */
function State({ match: { seen } }) {
  const { ending } = seen;
  return ending ? html`<strong>${score(ending.result)}</strong> ${how(ending)}` : "live";
}

/** @param {{ label: string, path: string, off: boolean, go: () => void }} props */
const Step = ({ label, path, off, go }) => html`
  <button class="plain" onClick=${go} disabled=${off} aria-label=${label}><svg class="icon" viewBox="0 0 16 16" aria-hidden="true"><path d=${path} /></svg></button>
`;

function Embedded() {
  const [match, problem] = useMatch();
  const [chosen, setChosen] = useState(record.ply); // null: the newest position
  const { seen, moves, initial } = match;
  const last = moves.length;
  const ply = Math.min(chosen ?? last, last);
  const newest = ply === last;
  /** @param {number} target */
  const go = (target) => setChosen(target >= last ? null : Math.max(0, target));

  useEffect(() => {
    /** @param {KeyboardEvent} event */
    const press = (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      const target = /** @type {Record<string, number>} */ ({ ArrowLeft: ply - 1, ArrowRight: ply + 1, Home: 0, End: last })[event.key];
      if (target == null) return;
      event.preventDefault();
      go(target);
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  });

  const made = ply ? moves[ply - 1] : null;
  const starting = [0, 1].map((seat) => initialClock(record.time_control, seat));
  const clocks = newest && !seen.ending ? seen.clocks : clocksAt(moves, ply, starting);
  const used = instructionsAt(moves, ply);
  const { bottom } = record.board;
  const diagram = made ? made.diagram : initial;
  const marked = newest && ply === seen.ply ? decided(seen.ending) : {};
  /** @param {number} seat */
  const line = (seat) => html`<${PlayerLine} seen=${seen} board=${record.board} seat=${seat} clocks=${clocks} used=${used[seat]} />`;
  const address = `/matches/${record.id}${newest ? "" : `?ply=${ply}`}`;
  return html`
    <h1 class="visually-hidden">${translated(record.title)}, match ${record.id}</h1>
    ${line(1 - bottom)}
    <div class="frame">
      <${Board} board=${record.board} diagram=${diagram} squares=${made?.squares} steps=${ply} ...${marked} />
    </div>
    ${line(bottom)}
    <div class="steps">
      <${Step} label="First position" path="M4 3v10M13 3 6 8l7 5z" off=${!ply} go=${() => go(0)} />
      <${Step} label="Previous position" path="M11 3 4 8l7 5z" off=${!ply} go=${() => go(ply - 1)} />
      <span class="number small" aria-live="polite">${made ? said(made) : t`Start`} <span class="muted">${ply} / ${last}</span></span>
      <${Step} label="Next position" path="M5 3l7 5-7 5z" off=${newest} go=${() => go(ply + 1)} />
      <${Step} label="Last position" path="M12 3v10M3 3l7 5-7 5z" off=${newest} go=${() => go(last)} />
    </div>
    <p class="about small muted">
      <span class="ellipsis">${problem || html`<${State} match=${match} />`} · ${translated(record.title)}</span>
      <a href=${address} target="_blank" rel="noopener">Bot Arena</a>
    </p>
  `;
}

show(html`<${Embedded} />`);
