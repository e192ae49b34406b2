// SPDX-License-Identifier: GPL-3.0-or-later
// Build a data bot: choose a search and set its numbers, each with its documentation; submit the file.

import { visit } from "../root.js";
import "../shell.js";
import { language, plural, t, translated } from "../texts.js";
import { firstData, html, messageOf, show, useEffect, useMemo, useRef, useState } from "../view.js";
import { chosen, configurationOf, isOn, numberIn, usesParameters, weightsKey } from "./configuration.js";
import { nameError, TargetFields, useTarget } from "./target.js";
import { upload } from "./upload.js";

/** @typedef {import("./configuration.js").Fields} Fields */
/** @typedef {Event & { currentTarget: HTMLInputElement }} Typed */
/** @typedef {Event & { currentTarget: HTMLSelectElement }} Chosen */
/** @type {{ options: Api.DataBotOptions, game: string | null, bots: { id: number, name: string }[], bot: number | null }} */
const data = firstData();
const { options } = data;

/** "late_move_count_depth" as a label. @param {string} name */
const labelOf = (name) => (name.charAt(0).toUpperCase() + name.slice(1).replaceAll(/[_-]/g, " ")).replace(/^(Lmr|See)\b/, (word) => word.toUpperCase());

/** @type {Record<string, string>} */
const LIMITS = { seconds: t`Seconds`, depth: t`Depth`, nodes: t`Nodes`, table_bits: t`Table bits` };

/** A text as a sentence. @param {string} text */
const sentence = (text) => text.charAt(0).toUpperCase() + text.slice(1) + (/[.!?]$/.test(text) ? "" : ".");

/** @param {number} number */
const written = (number) => number.toLocaleString(language);

/** The first evaluation of a game. @param {string} name */
const evaluationOf = (name) => options.games.find((game) => game.name === name)?.evaluation ?? "";

const firstGame = (options.games.find(({ name }) => name === data.game) ?? options.games.find(({ name }) => name === "chess") ?? options.games[0])?.name ?? "";

/** @type {Fields} */
const FIRST = {
  game: firstGame,
  evaluation: evaluationOf(firstGame),
  algorithm: options.algorithms.at(-1)?.name ?? "",
  switches: {},
  limits: { seconds: "1" },
  parameters: {},
  weights: {},
  description: "",
};

/**
 * A choice with the description of the chosen item.
 * @param {{ id: string, label: string, value: string, choices: [string, string][], choose: (value: string) => void, note?: string }} props
 */
const Choice = ({ id, label, value, choices, choose, note }) => html`
  <div class="field">
    <label for=${id}>${label}</label>
    <select id=${id} value=${value} onChange=${(/** @type {Chosen} */ event) => choose(event.currentTarget.value)} aria-describedby=${`${id}-note`}>
      ${choices.map(([name, title]) => html`<option key=${name} value=${name}>${title}</option>`)}
    </select>
    <p id=${`${id}-note`} class="note small muted">${note}</p>
  </div>
`;

/**
 * A number with its range, its default and its description.
 * @param {{ id: string, label: string, row: { default: number | null, least: number, most: number, unit?: string, description?: string }, text: string | undefined, whole?: boolean, type: (text: string) => void }} props
 */
function NumberField({ id, label, row, text, whole = true, type }) {
  const { error } = numberIn(text, { ...row, whole });
  const usual = row.default == null ? t`no limit` : written(row.default);
  const range = t`${written(row.least)} to ${written(row.most)}; default: ${usual}`;
  return html`
    <div class="number-field field">
      <label for=${id}>${label}${row.unit && html` <span class="muted small">${row.unit}</span>`}</label>
      <input id=${id} type="text" inputmode=${whole ? "numeric" : "decimal"} autocomplete="off" value=${text ?? ""} placeholder=${row.default == null ? "" : String(row.default)}
        aria-describedby=${`${id}-note`} aria-invalid=${error ? "true" : null} onInput=${(/** @type {Typed} */ event) => type(event.currentTarget.value)} />
      <p id=${`${id}-note`} class=${`note small ${error ? "loss" : "muted"}`}>${error ? `✗ ${error}` : `${row.description ? `${translated(row.description)} ` : ""}${row.description ? sentence(range.charAt(0).toUpperCase() + range.slice(1)) : range}`}</p>
    </div>
  `;
}

/**
 * A part of the form that is closed first. Its fields are drawn when it opens.
 * @param {{ id: string, title: string, changed: number, wrong: number, note: string, children: import("preact").ComponentChildren }} props
 */
