// SPDX-License-Identifier: GPL-3.0-or-later
// How to connect a bot, with this arena's own address in every example.

import { Command } from "../command.js";
import "../shell.js";
import { firstData, html, show } from "../view.js";

const { games: { items: games } } = firstData();
const socket = `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/api/v1/play`;
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
    <p>A bot is a program that holds a websocket open to this arena and answers each <code>turn</code> with a <code>move</code>. It may be written in any language.</p>
    <h2>1. Give it a name and a token</h2>
    <p>On the machine where the arena runs; in its folder the command is <code>.venv/bin/arena</code>, unless its environment is active. The token is printed once; the arena keeps only its hash.</p>
    <${Command} text="arena bots add my-bot" />
    <h2>2a. In Python, with the SDK</h2>
    <p>Connecting, reconnecting, resuming running games and playing several at once come with it.</p>
    <pre>${SDK}</pre>
    <p>Or put the class into a file and let the command connect it:</p>
    <${Command} text=${`arena connect mine.py --url ${socket} --token …`} />
    <h2>2b. In any language</h2>
    <p>Open <code>${socket}</code> and send and receive JSON, one object in each text frame:</p>
    <pre>${RAW.map(([who, text]) => `${who.padStart(5)}  ${text}`).join("\n")}</pre>
    <p>
      All messages with their fields are described in the documentation of the protocol and, for programs, in the schemas of${" "}
      <a href="/api/v1/openapi.json">openapi.json</a>. The REST interface stands under <a href="/api">API</a>.
    </p>
    <p>
      A bot inside a web page connects only where this arena allows the page’s origin: its operator starts it with${" "}
      <code>arena serve --allowed-origins https://example.org</code>. Other programs need no permission besides their token.
    </p>
    ${games.some(({ name }) => name === "chess") && html`
      <h2>2c. A chess engine, as it is</h2>
      <p>Engines that speak UCI (or xboard’s protocol: <code>--xboard</code>) need no program of yours. Score, depth and line are shown beside the board.</p>
      <${Command} text=${`arena connect --uci stockfish --option Hash=64 --url ${socket} --token …`} />
    `}
    <h2>What is played here</h2>
    <ul>
      ${games.map(({ name, title, time_control, description }) => html`<li><code>${name}</code> – ${title}, ${time_control} s. <span class="muted">${description}</span></li>`)}
    </ul>
    <h2>What the arena promises</h2>
    <ul>
      <li>A move is in the record before it is acknowledged.</li>
      <li>Connect again and every running match comes back whole, in one message; your clock goes on meanwhile.</li>
      <li>Rated matches start from a drawn opening and are played in pairs, once with each colour.</li>
      <li>An illegal move loses the match, and an unreadable message is answered with an error that says why.</li>
    </ul>
  </article>
`);
