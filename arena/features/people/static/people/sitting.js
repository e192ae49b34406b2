// SPDX-License-Identifier: GPL-3.0-or-later
// The page of a match for the person who plays it: the board takes moves, and a panel says whose turn it is.

import { post } from "../accounts/requests.js";
import { visit } from "../root.js";
import { styleOf } from "../styles.js";
import { t } from "../texts.js";
import { ask, html, messageOf, useEffect, useMemo, useRef, useState } from "../view.js";
import { choices, typed } from "./choosing.js";
import { sit } from "./link.js";
import { again } from "./orders.js";
import { Panel } from "./panel.js";

/**
 * @typedef {object} Held what the arena told this seat
 * @property {"waiting" | "live" | "lost" | "elsewhere" | "failed"} link
 * @property {string} note an error or a reason, for people
 * @property {number | null} seat
 * @property {any | null} turn the last turn, while it waits for a move
 * @property {any | null} sent the turn that the person's move answers, until the arena has the move
 * @property {"" | "theirs" | "ours"} draw whose offer of a draw is open
 * @property {boolean} over
 */

/** @type {Held} */
const NOTHING = { link: "waiting", note: "", seat: null, turn: null, sent: null, draw: "", over: false };

/**
 * The state after a message of the arena.
 * @param {Held} held
 * @param {any} message
 * @param {number} match
 * @returns {Held}
 */
function advance(held, message, match) {
  if (message.match != null && message.match !== match) return held;
  switch (message.type) {
    case "match":
      return { ...held, seat: message.seat, draw: message.draw_offered ? "theirs" : "" };
    case "turn":
      return { ...held, turn: message, sent: null, note: "", draw: message.draw_offered ? "theirs" : "" };
    case "accepted":
      return { ...held, sent: null, note: "" };
    case "draw-offered":
      return { ...held, draw: "theirs" };
    case "draw-declined":
      return { ...held, draw: "", note: t`The opponent declines the draw.` };
    case "over":
      return { ...held, over: true, turn: null, sent: null, draw: "" };
    case "error":
      // an illegal move of a person loses nothing: it is still the person's turn
      return { ...held, note: message.message, ...(message.code === "illegal-move" ? { turn: held.sent, sent: null } : {}) };
    default:
      return held;
  }
}

/**
 * What a person's seat adds to the page of a match: properties of the board, the person's seat, and a panel. Null
 * once the match was over when the page was loaded.
 * @param {Api.MatchDetailAnswer & { board: Api.BoardAnswer }} record
 * @param {Protocol.Seen} seen
 */
