// SPDX-License-Identifier: GPL-3.0-or-later
// The form of a new tournament. An address can fill it in: by settings and bots, or by the number of another tournament.

import { post, Refusal } from "../accounts/requests.js";
import { here, visit } from "../root.js";
import "../shell.js";
import { t, translated } from "../texts.js";
import { ask, firstData, html, messageOf, show, useEffect, useRef, useState } from "../view.js";
import { blamed, copied, DEFAULTS, described, optionDefaults, prefilled } from "./description.js";
import { Choice, OptionField, Switch, Text } from "./fields.js";
import { Players } from "./players.js";

/** @type {{ games: Api.GamesAnswer, formats: import("./description.js").Format[], account: boolean, refused: string | null }} */
const { games: { items: games }, formats, account, refused } = firstData();
const asked = new URLSearchParams(location.search);
const given = prefilled(asked, formats);

const RANKINGS = [["", t`Usual for the game`], ["score", t`Score`], ["payoff", t`Points a game`]];

/**
 * A message of the server beside a field: without the path, which the field shows.
 * @param {Error} error
 */
const plain = (error) => {
  const text = messageOf(error).replace(/^The body is not valid: /, "").replace(/ - at `[^`]*`/, "");
  return text.charAt(0).toUpperCase() + text.slice(1);
};

/** The values of the fields, first those of another tournament if the address names one. */
function useValues() {
  const [values, setValues] = useState(() => /** @type {import("./description.js").Values} */ ({ ...DEFAULTS, ...optionDefaults(formats), game: games[0]?.name ?? "", ...given.values }));
  const [players, setPlayers] = useState(given.players);
  const [note, setNote] = useState("");
  useEffect(() => {
    const other = asked.get("tournament");
    if (!other) return;
    setNote(t`Reading the settings of tournament ${other}…`);
    ask(`/api/v1/tournaments/${encodeURIComponent(other)}/settings`).then((config) => {
      const found = copied(/** @type {Api.Config} */ (config));
      setValues((before) => ({ ...before, ...found.values, ...given.values }));
      setPlayers([...found.players, ...given.players]);
      const known = formats.some(({ name }) => name === found.values.format);
      setNote(known ? t`The settings are those of tournament ${other}, with another seed.` : t`This form has no format ${found.values.format}; the other settings are those of tournament ${other}.`);
    }, (error) => setNote(messageOf(error)));
  }, []);
  return { values, setValues, players, setPlayers, note };
}

function Form() {
  const { values, setValues, players, setPlayers, note } = useValues();
  const [errors, setErrors] = useState(/** @type {Record<string, string>} */ ({}));
  const [problem, setProblem] = useState("");
  const [busy, setBusy] = useState("");
  const [attempts, setAttempts] = useState(0);
  const element = useRef(/** @type {HTMLFormElement | null} */ (null));
  useEffect(() => {
    const wrong = /** @type {HTMLElement | null | undefined} */ (element.current?.querySelector('[aria-invalid="true"]'));
    wrong?.focus();
  }, [attempts]);

  /** @param {string} name */
  const mend = (name) => errors[name] && setErrors(Object.fromEntries(Object.entries(errors).filter(([each]) => each !== name)));
  /** @param {string} name @param {string | boolean} value */
  const set = (name, value) => {
    setValues((before) => ({ ...before, [name]: value }));
    mend(name);
  };
  const form = { values, errors, set };
  const format = formats.find(({ name }) => name === values.format) ?? formats[0];
  const game = games.find(({ name }) => name === values.game);

  /** @param {Record<string, string>} found */
  const refuse = (found) => {
    setErrors(found);
    setAttempts(attempts + 1);
  };
  /** @param {SubmitEvent} event */
  const submit = async (event) => {
    event.preventDefault();
    if (busy) return;
    setProblem("");
    const { config, errors: found } = described(values, players, format);
    if (Object.keys(found).length) return refuse(found);
    setErrors({});
    setBusy(t`Creating the tournament…`);
    try {
      const { id } = await post("/api/v1/tournaments", config);
      setBusy(t`Starting the tournament…`);
      // if the start fails, the page of the tournament says how to start it
      if (values.start) await post(`/api/v1/tournaments/${id}/status`, { status: "running" }).catch(() => {});
      visit(`/tournaments/${id}`);
    } catch (error) {
      setBusy("");
      const field = error instanceof Refusal ? blamed(error.field, values) : null;
      if (field && error instanceof Error) refuse({ [field]: plain(error) });
      else setProblem(messageOf(error));
    }
  };

  const hint = format.seeded ? t`Their order matters: the strongest first.` : t`Their order decides the order of the pairings.`;
  return html`
    <form ref=${element} class="organising" novalidate onSubmit=${submit} aria-busy=${Boolean(busy)} aria-label="New tournament">
      <p role="status">${note}</p>
      <fieldset>
        <legend>Tournament</legend>
        <${Text} form=${form} name="name" label="Name" hint="Everybody sees this name." />
        <${Choice} form=${form} name="game" label="Game" hint=${translated(game?.description ?? "")} choices=${games.map(({ name, title }) => [name, translated(title)])} />
        <${Choice} form=${form} name="format" label="Format" hint=${translated(format.description)} choices=${formats.map(({ name, title }) => [name, translated(title)])} />
        ${format.options.map((option) => html`<${OptionField} key=${`${format.name} ${option.name}`} form=${form} option=${option} />`)}
      </fieldset>
      <fieldset class="whole">
        <legend>Bots</legend>
        <${Players} game=${String(values.game)} players=${players} hint=${hint} error=${errors.entries} change=${(/** @type {import("./description.js").Player[]} */ list) => {
          setPlayers(list);
          mend("entries");
        }} />
      </fieldset>
      <fieldset>
        <legend>Matches</legend>
        <${Text} form=${form} name="games" label="Matches in each pairing" numeric hint="Colours alternate; both matches of a pair have the same opening. A sequential test needs 2." />
        <${Text} form=${form} name="time_control" label="Time control" placeholder=${game?.time_control} hint="60+0.5: 60 s, and 0.5 s more for each move. 40/60+0.5: another 60 s after every 40 moves. 5/move: 5 s for each move. Empty: the usual one of the game." />
        <${Text} form=${form} name="openings" label="Openings" rows=${4} hint="One opening on each line: its moves, or POSITION | MOVES. Empty: random balanced openings of the game." />
        <${Text} form=${form} name="concurrency" label="Matches at the same time" numeric hint="Maximum number of matches that are played at the same time. 0: as many as the bots accept." />
      </fieldset>
      <fieldset>
        <legend>Early ends</legend>
        <div>
          <${Switch} form=${form} name="adjudication.draw" label="End drawn matches early" hint="If both bots report scores near zero for long enough." />
          ${values["adjudication.draw"] && html`
            <${Text} form=${form} name="adjudication.draw.score" label="Score, at most" numeric hint="In pawn units." />
            <${Text} form=${form} name="adjudication.draw.moves" label="Moves in succession" numeric hint="Of each side." />
            <${Text} form=${form} name="adjudication.draw.after" label="After move" numeric hint="The rule applies from this move on." />`}
        </div>
        <div>
          <${Switch} form=${form} name="adjudication.resign" label="End lost matches early" hint="If one bot reports that it is far behind for long enough." />
          ${values["adjudication.resign"] && html`
            <${Text} form=${form} name="adjudication.resign.score" label="Behind by" numeric hint="In pawn units." />
            <${Text} form=${form} name="adjudication.resign.moves" label="Moves of the losing side" numeric hint="In succession." />
            <${Switch} form=${form} name="adjudication.resign.both" label="The other bot must agree" hint="The other bot must also report this." />`}
        </div>
        <${Text} form=${form} name="adjudication.plies" label="Longest match" numeric hint="A match with this number of plies is a draw. Empty: the limit of the game." />
      </fieldset>
      <fieldset>
        <legend>More</legend>
        <${Switch} form=${form} name="rated" label="Rated" hint="The matches change the ratings of the ladder." />
        ${(game?.counts_points || values.ranked_by) && html`<${Choice} form=${form} name="ranked_by" label="Order of the standings" hint="In a round robin or a gauntlet, the standings can be ordered by points a game." choices=${RANKINGS} />`}
        ${(game?.chance || values.mirrored_dice) && html`<${Switch} form=${form} name="mirrored_dice" label="Mirrored dice" hint="Both matches of a pair have the same rolls, so that luck counts less. In unrated tournaments only." />`}
        <${Switch} form=${form} name="anonymous" label="Anonymous" hint="Names of players are hidden until a match ends." />
        <${Text} form=${form} name="patience" label="Patience" numeric hint="Seconds that a bot may be absent when its match is due. Then it is withdrawn." />
        <${Text} form=${form} name="seed" label="Seed" numeric hint="It decides the order of the openings. Empty: a random number." />
      </fieldset>
      <${Switch} form=${form} name="start" label="Start it immediately" hint="Without this, the page of the tournament says how to start it." />
      <div class="send">
        <button class="primary" aria-disabled=${Boolean(busy)}>Create the tournament</button>
        <p role="status" class="muted">${busy}</p>
      </div>
      <div role="alert">${problem && html`<p class="loss">✗ ${problem}</p>`}</div>
    </form>
  `;
}

/** Why a visitor cannot create tournaments, and what to do. */
function Refused() {
  const next = encodeURIComponent(here() + location.search);
  return html`<div class="empty">
    <h2>You cannot create tournaments yet</h2>
    <p>${refused}</p>
    ${account ? html`<a class="button" href="/account">Your account</a>` : html`<a class="button" href=${`/sign-in?next=${next}`}>Sign in</a>`}
  </div>`;
}

show(html`<div class="head"><h1>Create a tournament</h1></div>${refused ? html`<${Refused} />` : html`<${Form} />`}`);
