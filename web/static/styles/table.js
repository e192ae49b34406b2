// SPDX-License-Identifier: GPL-3.0-or-later
// A table of felt without lines, for cards.

import { ground } from "./drawing.js";

/** @type {import("../styles.js").Style} */
export const table = { margin: 24, fixed: true, below: (area) => ground("felt", area, 40) };
