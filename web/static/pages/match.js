// SPDX-License-Identifier: GPL-3.0-or-later
// The match page: live view of a running match, and replay of a finished one.

import { Board } from "../board.js";
import { follow } from "../feed.js";
import { initialClock, named, reason, score } from "../format.js";
import { advance, clocksAt, extended, fromRecord, instructionsAt } from "../game_record.js";
import { laterMoves, MoveList, said, wholeRecord } from "../moves.js";
import { Downloads } from "../parts.js";
import { PlayerLine } from "../players.js";
import { Plot } from "../plot.js";
import { Reports } from "../reports.js";
import { listen } from "../shell.js";
import { Tabs } from "../tabs.js";
import { firstData, html, show, useEffect, useLayoutEffect, useMemo, useState } from "../view.js";

/** @type {Api.MatchDetailAnswer & { title: string, board: Api.BoardAnswer, exports: string[], sections: string[] }} */
const record = firstData();

/**
 * Properties of a section that a feature adds to this page. Each section is a module that exports the component
 * `Section`.
 * @typedef {object} SectionProps
 * @property {Api.MatchDetailAnswer} record
 * @property {number | null} ply the position that the page shows; null: the newest
 */
/**
 * What the visitor's seat adds to this page: properties of the board at the newest position, whether the visitor's side
 * is at the top of an unflipped board, and a panel.
 * @typedef {{ board: Partial<import("../board.js").BoardProps>, turned: boolean, panel: import("preact").VNode }} Seat
 */
/** @type {{ Section?: import("preact").FunctionComponent<SectionProps>, useSeat?: (of: typeof record, seen: Protocol.Seen) => Seat | null }[]} */
const modules = await Promise.all(record.sections.map((script) => import(script)));
const sections = modules.flatMap(({ Section }) => Section ?? []);
const useSeat = modules.find((each) => each.useSeat)?.useSeat ?? (() => null);

const PACE = 700;
const CAP = 20;
const GRAPH = 104; // pixels
const SPREAD = 2000; // ms: pages request the search info that the end of a match releases after a random delay up to this
const RELEASE = {
  live: "",
  delayed: "Search info of a move (score, depth, line) appears with the same side's next move.",
  end: "Search info (score, depth, line) appears after the match.",
};
const SERIES = [
  { label: "first", token: "--accent" },
  { label: "second", token: "--loss" },
];

const ICONS = {
  first: "M4 3v10M13 3 6 8l7 5z",
  back: "M11 3 4 8l7 5z",
  play: "M4 2.5 13 8l-9 5.5z",
  pause: "M5 3v10M11 3v10",
  forward: "M5 3l7 5-7 5z",
  last: "M12 3v10M3 3l7 5-7 5z",
  flip: "M5 13V3M2.5 5.5 5 3l2.5 2.5M11 3v10M8.5 10.5 11 13l2.5-2.5",
};

/**
 * An icon by name, as high as the text.
 * @param {{ name: keyof typeof ICONS }} props
 */
function Icon({ name }) {
  return html`<svg class="icon" viewBox="0 0 16 16" aria-hidden="true"><path d=${ICONS[name]} /></svg>`;
}

/** @returns {[import("../game_record.js").Held, string]} */
function useMatch() {
  const [match, setMatch] = useState(() => fromRecord(record));
  const [missing, setMissing] = useState(record.status === "finished" && record.next != null ? "loading moves…" : "");
  useEffect(() => {
    if (record.status === "finished") {
      let left = false;
      const load = async () => {
        for await (const items of laterMoves(record.id, record.next)) {
          if (left) return;
          setMatch((before) => extended(before, items));
        }
        setMissing("");
      };
      load().catch((error) => setMissing(`could not load all moves: ${error.message}`));
      return () => void (left = true);
    }
    return followed(match, setMatch);
  }, []);
  return [match, missing];
}

/**
 * Follow a live match and update its state; returns a function that stops following.
 * @param {import("../game_record.js").Held} match
 * @param {(match: import("../game_record.js").Held) => void} setMatch
 */
function followed(match, setMatch) {
  let known = match;
  let stopped = false;
  /** @param {import("../game_record.js").Held} match */
  const keep = (match) => setMatch((known = match));
  /** @returns {Promise<boolean>} whether the match is over */
  const renew = async () => {
    const whole = await wholeRecord(record.id);
    const over = whole.status === "finished";
    if (!stopped && (over || whole.moves.length > known.moves.length)) keep(fromRecord(whole));
    return over;
  };
  const release = () => renew().catch(() => setTimeout(release, SPREAD));
  /**
   * @param {Protocol.WatchMessage} message
   * @param {() => void} again
   */
  const take = async (message, again) => {
    if (message.type === "refused") {
      // the match ended while the page was not connected, or the server does not show it yet
      if (await renew().catch(() => false)) stop();
      else again();
      return;
    }
    keep(advance(known, message));
    const { ending, ply } = known.seen;
    if (!ending || known.moves.length < ply) return;
    stop();
    if (record.info_release === "end") setTimeout(release, SPREAD * Math.random());
  };
  const stop = follow(() => [{ type: "follow", match: record.id, after: known.moves.length }], take);
  return () => {
    stopped = true;
    stop();
  };
}

