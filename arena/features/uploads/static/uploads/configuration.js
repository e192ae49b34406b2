// SPDX-License-Identifier: GPL-3.0-or-later
// Makes the file of a data bot from the fields of the form, and checks the fields.

import { language, t } from "../texts.js";

/** @typedef {Api.DataBotOptions} Options */
/** @typedef {Record<string, string>} Texts typed texts by name; empty: the default */

/**
 * The contents of the form.
 * @typedef {object} Fields
 * @property {string} game
 * @property {string} evaluation
 * @property {string} algorithm
 * @property {Record<string, boolean>} switches those that differ from the algorithm's
 * @property {Texts} limits
 * @property {Texts} parameters
 * @property {Record<string, Texts>} weights by game and evaluation, then by place
 * @property {string} description
 */

/**
 * The number in a text, or an error message; null for an empty text, which means the default.
 * @param {string | undefined} text
 * @param {{ least: number, most: number, whole?: boolean }} range
 * @returns {{ value: number | null, error?: string }}
 */
export function numberIn(text, { least, most, whole = true }) {
  const typed = (text ?? "").trim();
  if (!typed) return { value: null };
  const value = /^[+-]?(\d+\.?\d*|\.\d+)$/.test(typed) ? Number(typed) : NaN;
  if (Number.isNaN(value) || (whole && !Number.isInteger(value))) return { value: null, error: whole ? t`Write a whole number.` : t`Write a number.` };
  if (value < least || value > most) return { value: null, error: t`Write a number from ${least.toLocaleString(language)} to ${most.toLocaleString(language)}.` };
  return { value };
}

/** @param {Fields} fields */
export const weightsKey = ({ game, evaluation }) => `${game} ${evaluation}`;

/** The game and the evaluation of the form. @param {Options} options @param {Fields} fields */
export function chosen(options, fields) {
  const game = options.games.find(({ name }) => name === fields.game) ?? options.games[0];
  const evaluation = game?.evaluations.find(({ name }) => name === fields.evaluation);
  const algorithm = options.algorithms.find(({ name }) => name === fields.algorithm);
  return { game, evaluation, algorithm };
}

/** Whether a switch is on. @param {Options} options @param {Fields} fields @param {string} name */
export const isOn = (options, fields, name) => fields.switches[name] ?? chosen(options, fields).algorithm?.switches.includes(name) ?? false;

/** Whether the search uses search parameters. @param {Options} options @param {Fields} fields */
export const usesParameters = (options, fields) => !chosen(options, fields).game?.chance && options.switches.some(({ name, selective }) => selective && isOn(options, fields, name));

/**
 * The numbers of fields that differ from their defaults, and an error message for each wrong field.
 * @param {Api.SearchNumber[]} rows
 * @param {Texts} texts
 */
function numbers(rows, texts) {
  /** @type {Record<string, number>} */
  const values = {};
  /** @type {Texts} */
  const errors = {};
  for (const row of rows) {
    const { value, error } = numberIn(texts[row.name], { ...row, whole: row.name !== "seconds" });
    if (error) errors[row.name] = error;
    else if (value != null && value !== row.default) values[row.name] = value;
  }
  return { values, errors };
}

/**
 * The weights that differ from their defaults, by name; all weights if they have no names.
 * @param {Api.EvaluationWeight[]} rows
 * @param {Texts} texts by place
 */
function weights(rows, texts) {
  /** @type {Texts} */
  const errors = {};
  const found = rows.map((row, place) => {
    const { value, error } = numberIn(texts[place], row);
    if (error) errors[place] = error;
    return value ?? row.default;
  });
  const changed = rows.flatMap((row, place) => (found[place] === row.default ? [] : [place]));
  const named = Object.fromEntries(changed.map((place) => [rows[place]?.name, found[place]]));
  return { values: rows[0]?.name ? named : found, count: changed.length, errors };
}

/**
 * The file, the number of changed settings by group, and the error messages by group and field.
 * @param {Options} options
 * @param {Fields} fields
 * @param {string} name the name of the bot
 */
export function configurationOf(options, fields, name) {
  const { game, evaluation, algorithm } = chosen(options, fields);
  const limits = numbers(options.limits, fields.limits);
  const parameters = usesParameters(options, fields) ? numbers(options.parameters, fields.parameters) : { values: {}, errors: {} };
  const weighed = weights(evaluation?.weights ?? [], fields.weights[weightsKey(fields)] ?? {});
  const switches = Object.fromEntries(Object.entries(fields.switches).filter(([each, on]) => on !== algorithm?.switches.includes(each)));
  const file = {
    kind: "search",
    version: options.version,
    games: { [game?.name ?? ""]: { evaluation: fields.evaluation, ...(weighed.count > 0 && { weights: weighed.values }) } },
    algorithm: fields.algorithm,
    ...(Object.keys(switches).length > 0 && { switches }),
    ...(Object.keys(parameters.values).length > 0 && { parameters: parameters.values }),
    ...limits.values,
    ...(name && { name }),
    ...(fields.description.trim() && { description: fields.description.trim() }),
  };
  return {
    text: `${JSON.stringify(file, null, 2)}\n`,
    changed: { switches: Object.keys(switches).length, parameters: Object.keys(parameters.values).length, weights: weighed.count },
    errors: { limits: limits.errors, parameters: parameters.errors, weights: weighed.errors },
  };
}
