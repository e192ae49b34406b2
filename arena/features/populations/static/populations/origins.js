// SPDX-License-Identifier: GPL-3.0-or-later
// How a member of a population arose, in words.

import { t } from "../texts.js";

/** @type {Record<string, string>} */
const ORIGINS = {
  random: t`random genome`,
  guest: t`given genome`,
  mutant: t`mutant`,
  drift: t`mutant after a draw or narrow win`,
  crossing: t`crossover`,
  sample: t`sample`,
  immigrant: t`immigrant`,
};

/**
 * An origin in words; one that this page does not know as the population named it.
 * @param {string} origin
 */
export const originName = (origin) => ORIGINS[origin] ?? origin;