/**
 * Scores that both sides reported, by ply, from the point of view of the first seat.
 * @param {Api.SeenMove[]} moves
 * @returns {import("../plot.js").Columns}
 */
function scoreColumns(moves) {
  const plies = moves.map((move) => move.ply);
  /**
   * @param {number} seat
   * @param {number} sign
   * @returns {(number | null)[]}
   */
  const side = (seat, sign) =>
    moves.map((move) => {
      const points = move.seat === seat ? move.info?.score : undefined;
      return points == null ? null : Math.max(-CAP, Math.min(CAP, sign * points));
    });
  return [plies, side(0, 1), side(1, -1)];
}

/** @param {{ seen: Protocol.Seen, ending: Protocol.Ending }} props */
function Ending({ seen, ending }) {
  const winner = ["1-0", "0-1"].indexOf(ending.result);
  const text = ending.result === "*" ? "Void" : winner < 0 ? "Draw" : `${named(seen.players[winner])} won`;
  return html`
    <div class="ending surface news">
      <strong>${score(ending.result)}</strong>
      <span class="foreign">${text} <span class="muted">${reason(ending.termination)}${ending.detail && html` – <bdi>${ending.detail}</bdi>`}</span></span>
    </div>
  `;
}

/**
 * The commitment to the secret of the dice, and the secret once the match is over.
 * @param {{ seen: Protocol.Seen }} props
 */
function Dice({ seen }) {
  const secret = seen.ending?.dice_secret;
  if (!seen.dice_commitment) return null;
  return html`
    <details class="dice small muted">
      <summary>Dice</summary>
      <p>Commitment, published at the start of the match (a hash of the secret that determines the rolls): <code>${seen.dice_commitment}</code></p>
      <p>${secret ? html`Secret: <code>${secret}</code>` : "The server publishes the secret of the dice after the match."}</p>
    </details>
  `;
}

/** @param {{ ply: number, last: number, go: (ply: number) => void, playing: boolean, play: () => void, flip: () => void }} props */
function Replay({ ply, last, go, playing, play, flip }) {
  /** @param {Event & { currentTarget: HTMLInputElement }} event */
  const slide = (event) => go(Number(event.currentTarget.value));
  return html`
    <div class="replay">
      <button class="plain" onClick=${() => go(0)} disabled=${!ply} aria-label="First position"><${Icon} name="first" /></button>
      <button class="plain" onClick=${() => go(ply - 1)} disabled=${!ply} aria-label="Previous position"><${Icon} name="back" /></button>
      <button class="plain" onClick=${play} disabled=${!last} aria-label=${playing ? "Pause" : "Play"}><${Icon} name=${playing ? "pause" : "play"} /></button>
      <button class="plain" onClick=${() => go(ply + 1)} disabled=${ply >= last} aria-label="Next position"><${Icon} name="forward" /></button>
      <button class="plain" onClick=${() => go(last)} disabled=${ply >= last} aria-label="Last position"><${Icon} name="last" /></button>
      <input type="range" min="0" max=${last} value=${ply} onInput=${slide} aria-label="Ply" />
      <span class="muted small number">${ply} / ${last}</span>
      <button class="plain" onClick=${flip} aria-label="Flip the board" title="Flip (f)"><${Icon} name="flip" /></button>
    </div>
  `;
}

const TABS = ["Moves", "Engines", "Graph"];

/** @param {string} format */
const download = (format) => `/api/v1/matches/${record.id}/export?format=${format}`;

