// SPDX-License-Identifier: GPL-3.0-or-later
// The names of genes in the language of the page. Populations have their own genes, whose names stay as they are.

import { inContext } from "../texts.js";

/**
 * The name of a weight of a game's evaluation, or else of a search parameter.
 * @param {string} game name of the game, or of a schema of genomes, which begins with it
 * @param {string} name
 */
export function geneName(game, name) {
  const found = inContext(`gene of ${game.split("/")[0]}`, name);
  return found === name ? inContext("search parameter", name) : found;
}
