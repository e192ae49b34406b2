// SPDX-License-Identifier: GPL-3.0-or-later
// A game: its rules, its starting position, and links to its leaderboard and matches.

import { Board } from "../board.js";
import "../shell.js";
import { withStyles } from "../styles.js";
import { t, translated } from "../texts.js";
import { firstData, html, show } from "../view.js";

/** @type {{ game: Api.GameAnswer, start: string | null }} */
const { game, start } = firstData();
await withStyles([game.board]);
const query = new URLSearchParams({ game: game.name });

function Game() {
  return html`
    <div class="head"><h1>${translated(game.title)}</h1></div>
    <div class="columns">
      <div class="prose">
        <p>${translated(game.description)}</p>
        ${game.rules.split("\n\n").map((paragraph) => html`<p>${translated(paragraph)}</p>`)}
        ${game.link && html`<p><a href=${game.link} rel="noopener noreferrer">More about this game</a></p>`}
        <h2>On this server</h2>
        <p>
          ${t`${translated(game.seats[0])} moves first, ${translated(game.seats[1])} second.`}${game.chance && ` ${t`Some plies are dice rolls.`}`}
          ${` ${t`The time control of rated matches is ${game.time_control} (${translated(game.time_class)}).`}`}
        </p>
        ${game.variants.length > 0 &&
        html`<p>Variants: ${game.variants.map((name) => html`<a href=${`/games/${name}`}>${name}</a> `)}</p>`}
        <p class="files">
          <a class="button" href=${`/leaderboard?${query}`}>Leaderboard</a>
          <a class="button" href=${`/matches?${query}`}>Matches</a>
          <a class="button" href="/connect">Connect a bot</a>
        </p>
      </div>
      ${start && html`<div class="frame"><${Board} board=${game.board} diagram=${start} title=${t`Starting position of ${translated(game.title)}`} /></div>`}
    </div>
  `;
}

show(html`<${Game} />`);