function MatchPage() {
  const [match, trouble] = useMatch();
  const [chosen, setChosen] = useState(/** @type {number | null} */ (null)); // null: the newest position
  const [playing, setPlaying] = useState(false);
  const [flipped, setFlipped] = useState(false);
  const [tab, setTab] = useState(TABS[0]);
  const { seen, moves, initial } = match;
  const last = moves.length;
  const ply = Math.min(chosen ?? last, last);
  const newest = ply === last;
  const seat = useSeat(record, seen);

  /** @param {number} target */
  const go = (target) => setChosen(target >= last ? null : Math.max(0, target));
  /** @param {number} target */
  const jump = (target) => {
    setPlaying(false);
    go(target);
  };
  const play = () => {
    if (!playing && newest) setChosen(0);
    setPlaying(!playing);
  };
  const flip = () => setFlipped((before) => !before);

  useEffect(() => {
    if (!playing) return undefined;
    if (newest) {
      if (seen.ending) setPlaying(false);
      return undefined;
    }
    const timer = setTimeout(() => go(ply + 1), PACE);
    return () => clearTimeout(timer);
  }, [playing, ply, last]);

  // a layout effect, because an effect after painting could miss the next key
  useLayoutEffect(() =>
    listen({
      ArrowLeft: ["Previous position", () => jump(ply - 1)],
      ArrowRight: ["Next position", () => jump(ply + 1)],
      Home: ["First position", () => jump(0)],
      End: ["Last position", () => jump(last)],
      " ": ["Play or pause", play],
      f: ["Flip the board", flip],
    }),
  );

  const made = ply ? moves[ply - 1] : null;
  const starting = [0, 1].map((seat) => initialClock(record.time_control, seat));
  const used = instructionsAt(moves, ply);
  const clocks = newest && !seen.ending ? seen.clocks : clocksAt(moves, ply, starting);
  const columns = useMemo(() => scoreColumns(moves), [moves]);
  const scored = columns[1].some((value) => value != null) || columns[2].some((value) => value != null);
  /** @param {number} seat */
  const line = (seat) => html`<${PlayerLine} seen=${seen} board=${record.board} seat=${seat} clocks=${clocks} used=${used[seat]} link />`;
  /** @param {number} seat */
  const called = (seat) => seen.players[seat].name || record.seats[seat];
  const note = seen.ending ? "" : RELEASE[seen.info_release ?? "live"];
  /** @param {string} name */
  const hide = (name) => (tab === name ? "" : "wide");
  const turned = flipped !== (seat?.turned ?? false);
  const bottom = turned ? 1 - record.board.bottom : record.board.bottom;
  return html`
    <div class="match">
      <div class="table">
        ${line(1 - bottom)}
        <div class="frame">
          <${Board} board=${record.board} diagram=${made ? made.diagram : initial} squares=${made?.squares} flipped=${turned} steps=${ply} ...${newest ? seat?.board : null} />
        </div>
        ${line(bottom)}
        <${Replay} ply=${ply} last=${last} go=${jump} playing=${playing} play=${play} flip=${flip} />
        <p class="visually-hidden" aria-live="polite">${made ? `${record.seats[made.seat] ?? "Dice"}: ${said(made)}` : "Start"}</p>
      </div>
      <div class="panels">
        ${seat?.panel}
        <div>
          <h1><a href=${`/games/${record.game}`}>${record.title}</a></h1>
          <p class="muted">
            ${record.rated ? "Rated" : "Unrated"} · ${record.time_control ?? "no clock"}${record.time_class === "instructions" ? "" : ` ${record.time_class}`} · match ${record.id}
            ${record.same_owner && " · both bots have the same owner"}
            ${record.anonymous && !seen.ending && " · player names are hidden until the match ends"}
            ${trouble && html` · <span role="status">${trouble}</span>`}
          </p>
        </div>
        ${seen.ending && html`<${Ending} seen=${seen} ending=${seen.ending} />`}
        <${Tabs} tabs=${TABS.map((name) => [name, name])} current=${tab} choose=${setTab} kind="tabs narrow" />
        <div class=${hide("Moves")}><${MoveList} moves=${moves} ply=${ply} go=${jump} /></div>
        <div class=${hide("Engines")}>
          <${Reports} players=${seen.players} moves=${moves} ply=${ply} />
          ${note && html`<p class="late small muted">${note}</p>`}
        </div>
        <div class=${hide("Graph")}>
          <div class="plot surface">
            ${scored
              ? html`<${Plot} data=${columns} series=${SERIES} height=${GRAPH} mark=${ply} pick=${jump} label="Scores that both sides reported, from the point of view of the first player" />
                  <p class="legend small muted">
                    ${[0, 1].map((seat) => html`<span class=${`key seat${seat} ellipsis`} title=${called(seat)}>${called(seat)}</span>`)}
                    <span class="as ellipsis" title=${`from the point of view of ${called(0)}`}>from the point of view of ${called(0)}</span>
                  </p>`
              : html`<p class="muted small foreign">This graph shows the scores that the bots report, from the point of view of ${called(0)}.</p>`}
          </div>
        </div>
        <${Dice} seen=${seen} />
        ${seen.ending &&
        html`<p class="small muted">
          <${Downloads} formats=${record.exports} address=${download} />
        </p>`}
        ${sections.map((Section) => html`<${Section} record=${record} ply=${newest ? null : ply} />`)}
      </div>
    </div>
  `;
}

show(html`<${MatchPage} />`);