export function useSeat(record, seen) {
  const [held, setHeld] = useState(NOTHING);
  const [view, setView] = useState(/** @type {Api.PositionView | null} */ (null));
  const [selected, setSelected] = useState(/** @type {number | null} */ (null));
  const [premove, setPremove] = useState(/** @type {[number, number] | null} */ (null));
  const [asked, setAsked] = useState(/** @type {Api.LegalMove[]} */ ([])); // moves between which the person chooses
  const [done, setDone] = useState(/** @type {import("./steps.js").Step[]} */ ([])); // the first steps of the person's move
  const [plays] = useState(() => record.status === "live");
  const link = useRef(/** @type {ReturnType<typeof sit> | null} */ (null));
  const { board } = record;
  const { turn, seat } = held;

  useEffect(() => {
    if (!plays) return undefined;
    const opened = sit(
      record.game,
      (message) => setHeld((before) => advance(before, message, record.id)),
      (state, text = "") => setHeld((before) => ({ ...before, link: state, note: text, turn: state === "live" ? before.turn : null })),
    );
    link.current = opened;
    return () => opened.leave();
  }, []);

  const position = turn?.position;
  useEffect(() => {
    setView(null);
    if (position == null) return undefined;
    let stale = false;
    let timer = 0;
    const load = async () => {
      try {
        const query = new URLSearchParams({ game: record.game, position });
        const found = await ask(`/api/v1/positions?${query}`);
        if (!stale) setView(/** @type {Api.PositionView} */ (found));
      } catch {
        if (!stale) timer = setTimeout(load, 1000);
      }
    };
    load();
    return () => {
      stale = true;
      clearTimeout(timer);
    };
  }, [position, turn?.ply]);

  const legal = useMemo(() => {
    const allowed = turn?.legal_moves && new Set(turn.legal_moves);
    return turn && view && view.position === position ? view.legal.filter(({ move }) => !allowed || allowed.has(move)) : [];
  }, [turn, view]);
  useEffect(() => setDone([]), [legal]);
  const found = useMemo(() => choices(board, view?.diagram ?? "", legal, done), [legal, done]);
  const stepped = "enter" in found ? found : null;

  /** @param {Api.LegalMove} move */
  const play = (move) => {
    setAsked([]);
    setSelected(null);
    setPremove(null);
    const sent = link.current?.say({ type: "move", match: record.id, ply: turn.ply, move: move.move });
    // no second move follows before the arena has the first one
    if (sent) setHeld((before) => ({ ...before, turn: null, sent: before.turn, note: "" }));
    else setHeld((before) => ({ ...before, note: t`The connection is lost; play the move again.` }));
  };
  /** @param {Api.LegalMove[]} moves */
  const offer = (moves) => {
    setSelected(null);
    if (moves.length === 1) play(moves[0]);
    else setAsked(moves);
  };

  // a premove is played as soon as it is legal, and forgotten if it is not
  useEffect(() => {
    if (!premove || !legal.length) return;
    const moves = found.between(...premove);
    setPremove(null);
    if (moves.length) offer(moves);
  }, [legal]);

  /** @param {number} square */
  const own = (square) => board.pieces[seen.diagram[square]]?.seat === seat;
  /** @param {number} from @param {number} to */
  const move = (from, to) => {
    setAsked([]);
    const ways = stepped?.between(from, to) ?? [];
    if (ways.length) {
      // a click for two dice may mean two moves: only on one of the ways a man of the opponent is hit
      offer(ways);
    } else if (stepped) {
      const steps = stepped.enter(from, to);
      const whole = steps && stepped.whole(steps);
      setSelected(null);
      if (steps) setDone(steps);
      if (whole) play(whole);
    } else if (legal.length) {
      const moves = found.between(from, to);
      if (moves.length) offer(moves);
      else setSelected(null);
    } else if (seen.to_move !== seat && own(from)) {
      setSelected(null);
      setPremove([from, to]);
    }
  };
  /** @param {number} square */
  const pick = (square) => {
    setAsked([]);
    if (selected != null) {
      if (legal.length && (stepped?.enter(selected, square) || found.between(selected, square).length)) return move(selected, square);
      if (square === selected) return setSelected(null);
      if (!legal.length && !own(square)) return move(selected, square);
    }
    if (legal.length) {
      const here = found.at(square);
      if (here.length) return offer(here);
      setSelected(found.starts.has(square) ? square : null);
    } else if (!stepped) {
      setPremove(null);
      setSelected(own(square) ? square : null);
    }
  };

  if (!plays) return null;
  /** @param {string} text */
  const type = (text) => {
    const move = typed(legal, text);
    if (move) play(move);
    return move != null;
  };
  /** @param {object} message */
  const say = (message) => void link.current?.say({ match: record.id, ...message });
  const actions = {
    play,
    type,
    cancel: () => setAsked([]),
    resign: () => say({ type: "resign" }),
    offerDraw: () => {
      say({ type: "offer-draw" });
      setHeld((before) => ({ ...before, draw: "ours", note: "" }));
    },
    /** @param {boolean} accept */
    answerDraw: (accept) => {
      say({ type: "answer-draw", accept });
      setHeld((before) => ({ ...before, draw: "" }));
    },
    take: () => link.current?.take(),
    forget: () => setPremove(null),
    undo: () => {
      setSelected(null);
      setDone(done.slice(0, -1));
    },
    rematch: async () => {
      try {
        const { match } = await post("/api/v1/people/matches", again(record, seat ?? 0));
        visit(`/matches/${match}`);
      } catch (error) {
        setHeld((before) => ({ ...before, note: messageOf(error) }));
      }
    },
  };
  const open = !seen.ending && !held.over && held.link === "live";
  return {
    turned: seat != null && seat !== board.bottom,
    board: open
      ? {
          pick,
          drop: styleOf(board).still ? undefined : move,
          selected,
          ...(stepped && done.length > 0 && { diagram: stepped.shown, squares: done.flat(), steps: seen.ply + done.length }),
          targets: legal.length ? found.targets(selected) : null,
          names: legal.length && "names" in found ? found.names : undefined,
          arrows: premove ? [{ squares: premove, kind: /** @type {"hint"} */ ("hint") }] : undefined,
        }
      : {},
    panel: html`<${Panel} held=${held} ending=${seen.ending ?? null} toMove=${seen.to_move} ready=${legal.length > 0} asked=${asked}
      others=${found.others} premove=${premove != null} done=${done.length} selected=${selected != null} actions=${actions} />`,
  };
}
