// SPDX-License-Identifier: GPL-3.0-or-later
// Translation of the texts in templates of `html`, for pages in another language than English. A text is what stands
// between two tags, or in an attribute that people read; each value in it is a place: `<p>${n} live</p>` has the source
// text "{0} live". tools/texts collects the same texts with the same function.

/** Attributes and properties whose values are texts. */
export const TEXT_ATTRIBUTES = new Set(["alt", "aria-label", "aria-description", "aria-roledescription", "caption", "done", "heading", "hint", "label", "named", "note", "placeholder", "text", "title", "yes"]);

/** Elements whose contents are for programs, or stand for themselves. */
const VERBATIM = new Set(["code", "kbd", "pre", "samp"]);

/** @typedef {{ before: string, text: string, after: string, first: number, attribute: string | null }} Text a source text with the white space around it, and the index of its first value */
/** @typedef {string | number | Text} Part markup, the index of a value, or a text */

const LETTER = /\p{L}/u;

/**
 * The parts of what stands between two tags or in an attribute. Values that stand on lines of their own belong to no
 * text; htm removes the white space around such line breaks.
 * @param {Part[]} run
 * @param {string | null} attribute
 */
const textsOf = (run, attribute) => {
  /** @type {Part[][]} */
  const lines = [[]];
  for (const part of run) {
    const [, before, text, after] = /^(\s*\n\s*)?(.*?)(\s*\n\s*)?$/s.exec(String(part)) ?? [];
    if (before) lines.push([before], []);
    if (text) lines[lines.length - 1].push(typeof part === "number" ? part : text);
    if (after) lines.push([after], []);
  }
  return lines.flatMap((line) => textOf(line, attribute));
};

/**
 * A line as one text, or as it is if it says nothing.
 * @param {Part[]} line
 * @param {string | null} attribute
 * @returns {Part[]}
 */
function textOf(line, attribute) {
  if (!line.some((part) => typeof part === "string" && LETTER.test(part))) return line;
  const first = Number(line.find((part) => typeof part === "number") ?? 0);
  const written = line.map((part) => (typeof part === "number" ? `{${part - first}}` : part)).join("");
  const [, before, text, after] = /** @type {string[]} */ (/^(\s*)(.*?)(\s*)$/s.exec(written));
  return [{ before, text: text.replace(/\s*\n\s*/g, " "), after, first, attribute }];
}

/**
 * The parts of a template, in order.
 * @param {readonly string[]} strings
 */
export function partsOf(strings) {
  /** @type {Part[]} */
  const parts = [];
  /** @type {Part[]} */
  let run = []; // between two tags, or in an attribute
  /** @type {string[]} */
  const open = []; // the elements around
  let [quote, tag, attribute] = ["", "", ""];
  let [inside, closing, empty] = [false, false, false]; // a tag, one that closes an element, one of an empty element
  for (const [index, string] of strings.entries()) {
    if (index > 0) (quote || !inside ? run : parts).push(index - 1);
    let from = 0;
    /** @param {number} to */
    const upTo = (to) => string.slice(from, (from = to));
    for (let at = 0; at < string.length; at += 1) {
      const sign = string[at];
      if (quote) {
        if (sign !== quote) continue;
        run.push(upTo(at));
        parts.push(...(TEXT_ATTRIBUTES.has(attribute) ? textsOf(run, attribute) : run));
        [run, quote] = [[], ""];
      } else if (!inside) {
        if (sign !== "<") continue;
        run.push(upTo(at));
        parts.push(...(open.some((name) => VERBATIM.has(name)) ? run : textsOf(run, null)));
        [run, inside, closing, empty, tag] = [[], true, string[at + 1] === "/", false, ""];
      } else if (sign === ">") {
        if (closing) open.pop();
        else if (!empty) open.push(tag);
        inside = false;
        parts.push(upTo(at + 1));
      } else if (sign === '"' || sign === "'") {
        quote = sign;
        parts.push(upTo(at + 1));
      } else {
        empty = sign === "/";
        const name = /^[\w:-]+/.exec(string.slice(at))?.[0];
        if (!name) continue;
        if (string[at - 1] === "<") tag = name;
        attribute = name;
        at += name.length - 1;
      }
    }
    (quote || !inside ? run : parts).push(upTo(string.length));
  }
  return [...parts, ...textsOf(run, null)];
}

/**
 * The translation of a template: its strings, and the order of its values.
 * @param {readonly string[]} strings
 * @param {(text: string) => string} translated
 */
function translate(strings, translated) {
  const made = [""];
  /** @type {number[]} */
  const order = [];
  /** @param {string} text */
  const write = (text) => {
    made[made.length - 1] += text;
  };
  /** @param {number} index */
  const place = (index) => {
    order.push(index);
    made.push("");
  };
  for (const part of partsOf(strings)) {
    if (typeof part === "string") write(part);
    else if (typeof part === "number") place(part);
    else {
      write(part.before);
      for (const [index, piece] of translated(part.text).split(/\{(\d)\}/).entries()) {
        if (index % 2) place(part.first + Number(piece));
        else write(piece);
      }
      write(part.after);
    }
  }
  return { strings: made, order };
}

/**
 * The tag of templates that translates their texts.
 * @param {import("./texts.js").Html} html
 * @param {(text: string) => string} translated
 * @returns {import("./texts.js").Html}
 */
export function translateHtml(html, translated) {
  /** @type {WeakMap<readonly string[], ReturnType<typeof translate>>} */
  const known = new WeakMap();
  return (strings, ...values) => {
    let found = known.get(strings);
    if (!found) known.set(strings, (found = translate(strings, translated)));
    // htm keeps what it makes of a template by the identity of its strings
    return html(/** @type {any} */ (found.strings), ...found.order.map((index) => values[index]));
  };
}
