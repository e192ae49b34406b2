// SPDX-License-Identifier: GPL-3.0-or-later
// Administration of a cluster: the nodes, their leases and matches, and the links of the answering node to them.

import { Administration } from "../accounts/administration.js";
import { usePolling } from "../asking.js";
import { bytes } from "../accounts/usage.js";
import { count, fixed } from "../format.js";
import { Ago } from "../parts.js";
import { t } from "../texts.js";
import { ask, firstData, html, show, useState } from "../view.js";

/** @typedef {Api.AnswerTo<"/api/v1/nodes">} Nodes */
/** @type {{ menu: [string, string][], nodes: Nodes }} */
const { menu, nodes: first } = firstData();

/** @param {number | null} time in seconds */
const seconds = (time) => (time === null ? "–" : t`${fixed(time, 1)} s`);

/** @param {{ node: Nodes["items"][number], own: boolean }} props */
function Row({ node, own }) {
  return html`<tr>
    <td class="name">${node.name} ${node.leads && html`<span class="muted">leads</span>`} ${own && html`<span class="muted">this node</span>`}</td>
    <td class="wide muted">${node.url}</td>
    <td class="wide muted">${node.version}</td>
    <td class="number muted"><${Ago} time=${node.started} /></td>
    <td class="number">${count(node.matches)}</td>
    <td class="number">${seconds(node.renewed)}</td>
    <td class="wide number">${seconds(node.silence)}</td>
    <td class="wide number">${count(node.waiting)} <span class="muted">${bytes(node.waiting_bytes)}</span></td>
  </tr>`;
}

function Page() {
  const [nodes, setNodes] = useState(first);
  usePolling(async () => setNodes(await ask("/api/v1/nodes")));
  return html`
    <${Administration} menu=${menu}>
      ${nodes.items.length === 0
        ? html`<div class="empty"><h2>This server is alone</h2><p class="muted">Servers that were started with --bus are listed here: they share the matches of one arena.</p></div>`
        : html`
          <p id="bus">${nodes.bus_away > 0 ? t`The bus has not answered for ${fixed(nodes.bus_away, 0)} s.` : t`The bus works.`} ${t`Number of leaders so far: ${count(nodes.term)}.`}</p>
          <div class="scroll surface"><table class="rows" id="nodes">
            <thead><tr><th>Node</th><th class="wide">Address</th><th class="wide">Version</th><th class="number">Started</th><th class="number">Matches</th><th class="number">Lease renewed</th><th class="wide number">Last message</th><th class="wide number">Unacknowledged</th></tr></thead>
            <tbody>${nodes.items.map((node) => html`<${Row} key=${node.id} node=${node} own=${node.name === nodes.node} />`)}</tbody>
          </table></div>`}
    <//>
  `;
}

show(html`<${Page} />`);
