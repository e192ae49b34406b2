// SPDX-License-Identifier: GPL-3.0-or-later
// Submit a bot: choose or drop a file, name the bot, upload.

import { bytes } from "../accounts/usage.js";
import { Command } from "../command.js";
import { ARENA, visit } from "../root.js";
import "../shell.js";
import { inContext, t, translated } from "../texts.js";
import { firstData, html, messageOf, show, useEffect, useRef, useState } from "../view.js";
import { languageName } from "./states.js";
import { nameError, TargetFields, useTarget } from "./target.js";
import { upload } from "./upload.js";

/**
 * @typedef {object} Data
 * @property {Api.GamesAnswer} games
 * @property {{ id: number, name: string }[]} bots the account's bots
 * @property {number | null} bot the bot that gets a new version
 * @property {number} most maximum size of a file in bytes
 * @property {boolean} approval whether an administrator must approve programs
 * @property {string} refused if not empty: why the server accepts no Python files and programs
 */
/** @type {Data} */
const data = firstData();
const game = (data.games.items.find(({ name }) => name === "checkers") ?? data.games.items[0])?.name;

const EXAMPLE = `import random

from bots import Bot, run


class Mine(Bot):
    games = ["${game}"]

    def move(self, turn):
        return random.choice(turn.legal_moves)


run(Mine(), url="", token="")`;

/**
 * The language of a file, by its name.
 * @param {string} name
 */
function languageOf(name) {
  if (/\.py$/i.test(name)) return languageName("python");
  if (/\.zip$/i.test(name)) return t`Zip archive`;
  if (/\.wasm$/i.test(name)) return languageName("wasm");
  return /\.json$/i.test(name) ? languageName("data") : languageName("executable");
}

/**
 * A name for a bot, from the name of its file.
 * @param {string} name
 */
const nameFrom = (name) => name.replace(/\.[^.]*$/, "").replace(/[^A-Za-z0-9._+-]+/g, "-").replace(/^[^A-Za-z0-9]+/, "").slice(0, 40);

/**
 * The file of the form: dropped, or chosen by the browser's dialog.
 * @param {{ file: File | null, choose: (file: File) => void, error?: string, box: { current: HTMLInputElement | null } }} props
 */
function FileField({ file, choose, error, box }) {
  const [over, setOver] = useState(false);
  useEffect(() => {
    // a file that misses the field must not replace the page
    /** @param {Event} event */
    const stay = (event) => event.preventDefault();
    addEventListener("dragover", stay);
    addEventListener("drop", stay);
  }, []);
  /** @param {DragEvent} event */
  const drop = (event) => {
    event.preventDefault();
    setOver(false);
    const dropped = event.dataTransfer?.files[0];
    if (dropped) choose(dropped);
  };
  /** @param {Event & { currentTarget: HTMLInputElement }} event */
  const changed = ({ currentTarget: { files } }) => files?.[0] && choose(files[0]);
  return html`
    <div class="field">
      <label for="file">File</label>
      <div class=${`drop ${over ? "over" : ""}`} onDragEnter=${() => setOver(true)} onDragOver=${() => setOver(true)} onDragLeave=${() => setOver(false)} onDrop=${drop}>
        <p>${file ? html`<strong class="foreign">${file.name}</strong> <span class="muted">${languageOf(file.name)}, ${bytes(file.size)}</span>` : html`<span class="muted">Drop a file here, or choose one:</span>`}</p>
        <input id="file" ref=${box} type="file" onChange=${changed} aria-describedby="file-note" aria-invalid=${error ? "true" : null} />
      </div>
      <p id="file-note" class=${`note small ${error ? "loss" : "muted"}`}>${error ? `✗ ${error}` : t`A Python file, a zip archive with main.py or bot.json, a WebAssembly module, a Linux program, or a data bot (.json); at most ${bytes(data.most)}.`}</p>
    </div>
  `;
}

/** @typedef {Partial<Record<"file" | "name", string>>} Errors */

