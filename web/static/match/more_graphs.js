// SPDX-License-Identifier: GPL-3.0-or-later
// Graphs of depth, speed, time and clock of both sides; loaded when a viewer opens them.

import { t } from "../texts.js";
import { html, useMemo } from "../view.js";
import { columnsOf, filled } from "./graphs.js";

const HEIGHT = 88; // pixels

/** @type {[string, import("./graphs.js").Value][]} */
const GRAPHS = [
  [t`Depth (plies)`, ({ info }) => info?.depth],
  [t`Speed (thousand nodes a second)`, ({ info, elapsed }) => (info?.nodes && elapsed ? info.nodes / elapsed : null)],
  [t`Time of the move (s)`, ({ elapsed, opening }) => (opening || elapsed == null ? null : elapsed / 1000)],
  [t`Clock (s)`, ({ clock }) => (clock == null ? null : clock / 1000)],
];

/**
 * ``drawn(columns, height, label)``: a graph.
 * @param {{ moves: Api.SeenMove[], drawn: (columns: import("../plot.js").Columns, height: number, label: string) => import("preact").VNode }} props
 */
export function MoreGraphs({ moves, drawn }) {
  const graphs = useMemo(() => GRAPHS.map(([label, value]) => ({ label, columns: columnsOf(moves, value) })).filter(({ columns }) => filled(columns)), [moves]);
  return html`${graphs.map(({ label, columns }) => html`<h3 class="small muted" key=${label}>${label}</h3>${drawn(columns, HEIGHT, t`${label} of both sides`)}`)}`;
}
