// SPDX-License-Identifier: GPL-3.0-or-later
// The form that starts a match of a person, and the ratings of people.

import { useAnswer } from "../asking.js";
import { post } from "../accounts/requests.js";
import { visit } from "../root.js";
import "../shell.js";
import { t, translated } from "../texts.js";
import { firstData, html, messageOf, Problem, show, useState } from "../view.js";

/** @type {{ games: Api.GamesAnswer, opponents: Api.PlayableBots }} */
const { games: { items: games }, opponents: first } = firstData();
const UNLIMITED = "unlimited";
const asked = new URLSearchParams(location.search);

/** @param {number} seconds */
const span = (seconds) => (seconds < 120 ? `${Math.round(seconds)} s` : `${Math.round(seconds / 60)} min`);

/**
 * "5 min + 3 s a move".
 * @param {string} clock
 */
function clockName(clock) {
  const found = /^(\d+)\+(\d+(?:\.\d+)?)$/.exec(clock);
  return found ? t`${span(Number(found[1]))} + ${found[2]} s a move` : clock;
}

/** @param {{ name: string, label: string, choices: [string, string][], value: string, choose: (value: string) => void }} props */
function Choice({ name, label, choices, value, choose }) {
  /** @param {Event & { currentTarget: HTMLSelectElement }} event */
  const change = (event) => choose(event.currentTarget.value);
  return html`
    <div class="field">
      <label for=${`play-${name}`}>${label}</label>
      <select id=${`play-${name}`} name=${name} onChange=${change}>
        ${choices.map(([each, title]) => html`<option key=${each} value=${each} selected=${each === value}>${title}</option>`)}
      </select>
    </div>
  `;
}

/** The form. */
function Play() {
  const [told] = useAnswer("/api/v1/people/opponents");
  const [me] = useAnswer("/api/v1/people/me");
  const [game, setGame] = useState(asked.get("game") ?? games[0]?.name ?? "");
  const [opponent, setOpponent] = useState(asked.get("opponent") ?? "");
  const [seat, setSeat] = useState("");
  const [clock, setClock] = useState(UNLIMITED);
  const [problem, setProblem] = useState(/** @type {string | null} */ (null));
  const [busy, setBusy] = useState(false);
  const bots = told ?? first;
  const found = games.find(({ name }) => name === game);
  const able = bots.items.filter((bot) => bot.games.includes(game)).sort((one, other) => (one.ratings[game] ?? 0) - (other.ratings[game] ?? 0));
  const chosen = able.some(({ name }) => name === opponent) ? opponent : (able[0]?.name ?? "");

  /** @param {SubmitEvent} event */
  const submit = async (event) => {
    event.preventDefault();
    if (busy) return;
    setBusy(true);
    setProblem(null);
    try {
      const { match } = await post("/api/v1/people/matches", { game, opponent: chosen, seat: seat ? Number(seat) : null, clock });
      visit(`/matches/${match}`);
    } catch (error) {
      setProblem(messageOf(error));
      setBusy(false);
    }
  };

  /** @type {[string, string][]} */
  const seats = [["", t`At random`], ...(found?.seats ?? []).map((name, index) => /** @type {[string, string]} */ ([String(index), index ? t`${translated(name)}, second` : t`${translated(name)}, first`]))];
  return html`<div class="choosing">
    <form class="form play" onSubmit=${submit} aria-busy=${busy}>
      ${me?.match != null && html`<p role="note">You play a match now. <a href=${`/matches/${me.match}`}>Continue match ${me.match}</a></p>`}
      <${Choice} name="game" label="Game" value=${game} choose=${setGame} choices=${games.map(({ name, title }) => [name, translated(title)])} />
      ${able.length
        ? html`<${Choice} name="opponent" label="Opponent" value=${chosen} choose=${setOpponent}
            choices=${able.map(({ name, ratings }) => [name, ratings[game] == null ? name : `${name} (${Math.round(ratings[game])})`])} />`
        : html`<p class="muted">No connected bot accepts people in this game now. Built-in bots accept people when they are ready.</p>`}
      <${Choice} name="seat" label="Your side" value=${seat} choose=${setSeat} choices=${seats} />
      <${Choice} name="clock" label="Clock" value=${clock} choose=${setClock}
        choices=${[[UNLIMITED, t`Unlimited (${span(bots.move_time)} for each move)`], ...bots.clocks.map((each) => [each, clockName(each)])]} />
      <div class="send"><button class="primary" disabled=${!chosen} aria-disabled=${busy}>Play</button></div>
      <div role="alert"><${Problem} text=${problem} /></div>
      <p class="small muted">
        ${me?.account ? t`You play with your account. A match with a clock changes your rating among people.` : html`You play as a guest. <a href="/sign-in?next=/play">Sign in</a> to have a rating among people.`}
        ${" "}The match does not change the bot's rating. Everybody can watch the match.
      </p>
    </form>
    <${Ratings} game=${game} title=${translated(found?.title ?? game)} time_class=${found?.time_class ?? ""} />
  </div>`;
}

/**
 * The ratings of people in a game.
 * @param {{ game: string, title: string, time_class: string }} props
 */
function Ratings({ game, title, time_class: usual }) {
  const [chosen, setChosen] = useState("");
  const kind = chosen || usual;
  const [answer, problem] = useAnswer(`/api/v1/people/ratings?${new URLSearchParams({ game, time_class: kind })}`);
  const rows = /** @type {Api.PeopleRatings | null} */ (answer)?.items ?? [];
  return html`
    <section>
      <h2>Ratings of people: ${title}</h2>
      <div class="play"><${Choice} name="class" label="Time class" value=${kind} choose=${setChosen}
        choices=${["bullet", "blitz", "rapid", "classical"].map((each) => [each, translated(each)])} /></div>
      <${Problem} text=${problem} />
      ${rows.length
        ? html`<div class="scroll surface"><table>
            <thead><tr><th scope="col" class="number">#</th><th scope="col">Person</th><th scope="col" class="number">Rating</th><th scope="col" class="number">Games</th>
              <th scope="col" class="number">Wins</th><th scope="col" class="number">Draws</th><th scope="col" class="number">Losses</th></tr></thead>
            <tbody>${rows.map((row, index) => html`<tr key=${row.bot}><td class="number">${index + 1}</td><td class="foreign"><a href=${`/bots/${row.bot}`}>${row.name}</a></td>
              <td class="number">${Math.round(row.rating)}</td><td class="number">${row.games}</td><td class="number">${row.wins}</td><td class="number">${row.draws}</td><td class="number">${row.losses}</td></tr>`)}</tbody>
          </table></div>`
        : html`<p class="muted">Nobody has a rating in this time class yet. Play a match with a clock while you are signed in.</p>`}
    </section>
  `;
}

show(html`<div class="head"><h1>Play</h1></div><${Play} />`);
