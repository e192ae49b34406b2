// SPDX-License-Identifier: GPL-3.0-or-later
// A section of the lobby: the populations that are being evolved.

import { count } from "../format.js";
import { Ago } from "../parts.js";
import { every } from "../time.js";
import { translated } from "../texts.js";
import { ask, html, useEffect, useState } from "../view.js";

const PACE = 60_000; // ms; generations take about that long

/** @param {import("../pages/lobby.js").SectionProps & { data: Api.ActivePopulationsAnswer }} props */
export function Section({ games, game, data }) {
  const [{ items }, setAnswer] = useState(data);
  const asked = new URLSearchParams(game ? { game } : {});
  useEffect(() => every(PACE, () => ask(`/api/v1/active-populations?${asked}`).then(setAnswer, () => {})), []); // the next answer tells as well
  if (!items.length) return null;
  return html`
    <section>
      <h2>Evolving populations</h2>
      <div class="scroll surface"><table class="fixed bred"><tbody>${items.map(
        (row) => html`<tr key=${row.id}>
          <td class="name"><a href=${`/populations/${row.id}`} title=${row.name}><bdi>${row.name}</bdi><span class="muted"> ${translated(games[row.game]?.title ?? row.game)}</span></a></td>
          <td class="number">generation ${count(row.generations - 1)}</td>
          <td class="number muted"><${Ago} time=${row.newest} /></td>
        </tr>`,
      )}</tbody></table></div>
    </section>
  `;
}
