// SPDX-License-Identifier: GPL-3.0-or-later
// A person's seat on the page of a match; only the browser that plays the match loads its scripts.

import { here } from "../root.js";
import { withTexts } from "../texts.js";

const SEAT = "arena_seat"; // a cookie: the match that this browser plays

const match = here().split("/")[2];
const plays = document.cookie.split("; ").includes(`${SEAT}=${match}`);

export const useSeat = plays ? (await withTexts("people/sitting.js", () => import("./sitting.js"))).useSeat : () => null;
