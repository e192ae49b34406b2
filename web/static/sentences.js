// SPDX-License-Identifier: GPL-3.0-or-later
// Sentences of the server, such as why a tournament is over, in the language of the page. The server writes them in
// English; the modules that declare them have places for their values, and so have the translations.

import { decimal } from "./format.js";
import { additions, fill, inContext, sourcesIn } from "./texts.js";

const CONTEXT = "sentence"; // as tools/texts.py has it

/** @param {string} source */
const literal = (source) => source.replaceAll(/\{\d\}/g, "");

/** @param {string} source */
const patternOf = (source) => new RegExp(`^${source.replaceAll(/[.*+?^$()[\]|\\/]/g, String.raw`\$&`).replaceAll(/\{\d\}/g, "(.+)")}$`, "s");

/** @type {{ source: string, pattern: RegExp }[]} the sentences of the page, those with most words of their own first */
let known = [];
let current = -1; // the number of additions to the page's translations that they are of

/**
 * A sentence of the server in the language of the page; its values may be sentences, too. A text that the page does not
 * know stays as it is.
 * @param {string} text
 * @returns {string}
 */
export function translatedSentence(text) {
  if (current !== additions) {
    current = additions;
    known = sourcesIn(CONTEXT)
      .sort((one, other) => literal(other).length - literal(one).length)
      .map((source) => ({ source, pattern: patternOf(source) }));
  }
  for (const { source, pattern } of known) {
    const found = pattern.exec(text);
    if (found) return fill(inContext(CONTEXT, source), found.slice(1).map(translatedSentence));
  }
  return /^-?\d+\.\d+$/.test(text) ? text.replace(".", decimal) : text;
}
