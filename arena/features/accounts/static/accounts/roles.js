// SPDX-License-Identifier: GPL-3.0-or-later
// The names of the roles of accounts.

import { t } from "../texts.js";

/** @type {Record<string, string>} */
const NAMES = { owner: t`Owner`, organiser: t`Organiser`, administrator: t`Administrator` };

/** @param {string} role */
export const roleName = (role) => NAMES[role] ?? role;
