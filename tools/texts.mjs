// SPDX-License-Identifier: GPL-3.0-or-later
// Texts of the pages' scripts, for tools/texts.py. Reads the paths of scripts from its arguments and prints JSON: for each
// its source texts, and the strings that look like texts and are not marked.

import { readFileSync } from "node:fs";
import { parse } from "acorn";
import { TEXT_ATTRIBUTES, partsOf } from "../web/static/translating.js";

/** The source text of a template, as web/static/texts.js reads it. */
const sourceOf = (strings) => strings.reduce((text, part, index) => `${text}{${index - 1}}${part}`);

const LETTER = /\p{L}/u;
/** Outside of templates: a word with a capital letter, or two words. */
const WORDY = /^[✓✗◔◑●○–?] \p{L}|^\p{Lu}\p{Ll}+(?:$|[ .,:…?!])|^[^<>{}()[\]=#]*\p{L}{2,},? \p{L}+/u;

const stringOf = (node) => (node.type === "Literal" && typeof node.value === "string" ? node.value : node.type === "TemplateLiteral" ? sourceOf(node.quasis.map(({ value }) => value.cooked)) : null);

/** The values of a template that are attributes, by index: the names of their attributes. */
function attributesOf(strings) {
  const names = new Map();
  let written = "";
  for (const [index, string] of strings.entries()) {
    if (index > 0) {
      const tag = written.slice(Math.max(written.lastIndexOf("<"), 0));
      if (tag.startsWith("<") && !/^<[^>]*>/.test(tag.replaceAll(/"[^"]*"/g, '""'))) names.set(index - 1, /([\w:-]+)=(?:"[^"]*)?$/.exec(tag)?.[1] ?? "");
      written += "value";
    }
    written += string;
  }
  return names;
}

/** Properties of components that hold lists with titles. */
const LISTS = new Set(["choices", "fields", "links", "tabs"]);

/** Where people see the value of an attribute, or, without its name, a value between two tags. */
const placeOf = (attribute) => (attribute === undefined || TEXT_ATTRIBUTES.has(attribute) ? "shown" : LISTS.has(attribute) ? "" : "hidden");

class Reader {
  texts = [];
  unmarked = [];

  /** Read a node. `place`: "shown" to people, "hidden", or "" where that is not known. */
  read(node, place) {
    if (node === null || typeof node !== "object") return;
    if (Array.isArray(node)) {
      for (const each of node) this.read(each, place);
      return;
    }
    const of = this[node.type];
    if (of) of.call(this, node, place);
    else this.within(node, place === "hidden" ? place : "");
  }

  within(node, place) {
    for (const [name, child] of Object.entries(node)) {
      if (child && typeof child === "object" && name !== "loc" && name !== "regex") this.read(child, place);
    }
  }

  note(node, place) {
    const text = stringOf(node);
    if (place === "hidden" || text === null) return;
    const said = text.replaceAll(/\{\d\}/g, "");
    if (place === "shown" ? LETTER.test(said) : WORDY.test(said)) this.unmarked.push({ line: node.loc.start.line, text, start: node.start, end: node.end, place });
  }

  Literal(node, place) {
    this.note(node, place);
  }

  TemplateLiteral(node, place) {
    this.note(node, place);
    this.read(node.expressions, place);
  }

  TaggedTemplateExpression(node) {
    const strings = node.quasi.quasis.map(({ value }) => value.cooked);
    const line = node.loc.start.line;
    if (node.tag.name === "html") {
      for (const part of partsOf(strings)) if (part.text) this.texts.push({ line, text: part.text });
      const names = attributesOf(strings);
      for (const [index, value] of node.quasi.expressions.entries()) this.read(value, placeOf(names.get(index)));
      return;
    }
    if (node.tag.name === "t") this.texts.push({ line, text: sourceOf(strings) });
    this.read(node.quasi.expressions, node.tag.name === "t" ? "shown" : "");
  }

  CallExpression(node, place) {
    const name = node.callee.name ?? node.callee.property?.name;
    const given = node.arguments;
    if (name === "plural") {
      this.texts.push({ line: node.loc.start.line, text: stringOf(given[1]), plural: stringOf(given[2]) });
      this.read(given[0], "");
      this.read(given.slice(3), "shown");
    } else if (name === "translated" && stringOf(given[0]) !== null) {
      this.texts.push({ line: node.loc.start.line, text: stringOf(given[0]) });
    } else if (name === "inContext") {
      this.texts.push({ line: node.loc.start.line, text: stringOf(given[1]), context: stringOf(given[0]) });
    } else {
      this.read(node.callee, "");
      this.read(given, place === "hidden" ? place : "");
    }
  }

  ConditionalExpression(node, place) {
    this.read(node.test, "hidden");
    this.read([node.consequent, node.alternate], place);
  }

  LogicalExpression(node, place) {
    this.read(node.left, node.operator === "&&" ? "hidden" : place);
    this.read(node.right, place);
  }

  ParenthesizedExpression(node, place) {
    this.read(node.expression, place);
  }

  ArrowFunctionExpression(node, place) {
    this.read(node.params, "");
    this.read(node.body, node.expression && place !== "hidden" ? place : "");
  }

  BinaryExpression(node, place) {
    if (node.operator === "+") this.within(node, place);
    else this.within(node, "hidden");
  }

  SwitchCase(node) {
    this.read(node.consequent, "");
  }

  Property(node, place) {
    const name = node.key.name ?? node.key.value;
    if (node.computed) this.read(node.key, "");
    this.read(node.value, TEXT_ATTRIBUTES.has(name) ? "shown" : place === "hidden" ? place : "");
  }

  MemberExpression(node) {
    this.read(node.object, "");
    if (node.computed) this.read(node.property, "hidden");
  }

  ImportDeclaration() {}
  ImportExpression() {}
  ExportAllDeclaration() {}

  ExportNamedDeclaration(node) {
    this.read(node.declaration, "");
  }
}

const found = {};
for (const path of process.argv.slice(2)) {
  const reader = new Reader();
  reader.read(parse(readFileSync(path, "utf8"), { ecmaVersion: "latest", sourceType: "module", locations: true }), "");
  found[path] = { texts: reader.texts, unmarked: reader.unmarked };
}
console.log(JSON.stringify(found));
