// SPDX-License-Identifier: GPL-3.0-or-later
// The account that is signed in in this browser. Visitors without one cause no request: a cookie that scripts can read
// stands beside the cookie of the session.

import { PREFIX, visit } from "../root.js";
import { ask } from "../view.js";

const HINT = "arena_signed_in";
const STORED = "arena-account"; // name and role as last seen, for the first paint

/** @typedef {Api.AnswerTo<"/api/v1/account">} Account */
/** @typedef {{ id: number, name: string, role: string }} Known */

/** Whether the browser has a session, as far as scripts can tell. */
export const hinted = () => document.cookie.split("; ").includes(`${HINT}=1`);

/**
 * The account as this browser last saw it; null without a session.
 * @returns {Known | null}
 */
export function remembered() {
  try {
    return hinted() ? JSON.parse(localStorage.getItem(STORED) ?? "null") : null;
  } catch {
    return null; // written by something else
  }
}

/**
 * Whether an account may change a bot.
 * @param {{ name: string, role: string } | null} account
 * @param {Api.BotDetailAnswer} bot
 */
export const mayChange = (account, bot) => account != null && (account.role === "administrator" || account.name === bot.owner);

/** @param {Known} account */
export function remember({ id, name, role }) {
  localStorage.setItem(STORED, JSON.stringify({ id, name, role }));
}

export function forget() {
  localStorage.removeItem(STORED);
  document.cookie = `${HINT}=; Path=${PREFIX || "/"}; Max-Age=0; SameSite=Strict`;
}

/** @type {Promise<Account | null> | undefined} */
let asked;

/**
 * The account that is signed in, asked for once in a page; null if there is none.
 * @returns {Promise<Account | null>}
 */
export function signedIn() {
  asked ??= hinted() ? find() : Promise.resolve(null);
  return asked;
}

async function find() {
  try {
    const account = await ask("/api/v1/account");
    remember(account);
    return account;
  } catch (error) {
    // the session has ended; a server that does not answer says nothing about it
    if (error instanceof Error && "status" in error && error.status === 401) forget();
    return null;
  }
}

/**
 * The address to continue at after signing in: a path of this site, or else ``other``.
 * @param {string} other
 */
export function nextAddress(other) {
  const next = new URLSearchParams(location.search).get("next");
  if (!next) return other;
  const address = new URL(next, location.origin);
  return address.origin === location.origin && next.startsWith("/") ? address.pathname + address.search : other;
}

/**
 * Continue after an account has signed in.
 * @param {Known} account
 */
export function enter(account) {
  remember(account);
  visit(nextAddress("/my-bots"));
}
