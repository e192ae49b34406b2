// SPDX-License-Identifier: GPL-3.0-or-later
// A game: its rules, its starting position, and links to its leaderboard and matches.

import { Board } from "../board.js";
import "../shell.js";
import { firstData, html, show } from "../view.js";

/** @type {{ game: Api.GameAnswer, start: string | null }} */
const { game, start } = firstData();
const query = new URLSearchParams({ game: game.name });

function Game() {
  return html`
    <div class="head"><h1>${game.title}</h1></div>
    <div class="columns">
      <div class="prose">
        <p>${game.description}</p>
        ${game.rules.split("\n\n").map((paragraph) => html`<p>${paragraph}</p>`)}
        ${game.link && html`<p><a href=${game.link} rel="noopener noreferrer">More about this game</a></p>`}
        <h2>On this server</h2>
        <p>
          ${game.seats[0]} moves first, ${game.seats[1]} second.${game.chance && " Some plies are dice rolls."}
          ${` The time control of rated matches is ${game.time_control} (${game.time_class}).`}
        </p>
        ${game.variants.length > 0 &&
        html`<p>Variants: ${game.variants.map((name) => html`<a href=${`/games/${name}`}>${name}</a> `)}</p>`}
        <p class="files">
          <a class="button" href=${`/leaderboard?${query}`}>Leaderboard</a>
          <a class="button" href=${`/matches?${query}`}>Matches</a>
          <a class="button" href="/connect">Connect a bot</a>
        </p>
      </div>
      ${start && html`<div class="frame"><${Board} board=${game.board} diagram=${start} title=${`Starting position of ${game.title}`} /></div>`}
    </div>
  `;
}

show(html`<${Game} />`);