function Section({ id, title, changed, wrong, note, children }) {
  const [open, setOpen] = useState(false);
  return html`
    <details id=${id} class="section surface" open=${open || wrong > 0} onToggle=${(/** @type {Event & { currentTarget: HTMLDetailsElement }} */ event) => setOpen(event.currentTarget.open)}>
      <summary><h2>${title}</h2> <span class="muted small">${changed > 0 ? t`${written(changed)} changed` : t`defaults`}</span></summary>
      ${(open || wrong > 0) && html`<div class="inside"><p class="small muted">${note}</p>${children}</div>`}
    </details>
  `;
}

/** @param {{ fields: Fields, change: (changes: Partial<Fields>) => void }} props */
function Switches({ fields, change }) {
  const dice = chosen(options, fields).game?.chance;
  const offered = options.switches.filter((each) => dice || !each.dice);
  return html`<div class="switches">${offered.map(({ name, description, exact }) => html`
    <div key=${name} class="switch">
      <input id=${`switch-${name}`} type="checkbox" checked=${isOn(options, fields, name)} aria-describedby=${`switch-${name}-note`}
        onChange=${(/** @type {Typed} */ event) => change({ switches: { ...fields.switches, [name]: event.currentTarget.checked } })} />
      <label for=${`switch-${name}`}>${labelOf(name)}</label>
      <p id=${`switch-${name}-note`} class="small muted">${translated(description)}${exact ? "" : html` <span class="inexact">≈ inexact</span>`}</p>
    </div>`)}</div>`;
}

/** @param {{ fields: Fields, change: (changes: Partial<Fields>) => void }} props */
function Weights({ fields, change }) {
  const [filter, setFilter] = useState("");
  const rows = chosen(options, fields).evaluation?.weights ?? [];
  const key = weightsKey(fields);
  const texts = fields.weights[key] ?? {};
  const wanted = filter.trim().toLowerCase();
  const shown = rows.map((row, place) => ({ row, place, label: row.name ? labelOf(row.name) : t`Weight ${place + 1}` })).filter(({ label }) => label.toLowerCase().includes(wanted));
  return html`
    ${rows.length > 24 && html`<div class="field"><label for="filter">Find a weight</label><input id="filter" type="search" value=${filter} onInput=${(/** @type {Typed} */ event) => setFilter(event.currentTarget.value)} aria-describedby="filter-note" />
      <p id="filter-note" class="note small muted" role="status">${written(shown.length)} of ${written(rows.length)} weights</p></div>`}
    <div class="numbers">${shown.map(({ row, place, label }) => html`<${NumberField} key=${`${key} ${place}`} id=${`weight-${place}`} label=${label} row=${row} text=${texts[place]}
      type=${(/** @type {string} */ text) => change({ weights: { ...fields.weights, [key]: { ...texts, [place]: text } } })} />`)}</div>
  `;
}

