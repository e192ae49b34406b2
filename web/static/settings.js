// SPDX-License-Identifier: GPL-3.0-or-later
// The dialog of settings that the browser keeps, and of keyboard shortcuts. The shell loads it when it opens.

import { PREFIX } from "./root.js";
import { isOn } from "./sounds.js";
import { isWanted, want } from "./spoilers.js";
import { language, t } from "./texts.js";
import { turn } from "./tones.js";
import { html, useState } from "./view.js";
import { render } from "./vendor/preact.js";

/** @type {[string, string, () => boolean, (on: boolean) => void][]} */
const SWITCHES = [
  [t`Hide results`, t`Results of matches and tournaments stay hidden until you ask for them.`, isWanted, want],
  [t`Sounds`, t`A sound for each move, capture, end and low clock of the match on the page.`, isOn, turn],
];

/** @param {{ name: string, about: string, read: () => boolean, write: (on: boolean) => void }} props */
function Switch({ name, about, read, write }) {
  const [on, setOn] = useState(read);
  /** @param {Event & { currentTarget: HTMLInputElement }} event */
  const change = ({ currentTarget: { checked } }) => {
    write(checked);
    setOn(read());
  };
  return html`<label><input type="checkbox" checked=${on} onChange=${change} /><span>${name}<span class="muted small">${about}</span></span></label>`;
}

const COOKIE = "arena-language"; // which the server reads
const YEAR = 31_536_000; // seconds
const languages = (document.documentElement.dataset.languages ?? language).split(" ");

/** The language that the visitor has chosen; "" if the browser's settings decide. */
const chosenLanguage = () => document.cookie.split("; ").find((each) => each.startsWith(`${COOKIE}=`))?.slice(COOKIE.length + 1) ?? "";

/** @param {Event & { currentTarget: HTMLSelectElement }} event */
function chooseLanguage({ currentTarget: { value } }) {
  const secure = location.protocol === "https:" ? "; secure" : "";
  document.cookie = `${COOKIE}=${value}; path=${PREFIX || "/"}; samesite=lax; max-age=${value ? YEAR : 0}${secure}`;
  // the browser may store a cookie after it has asked for the page; reading cookies waits until they are stored
  chosenLanguage();
  location.reload();
}

/**
 * The name of a language in the language itself.
 * @param {string} code
 */
const nameOf = (code) => new Intl.DisplayNames(code, { type: "language" }).of(code);

const LanguageChoice = () => html`
  <label class="choice"><span>Language</span>
    <select value=${chosenLanguage()} onChange=${chooseLanguage}>
      <option value="">As in the browser’s settings</option>
      ${languages.map((code) => html`<option key=${code} value=${code} lang=${code}>${nameOf(code)}</option>`)}
    </select>
  </label>
`;

/** @type {Record<string, string>} */
const NAMED = { ArrowLeft: "←", ArrowRight: "→", " ": t`space` };

const EVERYWHERE = [
  ["/", t`Search bots, tournaments and matches`],
  ["t", t`Switch between light and dark theme`],
  ["h", t`Hide results, or show them again`],
  ["?", t`Settings and keyboard shortcuts`],
];

/**
 * Open the dialog. ``own``: the shortcuts of the page.
 * @param {import("./shell.js").Keys} own
 */
export function open(own) {
  const keys = [...Object.entries(own).map(([key, [text]]) => [key, text]), ...EVERYWHERE];
  const dialog = document.createElement("dialog");
  dialog.className = "settings";
  dialog.setAttribute("aria-label", t`Settings and keyboard shortcuts`);
  dialog.addEventListener("click", ({ target }) => target === dialog && dialog.close());
  dialog.addEventListener("close", () => {
    render(null, dialog);
    dialog.remove();
  });
  document.body.append(dialog);
  render(
    html`<h2>Settings of this browser</h2>
      ${SWITCHES.map(([name, about, read, write]) => html`<${Switch} key=${name} name=${name} about=${about} read=${read} write=${write} />`)}
      <${LanguageChoice} />
      <h2>Keyboard shortcuts</h2>
      <dl>${keys.map(([key, text]) => html`<dt><kbd>${NAMED[key] ?? key}</kbd></dt><dd>${text}</dd>`)}</dl>
      <button autofocus onClick=${() => dialog.close()}>Close</button>`,
    dialog,
  );
  dialog.showModal();
}
