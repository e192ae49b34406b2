// SPDX-License-Identifier: GPL-3.0-or-later
// The match page: live view of a running match, and replay of a finished one.

import { useModule } from "../asking.js";
import { Board } from "../board.js";
import { decided } from "../endings.js";
import { initialClock } from "../format.js";
import { clocksAt, instructionsAt } from "../game_record.js";
import { addressOf, readView } from "../match/address.js";
import { Covered, Ending } from "../match/ending.js";
import { Graphs } from "../match/graphs.js";
import { Heading } from "../match/heading.js";
import { arrowOf, Chips, marksOf, useLines, useThinkingLine } from "../match/lines.js";
import { Replay, useSteps } from "../match/replay.js";
import { begin, lastOf, moveOf, plyOf, shownMatch, update, viewOf } from "../match/state.js";
import { MoveList, said } from "../moves.js";
import { PlayerLine } from "../players.js";
import { latest, Reports } from "../reports.js";
import { ARENA, prefixed } from "../root.js";
import { listen } from "../shell.js";
import { useSounds } from "../sounds.js";
import { isHiding } from "../spoilers.js";
import { withStyles } from "../styles.js";
import { Panel, Tabs } from "../tabs.js";
import { t, translated, withTexts } from "../texts.js";
import { firstData, html, messageOf, show, useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from "../view.js";

/** @type {Api.MatchDetailAnswer & { title: string, board: Api.BoardAnswer, scale: number, hidden_information: boolean, views: boolean, exports: string[], sections: string[], at: Api.SeenMove | null, event: string | null }} */
const record = firstData();
await withStyles([record.board]);

/**
 * Properties of a section that a feature adds to this page. Each section is a module that exports the component
 * `Section`.
 * @typedef {object} SectionProps
 * @property {Api.MatchDetailAnswer} record
 * @property {Protocol.Seen} seen the match as it stands
 * @property {number | null} ply the position that the page shows; null: the newest
 * @property {number | null} view the seat whose view the page shows; null: everything that is public
 */
/**
 * Properties of a component `Below` of a feature, which stands below the board. ``ply`` and ``line``: the shown position
 * and the unplayed moves after it; ``position``: its text, if it is known; ``point(move)``: show a move on the board.
 * @typedef {{ record: typeof record, seen: Protocol.Seen, ply: number, line: string[], position: string | null, flipped: boolean,
 *   point: (move: import("../match/lines.js").Drawn | null) => void }} BelowProps
 */
/**
 * What the visitor's seat adds to this page: properties of the board at the newest position, whether the visitor's side
 * is at the top of an unflipped board, and a panel.
 * @typedef {{ board: Partial<import("../board.js").BoardProps>, turned: boolean, panel: import("preact").VNode }} Seat
 */
/** @type {{ Section?: import("preact").FunctionComponent<SectionProps>, Below?: import("preact").FunctionComponent<BelowProps>, useSeat?: (of: typeof record, seen: Protocol.Seen) => Seat | null }[]} */
const modules = await Promise.all(record.sections.map((script) => import(prefixed(script))));
const sections = modules.flatMap(({ Section }) => Section ?? []);
const below = modules.flatMap(({ Below }) => Below ?? []);
const useSeat = modules.find((each) => each.useSeat)?.useSeat ?? (() => null);

const PACE = 700;
const PAUSE = 250; // ms: browsers limit how often a page may change its address
const RELEASE = {
  live: "",
  delayed: t`Search info (score, depth, line) appears with the same side's next move.`,
  end: t`Search info (score, depth, line) appears after the match.`,
};
const TABS = ["Moves", "Engines", "Graph"];
/** @type {[string, string][]} */
const LABELS = [["Moves", t`Moves`], ["Engines", t`Engines`], ["Graph", t`Graph`]];

/** @returns {[import("../match/state.js").State, (action: import("../match/state.js").Action) => void]} */
function useMatch() {
  const [state, setState] = useState(() => begin(record, readView(location), TABS, isHiding()));
  const now = useRef(state);
  const act = useCallback((/** @type {import("../match/state.js").Action} */ action) => setState((now.current = update(now.current, action))), []);
  useEffect(() => {
    let stop = () => {};
    const begun = record.status !== "finished"
      ? streaming().then(({ followed }) => (stop = followed(record, () => now.current, act)))
      : record.next != null && loading().then(({ loaded }) => (stop = loaded(record, act)));
    if (begun) begun.catch((error) => act({ type: "trouble", text: messageOf(error) }));
    return () => stop();
  }, []);
  useEffect(() => addEventListener("resultschange", () => act({ type: "cover", cover: isHiding() })), []);
  useEffect(() => {
    const jump = () => {
      const { ply } = readView(location);
      if (ply != null) act({ type: "go", ply });
    };
    addEventListener("hashchange", jump);
    return () => removeEventListener("hashchange", jump);
  }, []);
  return [state, act];
}

/**
 * Keep the view in the address of the page.
 * @param {string} address
 */
function useAddress(address) {
  const first = useRef(true);
  useEffect(() => {
    if (first.current) {
      first.current = false;
      return undefined;
    }
    const timer = setTimeout(() => history.replaceState(history.state, "", prefixed(address)), PAUSE);
    return () => clearTimeout(timer);
  }, [address]);
}

/** While the page tells the position, arrow keys lead from square to square of the board. */
const walked = { pick: () => {} };

const branching = () => withTexts("match/branch.js", () => import("../match/branch.js"));
const weighing = () => withTexts("match/chance_bar.js", () => import("../match/chance_bar.js"));
const naming = () => withTexts("square_names.js", () => import("../square_names.js"));
const copying = () => withTexts("match/copies.js", () => import("../match/copies.js"));
const loading = () => withTexts("match/loading.js", () => import("../match/loading.js"));
const streaming = () => withTexts("match/following.js", () => import("../match/following.js"));
const following = () => withTexts("match/next.js", () => import("../match/next.js"));
const viewing = () => withTexts("match/views.js", () => import("../match/views.js"));
const rolling = () => withTexts("match/dice.js", () => import("../match/dice.js"));

/** @param {string} format */
const download = (format) => `/api/v1/matches/${record.id}/export?format=${format}`;

function MatchPage() {
  const [state, act] = useMatch();
  const { match, reached, playing, flipped, tab, view: viewer } = state;
  const { seen, moves, initial, observation } = useMemo(() => shownMatch(state), [match, reached]);
  const [last, ply, made] = [lastOf(state), plyOf(state), moveOf(state)];
  const newest = ply === last;
  const seat = useSeat(record, match.seen);
  const view = viewOf(state, TABS);
  useAddress(addressOf(record.id, view));

  /** @param {number} target */
  const go = (target) => act({ type: "go", ply: target });
  const frame = useSteps((by) => go(ply + by));

  useEffect(() => {
    if (!playing || (newest && !seen.ending)) return undefined;
    const timer = setTimeout(() => act({ type: "step" }), newest ? 0 : PACE);
    return () => clearTimeout(timer);
  }, [playing, ply, last]);

  const [reading, read] = useState(/** @type {number | null} */ (null)); // the ply whose position is described in words
  const tell = () => read(reading === ply ? null : ply);
  // until the end, or that of another match with the same cards, nobody may know the whole position
  const closed = record.hidden_information && (!match.seen.ending || !!match.seen.ending.sealed_until);
  const views = useModule(record.views && match.seen.ending != null && !closed, viewing);
  /** @param {number | null} chosen */
  const look = (chosen) => views?.choose(record.id, chosen, act) ?? Promise.resolve(false);
  // a layout effect, because an effect after painting could miss the next key
  useLayoutEffect(() =>
    listen({
      ArrowLeft: [t`Previous position`, () => go(ply - 1)],
      ArrowRight: [t`Next position`, () => go(ply + 1)],
      Home: [t`First position`, () => go(0)],
      End: [t`Last position`, () => go(last)],
      " ": [t`Play or pause`, () => act({ type: "play" })],
      f: [t`Flip the board`, () => act({ type: "flip" })],
      r: [t`Read the position`, tell],
      ...(views && { v: [t`Change the view`, () => void look(views.after(viewer))] }),
    }),
  );

  const starting = useMemo(() => [0, 1].map((seat) => initialClock(record.time_control, seat)), []);
  const used = instructionsAt(moves, ply);
  const clocks = newest && !seen.ending ? seen.clocks : clocksAt(moves, ply, starting);
  const diagram = made ? made.diagram : made === null ? initial : seen.diagram;
  // dice lie on the board until the next roll
  const aside = made ? { ...moves[ply - 2]?.aside, ...made.aside } : made === null ? null : seen.aside;
  useSounds(record.board.pieces, seen, { ply, diagram });
  const marked = newest ? decided(seen.ending) : {};
  /** @param {number} seat */
  const line = (seat) => html`<${PlayerLine} seen=${seen} board=${record.board} seat=${seat} clocks=${clocks} aside=${aside} waits=${state.began == null} used=${used[seat]} link />`;
  const called = [0, 1].map((seat) => seen.players[seat].name || translated(record.seats[seat]));
  const { ending } = match.seen;
  const note = ending ? "" : RELEASE[seen.info_release ?? "live"];
  // a seat sees its own side at the bottom
  const turned = flipped !== (viewer == null ? (seat?.turned ?? false) : viewer !== record.board.bottom);
  const bottom = turned ? 1 - record.board.bottom : record.board.bottom;
  const [asked, setExploring] = useState(state.line.length > 0);
  // moves are tried in the whole position
  const whole = !closed && viewer == null;
  const exploring = asked && whole;
  /** @param {string[]} line */
  const play = (line) => act({ type: "line", line });
  const panel = useModule(exploring, branching);
  const [branch, tellBranch] = useState(/** @type {import("../match/branch.js").Branch | null} */ (null));
  const next = useModule(seen.ending != null && state.seenLive && !seat, following);
  const chances = useModule(moves.some(({ info }) => info), weighing);
  const names = useModule(reading != null, naming);
  const copies = useModule(true, copying);
  const dice = useModule(seen.dice_commitment != null, rolling);
  const close = () => {
    setExploring(false);
    tellBranch(null);
    play([]);
  };
  const [pointed, setPointed] = useState(/** @type {import("../match/lines.js").Place | null} */ (null));
  // spectators of a live match ask for lines only when they point at them
  const [near, setNear] = useState(false);
  const studied = viewer == null && (seen.ending != null || state.chosen != null || near);
  const thinking = newest ? state.thinking : null;
  const { began } = state;
  const turn = newest && !seen.ending && began != null ? { seat: seen.to_move, since: began } : null;
  const running = useThinkingLine(record.id, thinking, near);
  const reported = useLines(record.id, ply, [0, 1].map((seat) => latest(moves, ply, seat)?.ply), studied && !playing);
  /** @type {import("../match/lines.js").Lines} */
  const lines = [0, 1].map((seat) => (thinking?.seat === seat ? running : (reported?.[seat] ?? null)));
  /** @param {number} seat @param {string[]} texts */
  const chips = (seat, texts) =>
    html`<${Chips} texts=${texts} line=${lines[seat]} board=${record.board} flipped=${turned} point=${(/** @type {number | null} */ index) => setPointed(index == null ? null : { seat, index })} />`;
  const [suggested, suggest] = useState(/** @type {import("../match/lines.js").Drawn | null} */ (null));
  const [hovered, setHovered] = useState(/** @type {number | null} */ (null));
  const over = hovered == null ? null : moves[hovered - 1];
  const marks = suggested ? marksOf(suggested, "hint") : pointed ? marksOf(lines[pointed.seat]?.moves[pointed.index], pointed.seat, lines[pointed.seat]?.moves.slice(0, pointed.index)) : arrowOf(thinking);
  const on = over
    ? { diagram: over.diagram, squares: over.squares, steps: over.ply, aside: over.aside }
    : branch?.view
    ? { diagram: branch.view.diagram, squares: branch.view.squares, steps: ply + state.line.length, ...branch.board, title: t`Board for your moves`, ...marksOf(suggested, "hint") }
    : { diagram, squares: made?.squares, steps: ply, aside, ...marked, ...marks, ...(reading === ply && walked), ...(newest ? seat?.board : null) };
  const move = made ? `${translated(record.seats[made.seat] ?? "Dice")}: ${said(made)}` : t`Start`;
  const mover = seen.ending && newest ? "" : record.seats[moves[ply]?.seat ?? seen.to_move];
  const words = names && reading === ply ? `${names.positionText(record.board, on.diagram)}${mover && !branch ? ` ${t`${translated(mover)} to move.`}` : ""}` : "";
  const share = () => ARENA + addressOf(record.id, { ...view, ply });
  return html`
    <div class=${seen.ending ? "match revealed" : "match"}>
      <div class="table">
        ${line(1 - bottom)}
        <div class="frame" ref=${frame}>
          ${chances ? html`<${chances.Chances} scale=${record.scale} moves=${moves} ply=${over?.ply ?? ply} bottom=${bottom} called=${called} />` : html`<div class="chances"></div>`}
          <${Board} board=${record.board} flipped=${turned} ...${on} />
        </div>
        ${line(bottom)}
        <${Replay} ply=${ply} last=${last} go=${go} playing=${playing} play=${() => act({ type: "play" })} flip=${() => act({ type: "flip" })} address=${share} />
        ${record.views && match.seen.ending && !closed && html`<p class="views">${views && html`<${views.Views} seen=${match.seen} seats=${record.seats} view=${viewer} go=${look} />`}</p>`}
        ${exploring
          ? panel && html`<${panel.BranchPanel} id=${record.id} ply=${ply} line=${state.line} play=${play} tell=${tellBranch} close=${close} />`
          : html`<p class="explore">${whole && html`<button onClick=${() => setExploring(true)} disabled=${seat && !seen.ending}>Try other moves</button> `}${!closed && copies && html`<${copies.Copies} id=${record.id} game=${record.game} ply=${ply} line=${state.line} observation=${made?.observation ?? (made === null ? observation : null)} formats=${seen.ending ? record.exports : []} address=${download} /> `}<button onClick=${tell} aria-pressed=${words !== ""}>Read position</button></p>`}
        ${words && html`<p class="position-text small muted" aria-hidden="true">${words}</p>`}
        ${(!seat || seen.ending) && below.map((Below) => html`<div class="below"><${Below} record=${record} seen=${seen} ply=${ply} line=${state.line} position=${branch?.position ?? null} flipped=${turned} point=${suggest} /></div>`)}
        <p class="visually-hidden" aria-live="polite">${words || move}</p>
      </div>
      <div class="panels">
        ${seat?.panel}
        <${Heading} record=${record} seen=${seen} trouble=${state.trouble} plies=${moves.length} closed=${closed} />
        ${reached != null && html`<${Covered} />`}
        ${seen.ending && html`<${Ending} seen=${seen} ending=${seen.ending} />`}
        ${next && html`<${next.WatchNext} record=${record} />`}
        <${Tabs} label="Parts of the page" tabs=${LABELS} current=${tab} choose=${(/** @type {string} */ name) => act({ type: "tab", tab: name })} kind="tabs narrow" />
        <${Panel} name="Moves" label=${t`Moves`} current=${tab}><${MoveList} moves=${moves} ply=${ply} go=${go} /><//>
        <${Panel} name="Engines" label=${t`Engines`} current=${tab} near=${setNear}>
          <${Reports} players=${seen.players} moves=${moves} ply=${ply} thinking=${thinking} turn=${turn} chips=${chips} />
          ${note && html`<p class="late small muted">${note}</p>`}
        <//>
        <${Panel} name="Graph" label=${t`Graph`} current=${tab}><${Graphs} scale=${record.scale} moves=${moves} ply=${ply} go=${go} point=${setHovered} called=${called} /><//>
        ${dice && html`<${dice.Dice} seen=${seen} record=${record} act=${act} />`}
        ${copies && seen.ending && !closed &&
        html`<p class="small muted">
          <${copies.Downloads} formats=${record.exports} address=${download} />
        </p>`}
        ${sections.map((Section) => html`<${Section} record=${record} seen=${seen} ply=${newest ? null : ply} view=${viewer} />`)}
      </div>
    </div>
  `;
}

show(html`<${MatchPage} />`);