function Build() {
  const [fields, setFields] = useState(FIRST);
  const own = useTarget(data.bots, data.bot);
  const [refusedName, setRefusedName] = useState(/** @type {string | undefined} */ (undefined));
  const [problem, setProblem] = useState(/** @type {string | null} */ (null));
  const [refused, setRefused] = useState(0); // attempts
  const [busy, setBusy] = useState(false);
  const form = useRef(/** @type {HTMLFormElement | null} */ (null));
  const nameBox = useRef(/** @type {HTMLInputElement | null} */ (null));
  const { text, changed, errors } = useMemo(() => configurationOf(options, fields, own.title), [fields, own.title]);
  const { game, evaluation, algorithm } = chosen(options, fields);
  const wrong = Object.values(errors).reduce((sum, group) => sum + Object.keys(group).length, 0);

  useEffect(() => {
    const first = form.current?.querySelector('[aria-invalid="true"]');
    if (first instanceof HTMLElement) first.focus();
  }, [refused]);

  /** @param {Partial<Fields>} changes */
  const change = (changes) => {
    setFields({ ...fields, ...changes });
    setProblem(null);
  };

  /** @param {SubmitEvent} event */
  const submit = async (event) => {
    event.preventDefault();
    if (busy) return;
    const unnamed = nameError(own);
    setRefusedName(unnamed);
    setProblem(null);
    if (unnamed || wrong > 0) return setRefused(refused + 1);
    setBusy(true);
    let bot;
    try {
      bot = await own.register();
    } catch (error) {
      setBusy(false);
      setRefusedName(messageOf(error));
      return setRefused(refused + 1);
    }
    try {
      const file = new File([text], `${own.title}.json`, { type: "application/json" });
      const { version } = await upload(bot, file, [], () => {});
      visit(`/bots/${bot}/versions/${version}`);
    } catch (error) {
      setBusy(false);
      setProblem(messageOf(error));
    }
  };

  return html`
    <form id="build" class="columns" ref=${form} novalidate onSubmit=${submit} aria-busy=${busy}>
      <div class="stack">
        <div class="pairs">
          <${Choice} id="game" label="Game" value=${fields.game} choices=${options.games.map(({ name, title }) => [name, translated(title)])} choose=${(/** @type {string} */ name) => change({ game: name, evaluation: evaluationOf(name) })} note=${game?.chance ? t`A game with dice.` : ""} />
          <${Choice} id="algorithm" label="Algorithm" value=${fields.algorithm} choices=${options.algorithms.map(({ name }) => [name, name])} choose=${(/** @type {string} */ name) => change({ algorithm: name, switches: {} })} note=${sentence(translated(algorithm?.description ?? ""))} />
          <${Choice} id="evaluation" label="Evaluation" value=${fields.evaluation} choices=${(game?.evaluations ?? []).map(({ name }) => [name, name])} choose=${(/** @type {string} */ name) => change({ evaluation: name })} note=${sentence(translated(evaluation?.description ?? ""))} />
        </div>
        <section><h2>Limits of a search</h2>
          <div class="numbers">${options.limits.map((row) => html`<${NumberField} key=${row.name} id=${`limit-${row.name}`} label=${LIMITS[row.name] ?? labelOf(row.name)} row=${row} text=${fields.limits[row.name]} whole=${row.name !== "seconds"}
            type=${(/** @type {string} */ typed) => change({ limits: { ...fields.limits, [row.name]: typed } })} />`)}</div>
        </section>
        <${Section} key="switches" id="switches" title="Switches" changed=${changed.switches} wrong=${0} note="Each switch is a technique of the search. The algorithm turns some of them on. A search with inexact switches can return another value than minimax.">
          <${Switches} fields=${fields} change=${change} />
        <//>
        ${usesParameters(options, fields)
          ? html`<${Section} key="parameters" id="parameters" title="Search parameters" changed=${changed.parameters} wrong=${Object.keys(errors.parameters).length} note="Leave a field empty to keep the default. The defaults were tuned by games of the search against itself. cp: hundredths of the value of a pawn.">
              <div class="numbers">${options.parameters.map((row) => html`<${NumberField} key=${row.name} id=${`parameter-${row.name}`} label=${labelOf(row.name)} row=${row} text=${fields.parameters[row.name]}
                type=${(/** @type {string} */ typed) => change({ parameters: { ...fields.parameters, [row.name]: typed } })} />`)}</div>
            <//>`
          : html`<p class="muted">${game?.chance ? t`Games with dice have no search parameters.` : t`This search has no parameters. Choose the algorithm “play”, or turn on a switch of the selective search, for example SEE.`}</p>`}
        <${Section} key="weights" id="weights" title="Weights of the evaluation" changed=${changed.weights} wrong=${Object.keys(errors.weights).length} note="Leave a field empty to keep the default.">
          <${Weights} key=${weightsKey(fields)} fields=${fields} change=${change} />
        <//>
      </div>
      <div class="stack side">
        <section class="form">
          <${TargetFields} own=${own} error=${refusedName} mend=${() => setRefusedName(undefined)} box=${nameBox} />
          <div class="field"><label for="description">Description <span class="muted">(optional)</span></label><input id="description" type="text" maxlength="200" value=${fields.description} onInput=${(/** @type {Typed} */ event) => change({ description: event.currentTarget.value })} /></div>
          <div class="send"><button class="primary" aria-disabled=${busy}>${busy ? t`Uploading…` : t`Submit`}</button><p role="status" class="loss">${wrong > 0 ? plural(wrong, "✗ {0} wrong number", "✗ {0} wrong numbers") : ""}</p></div>
          <div role="alert">${problem && html`<p class="loss">✗ ${problem}</p>`}</div>
        </section>
        <section>
          <h2>The file</h2>
          <pre class="file" tabindex="0" aria-label="The file">${text}</pre>
          <p class="small muted">To submit the same file by command line, save it as <code>mine.json</code> and run <code>arena submit mine.json</code>.</p>
        </section>
      </div>
    </form>
  `;
}

show(html`
  <div class="head"><h1>Build a bot</h1><p class="muted">A bot without code: one of the searches of this arena, with settings of your own. Or <a class="underlined" href="/submit">submit a file</a>.</p></div>
  <${Build} />
`);
