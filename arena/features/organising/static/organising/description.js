// SPDX-License-Identifier: GPL-3.0-or-later
// From the fields of the form to the description of a tournament, and back. Fields have the names of the settings.

import { t } from "../texts.js";

/** @typedef {Record<string, string | boolean>} Values by the path of the setting, such as "format.rounds" */
/** @typedef {{ name: string, time_control: string }} Player */
/** @typedef {{ name: string, kind: "integer" | "number" | "switch" | "decision" | "choice" | "text", description: string, required: boolean, default: number | boolean | string | null, choices: string[] }} Option */
/** @typedef {{ name: string, title: string, description: string, least: number, most: number, seeded: boolean, options: Option[] }} Format */

/** @type {Record<string, "integer" | "number">} */
const NUMBERS = {
  "games": "integer", "concurrency": "integer", "patience": "number", "seed": "integer", "adjudication.plies": "integer",
  "adjudication.draw.score": "number", "adjudication.draw.moves": "integer", "adjudication.draw.after": "integer",
  "adjudication.resign.score": "number", "adjudication.resign.moves": "integer",
};
const OPTIONAL = ["seed", "adjudication.plies"];

/** @type {Values} */
export const DEFAULTS = {
  "name": "", "game": "", "format": "round-robin", "games": "2", "time_control": "", "openings": "", "concurrency": "0",
  "adjudication.draw": false, "adjudication.draw.score": "0.1", "adjudication.draw.moves": "8", "adjudication.draw.after": "34",
  "adjudication.resign": false, "adjudication.resign.score": "6", "adjudication.resign.moves": "3", "adjudication.resign.both": true,
  "adjudication.plies": "", "rated": false, "mirrored_dice": false, "anonymous": false, "patience": "120", "ranked_by": "", "seed": "", "start": true,
};

/**
 * The first values of the options of all formats.
 * @param {Format[]} formats
 * @returns {Values}
 */
export const optionDefaults = (formats) =>
  Object.fromEntries(formats.flatMap(({ options }) => options.map((option) => [`format.${option.name}`, typeof option.default === "boolean" ? option.default : String(option.default ?? "")])));

/**
 * The number that a field holds; adds an error if it holds none.
 * @param {Values} values
 * @param {string} name
 * @param {"integer" | "number"} kind
 * @param {Record<string, string>} errors
 */
function number(values, name, kind, errors) {
  const text = String(values[name]).trim();
  const found = Number(text);
  if (!text) errors[name] = t`Fill in this field.`;
  else if (!Number.isFinite(found) || (kind === "integer" && !Number.isSafeInteger(found))) errors[name] = kind === "integer" ? t`Write a whole number (got ${text}).` : t`Write a number (got ${text}).`;
  return found;
}

/**
 * Openings from lines: moves, or a position, "|" and moves.
 * @param {string} text
 */
const openings = (text) =>
  text.split("\n").map((line) => line.trim()).filter(Boolean).map((line) => {
    const cut = line.lastIndexOf("|");
    const moves = line.slice(cut + 1).split(/\s+/).filter(Boolean);
    return cut < 0 ? { moves } : { start: line.slice(0, cut).trim(), moves };
  });

/** A random seed: below 2 to the power of 52. */
function randomSeed() {
  const [high, low] = crypto.getRandomValues(new Uint32Array(2));
  return (high % 2 ** 20) * 2 ** 32 + low;
}

/**
 * The description of the tournament, with errors by field.
 * @param {Values} values
 * @param {Player[]} players
 * @param {Format} format
 */
