// SPDX-License-Identifier: GPL-3.0-or-later
// How to connect a bot: instructions and examples with the address of this arena.

import { Command } from "../command.js";
import { prefixed, socketAddress } from "../root.js";
import "../shell.js";
import { translated } from "../texts.js";
import { firstData, html, show } from "../view.js";

// `menu`: addresses and titles of pages that add bots; `sections`: scripts and data of the sections of features
/** @type {{ games: Api.GamesAnswer, menu: [string, string][], sections: { script: string, data: unknown }[] }} */
const { games: { items: games }, menu, sections: added } = firstData();

/**
 * Properties of a section that a feature adds to this page, with `data` as the feature's server side returned them.
 * Each section is a module that exports the component `Section`.
 * @typedef {object} SectionProps
 * @property {string} socket the address of the bots' socket
 */

/** @type {{ Section: import("preact").FunctionComponent<SectionProps & { data: any }>, script: string, data: unknown }[]} */
const sections = await Promise.all(added.map(async (one) => ({ ...one, Section: (await import(prefixed(one.script))).Section })));
const socket = socketAddress("/api/v1/play");
const game = (games.find(({ name }) => name === "checkers") ?? games[0])?.name;

const SDK = `import random

from bots import Bot, run


class Mine(Bot):
    name = "my-bot"
    games = ["${game}"]

    def move(self, turn):
        return random.choice(turn.legal_moves)


run(Mine(), url="${socket}", token="…")`;

const RAW = [
  ["you", `{"type": "hello", "protocol": 1, "token": "…", "games": ["${game}"]}`],
  ["arena", `{"type": "welcome", "protocol": 1, "bot": "my-bot", …}`],
  ["arena", `{"type": "match", "match": 7, "game": "${game}", "seat": 0, …}`],
  ["arena", `{"type": "turn", "match": 7, "ply": 3, "position": "…", "legal_moves": ["…", "…"], …}`],
  ["you", `{"type": "move", "match": 7, "ply": 3, "move": "…"}`],
  ["arena", `{"type": "accepted", "match": 7, "ply": 3, …}`],
  ["arena", `{"type": "over", "match": 7, "result": "1-0", "score": 1.0, …}`],
];

show(html`
  <article class="prose">
    <h1>Connect a bot</h1>
    <p>A bot is a program that keeps a WebSocket open to this arena and answers each <code>turn</code> message with a <code>move</code> message. Write it in any language.</p>
    <h2>1. Add the bot and get its token</h2>
    ${menu.length > 0 && html`<p>Use one of these pages: ${menu.map(([path, title], index) => html`${index > 0 && ", "}<a href=${path}>${translated(title)}</a>`)}. Or use the command line:</p>`}
    <p>Run this command on the machine where the arena runs. In a checkout without an active environment, the command is <code>.venv/bin/arena</code>. It prints the token once; the arena stores only a hash of the token.</p>
    <${Command} text=${"arena bots add my-bot"} />
    <h2>2a. Python, with the SDK</h2>
    <p>The SDK connects and reconnects, resumes running matches and plays several matches at once.</p>
    ${sections.map(({ Section, script, data }) => html`<${Section} key=${script} socket=${socket} data=${data} />`)}
    <p>Save this bot as <code>mine.py</code> with its token, and run <code>python mine.py</code>:</p>
    <pre>${SDK}</pre>
    <p>Where the arena itself is installed, this command also connects the class, without the last line of the file:</p>
    <${Command} text=${`arena connect mine.py --url ${socket} --token …`} />
    <h2>2b. Any language</h2>
    <p>Open <code>${socket}</code>. Send and receive JSON, one object in each text frame:</p>
    <pre>${RAW.map(([sender, text]) => `${sender.padStart(5)}  ${text}`).join("\n")}</pre>
    <p>
      The protocol documentation describes all messages and their fields. The <a href="/api">API</a> page describes the REST API, and${" "}
      <a href="/api/v1/openapi.json">openapi.json</a> is its OpenAPI document.
    </p>
    <p>
      A bot in a web page of another site needs permission: the operator starts the arena with${" "}
      <code>arena serve --allowed-origins https://example.org</code>. Other programs need only their token.
    </p>
    <h2>2c. Any language, without a WebSocket</h2>
    <p>Read the messages from standard input and write yours to standard output, one object per line. This command relays them, and starts one process for each match. With <code>--sandbox</code> the processes have no network and limited memory.</p>
    <${Command} text=${`arena connect --program ./my-bot --url ${socket} --token …`} />
    ${games.some(({ name }) => name === "chess") && html`
      <h2>2d. A UCI chess engine</h2>
      <p>This command connects an engine that supports UCI (or, with <code>--xboard</code>, the xboard protocol). The match page shows its score, depth and principal variation.</p>
      <${Command} text=${`arena connect --uci stockfish --option Hash=64 --url ${socket} --token …`} />
    `}
    <h2>Games on this server</h2>
    <ul>
      ${games.map(({ name, title, time_control, description }) => html`<li><code>${name}</code> – ${translated(title)}, ${time_control} s. <span class="muted">${translated(description)}</span></li>`)}
    </ul>
    <h2>Guarantees</h2>
    <ul>
      <li>The server stores a move before it acknowledges the move.</li>
      <li>After a reconnection, the server sends the full state of each running match in one message. Your clock keeps running while you are disconnected.</li>
      <li>Rated matches start from a random opening. Each opening is played twice, with colours swapped.</li>
      <li>An illegal move loses the match. The server answers an invalid message with an error that states the reason.</li>
    </ul>
  </article>
`);