function Submit() {
  const [file, setFile] = useState(/** @type {File | null} */ (null));
  const own = useTarget(data.bots, data.bot);
  const [chosen, setChosen] = useState(/** @type {string[]} */ ([]));
  const [errors, setErrors] = useState(/** @type {Errors} */ ({}));
  const [problem, setProblem] = useState(/** @type {string | null} */ (null));
  const [refused, setRefused] = useState(0); // attempts
  const [sent, setSent] = useState(/** @type {number | null} */ (null)); // share of the file
  const box = useRef(/** @type {HTMLInputElement | null} */ (null));
  const nameBox = useRef(/** @type {HTMLInputElement | null} */ (null));

  useEffect(() => {
    if (errors.file) box.current?.focus();
    else if (errors.name) nameBox.current?.focus();
  }, [refused]);

  /** @param {File} found */
  const choose = (found) => {
    setFile(found);
    setErrors({});
    setProblem(null);
    if (!own.name) own.setName(nameFrom(found.name));
  };
  /** @param {string} game */
  const toggle = (game) => setChosen(chosen.includes(game) ? chosen.filter((each) => each !== game) : [...chosen, game]);

  /** @param {SubmitEvent} event */
  const submit = async (event) => {
    event.preventDefault();
    if (sent != null) return;
    /** @type {Errors} */
    const found = {};
    if (!file) found.file = t`Choose a file.`;
    else if (file.size > data.most) found.file = t`The file has ${bytes(file.size)}; the server accepts at most ${bytes(data.most)}.`;
    else if (file.size === 0) found.file = t`The file is empty.`;
    const wrong = nameError(own);
    if (wrong) found.name = wrong;
    setErrors(found);
    setProblem(null);
    if (!file || Object.keys(found).length > 0) return setRefused(refused + 1);
    setSent(0);
    let bot;
    try {
      bot = await own.register();
    } catch (error) {
      setSent(null);
      setErrors({ name: messageOf(error) });
      return setRefused(refused + 1);
    }
    try {
      const { version } = await upload(bot, file, chosen, setSent);
      visit(`/bots/${bot}/versions/${version}`);
    } catch (error) {
      setSent(null);
      setProblem(messageOf(error));
    }
  };

  return html`
    <form id="submit" class="form" novalidate onSubmit=${submit} aria-busy=${sent != null}>
      <${FileField} file=${file} choose=${choose} error=${errors.file} box=${box} />
      <${TargetFields} own=${own} error=${errors.name} mend=${() => setErrors({ ...errors, name: undefined })} box=${nameBox} />
      <fieldset class="choices">
        <legend>${inContext("to choose from", "Games")} <span class="muted">(optional)</span></legend>
        ${data.games.items.map((game) => html`<label key=${game.name}><input type="checkbox" checked=${chosen.includes(game.name)} onChange=${() => toggle(game.name)} /><span>${translated(game.title)}</span></label>`)}
        <p class="small muted">If you choose none, the bot plays the games that it names itself.</p>
      </fieldset>
      <div class="send">
        <button class="primary" aria-disabled=${sent != null}>${sent == null ? t`Submit` : t`Uploading…`}</button>
        <progress max="1" value=${sent ?? 0} aria-label="Upload" hidden=${sent == null}></progress>
      </div>
      <div role="alert">${problem && html`<p class="loss">✗ ${problem}</p>`}</div>
    </form>
  `;
}

show(html`
  <div class="head"><h1>Submit a bot</h1></div>
  <div class="columns">
    <div class="stack">
      ${data.refused && html`<div class="empty" role="note"><h2>This server runs WebAssembly and data bots only</h2><p class="muted">${data.refused}</p></div>`}
      <${Submit} />
    </div>
    <div class="prose side">
      <section>
        <h2>What happens next</h2>
        <ol>
          ${data.approval && html`<li>An administrator approves Python files and Linux programs.</li>`}
          <li>The server validates the bot: in each game it plays against itself and against the bot “random”. You see the log while it runs.</li>
          <li>An accepted bot joins the ladder. The server runs it in a sandbox without network, one process for each match.</li>
        </ol>
      </section>
      <section>
        <h2>A bot without code</h2>
        <p>Choose one of the searches of this arena, and set its parameters: <a href=${`/submit/build${data.bot == null ? "" : `?bot=${data.bot}`}`}>build a bot</a>.</p>
      </section>
      <section>
        <h2>A bot in ten lines</h2>
        <pre>${EXAMPLE}</pre>
        <p class="small muted">The SDK, numpy and numba are installed in the sandbox.</p>
      </section>
      <section>
        <h2>By command line</h2>
        <${Command} text=${`arena submit mine.py --url ${ARENA} --token TOKEN`} />
        <p class="small muted">Create the token on the page <a href="/account#tokens">Account</a>; it needs the permissions “play” and “submit”.</p>
      </section>
    </div>
  </div>
`);
