// SPDX-License-Identifier: GPL-3.0-or-later
// The texts of the page in its language. The source texts are English and stand in the code: in templates of `html`, and
// marked by `t`, `plural`, `inContext` or `translated`. A page in another language has a script with their translations, which runs
// before all other modules; web/language.py makes it from the catalogue of the language. Modules that a page may load later
// have scripts of their own, which `withTexts` loads.

/** @typedef {Record<string, string | string[]>} Catalogue translations by source text; several, if a number decides */
/** @typedef {typeof import("./vendor/htm-preact.js").html} Html */

/** The language of the page, as Intl knows it. */
export const language = document.documentElement.lang || "en";

/** The language with the viewer's region, for dates and times. */
export const locale = navigator.languages.find((each) => each === language || each.startsWith(`${language}-`)) ?? language;

/** @type {Catalogue} */
let catalogue = {};
/** @type {string[]} */
let categories = ["one", "other"];
/** @type {(html: Html, translated: (text: string) => string) => Html} */
let translateHtml = (html) => html;
/** @type {Record<string, () => Promise<unknown>>} */
let later = {};

/** How often translations were added to those of the page. */
export let additions = 0;

/**
 * Take over the translations of the page. ``order``: the categories of plurals in the order of their translations;
 * ``scripts``: by modules that the page may load later, what loads their translations.
 * @param {Catalogue} texts
 * @param {string[]} order
 * @param {typeof translateHtml} templates
 * @param {typeof later} scripts
 */
export function speak(texts, order, templates, scripts) {
  [catalogue, categories, translateHtml, later] = [texts, order, templates, scripts];
}

/**
 * Take over the translations of a module that the page loads now.
 * @param {Catalogue} texts
 */
export function speakMore(texts) {
  Object.assign(catalogue, texts);
  additions += 1;
}

/**
 * Load a module when the page needs it, after its translations. ``name``: its path below the static files.
 * @template Module
 * @param {string} name
 * @param {() => Promise<Module>} load
 */
export const withTexts = async (name, load) => {
  await later[name]?.();
  return load();
};

/**
 * The translation of a source text; the text itself if it has none.
 * @param {string} text
 */
export function translated(text) {
  const found = Object.hasOwn(catalogue, text) ? catalogue[text] : text;
  return typeof found === "string" ? found : found[0];
}

/**
 * The translation of a text that means something else elsewhere. ``context``: tells translators what it means here.
 * @param {string} context
 * @param {string} text
 */
export function inContext(context, text) {
  const key = `${context}\u0004${text}`; // as catalogues of gettext have it
  return Object.hasOwn(catalogue, key) ? String(catalogue[key]) : text;
}

/**
 * The source texts of a context that have a translation.
 * @param {string} context
 */
export const sourcesIn = (context) => Object.keys(catalogue).flatMap((key) => (key.startsWith(`${context}\u0004`) ? key.slice(context.length + 1) : []));

/**
 * A text with values in the place of "{0}", "{1}".
 * @param {string} text
 * @param {unknown[]} values
 */
export const fill = (text, values) => text.replace(/\{(\d)\}/g, (_, index) => String(values[index]));

/**
 * The source text of a template: "ply {0}" for `ply ${ply}`.
 * @param {readonly string[]} strings
 */
export const sourceOf = (strings) => strings.reduce((text, part, index) => `${text}{${index - 1}}${part}`);

/**
 * Mark a text of a script, and translate it: t`Rated`, t`ply ${ply}`.
 * @param {TemplateStringsArray} strings
 * @param {unknown[]} values
 */
export const t = (strings, ...values) => fill(translated(sourceOf(strings)), values);

const rules = new Intl.PluralRules(language);
const whole = new Intl.NumberFormat(language, { maximumFractionDigits: 0 });

/**
 * The text for a number: plural(2, "{0} match", "{0} matches"). "{0}" is the number, "{1}" the first of ``others``.
 * @param {number} number
 * @param {string} one
 * @param {string} many
 * @param {unknown[]} others
 */
export function plural(number, one, many, ...others) {
  const found = Object.hasOwn(catalogue, one) ? catalogue[one] : [one, many];
  const text = typeof found === "string" ? found : found[Math.max(0, categories.indexOf(rules.select(number)))];
  return fill(text, [whole.format(number), ...others]);
}

/**
 * Give the tag of templates that translates their texts.
 * @param {Html} html
 */
export const inLanguage = (html) => translateHtml(html, translated);