export function described(values, players, format) {
  /** @type {Record<string, string>} */
  const errors = {};
  /** @param {string} name */
  const numeric = (name) => (OPTIONAL.includes(name) && !String(values[name]).trim() ? null : number(values, name, NUMBERS[name], errors));
  /** @param {string} rule @param {string[]} names */
  const rule = (rule, names) => (values[`adjudication.${rule}`] ? Object.fromEntries(names.map((name) => [name, numeric(`adjudication.${rule}.${name}`)])) : null);
  /** @type {Record<string, unknown>} */
  const options = {};
  for (const { name, kind } of format.options) {
    const field = `format.${name}`;
    if (kind === "integer" || kind === "number") options[name] = number(values, field, kind, errors);
    // an address may have filled in true or false
    else if (kind === "decision") options[name] = String(values[field]) === "" ? null : String(values[field]) === "true";
    else options[name] = values[field];
  }
  const resign = rule("resign", ["score", "moves"]);
  const adjudication = {
    draw: rule("draw", ["score", "moves", "after"]),
    resign: resign && { ...resign, both: values["adjudication.resign.both"] },
    plies: numeric("adjudication.plies"),
  };
  const config = {
    name: String(values.name).trim(),
    game: values.game,
    format: { kind: format.name, ...options },
    entries: players.map(({ name, time_control: own }) => ({ name, time_control: own.trim() || null })),
    games: numeric("games"),
    time_control: String(values.time_control).trim() || null,
    openings: openings(String(values.openings)),
    adjudication: adjudication.draw || adjudication.resign || adjudication.plies != null ? adjudication : null,
    rated: values.rated,
    mirrored_dice: values.mirrored_dice,
    anonymous: values.anonymous,
    concurrency: numeric("concurrency"),
    patience: numeric("patience"),
    ranked_by: values.ranked_by || null,
    seed: numeric("seed") ?? randomSeed(),
  };
  if (!config.name) errors.name = t`Fill in this field.`;
  return { config, errors };
}

/**
 * The name of another tournament like one: "Cup" is followed by "Cup 2", that by "Cup 3".
 * @param {string} name
 */
function following(name) {
  const found = /^(.*\S) (\d{1,6})$/.exec(name);
  return found ? `${found[1]} ${Number(found[2]) + 1}` : `${name} 2`;
}

/**
 * The fields of a tournament like another one, with a random seed of its own.
 * @param {Api.Config} config
 * @returns {{ values: Values, players: Player[] }}
 */
export function copied(config) {
  const { name, game, format, entries, games, time_control, adjudication, rated, mirrored_dice, anonymous, concurrency, patience, ranked_by } = config;
  const { kind, ...options } = /** @type {Record<string, unknown>} */ (format);
  /** @param {Record<string, unknown> | null | undefined} from @param {string} prefix */
  const fields = (from, prefix) =>
    Object.entries(from ?? {}).filter(([, value]) => value != null && typeof value !== "object").map(([field, value]) => [`${prefix}.${field}`, typeof value === "boolean" ? value : String(value)]);
  const given = Object.entries({ game, games, time_control, rated, mirrored_dice, anonymous, concurrency, patience, ranked_by }).filter(([, value]) => value != null);
  return {
    values: {
      ...Object.fromEntries(given.map(([field, value]) => [field, typeof value === "boolean" ? value : String(value)])),
      ...Object.fromEntries([...fields(options, "format"), ...fields(adjudication?.draw, "adjudication.draw"), ...fields(adjudication?.resign, "adjudication.resign"), ...fields(adjudication, "adjudication")]),
      "adjudication.draw": adjudication?.draw != null,
      "adjudication.resign": adjudication?.resign != null,
      "name": following(name),
      "format": String(kind),
      "openings": (config.openings ?? []).map(({ start, moves }) => [...(start == null ? [] : [`${start} |`]), ...(moves ?? [])].join(" ")).join("\n"),
    },
    players: entries.map(({ name: bot, time_control: own }) => ({ name: bot, time_control: own ?? "" })),
  };
}

/**
 * The fields that an address fills in: settings and options by their names, and bots by ``bot``.
 * @param {URLSearchParams} asked
 * @param {Format[]} formats
 * @returns {{ values: Values, players: Player[] }}
 */
export function prefilled(asked, formats) {
  const options = new Set(formats.flatMap((format) => format.options.map(({ name }) => name)));
  /** @type {Values} */
  const values = {};
  for (const [name, value] of asked) {
    const field = name in DEFAULTS ? name : options.has(name) ? `format.${name}` : null;
    if (field) values[field] = ["true", "false"].includes(value) ? value === "true" : value;
  }
  return { values, players: [...new Set(asked.getAll("bot"))].map((name) => ({ name, time_control: "" })) };
}

/**
 * The field of the form that an error of the server is about; null if no field is.
 * @param {string | null | undefined} path
 * @param {Values} values
 */
export function blamed(path, values) {
  for (let place = (path ?? "").replace(/\[.*/, ""); place; place = place.replace(/\.?[^.]*$/, "")) if (place === "entries" || place in values) return place;
  return null;
}
