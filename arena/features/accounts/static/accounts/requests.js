// SPDX-License-Identifier: GPL-3.0-or-later
// Requests that change something.

import { prefixed } from "../root.js";
import { t } from "../texts.js";

/** An error answer of the server. */
export class Refusal extends Error {
  /**
   * @param {string} message
   * @param {number} status
   * @param {string} code for programs
   * @param {string | null} [field] the path of the invalid field in the body
   */
  constructor(message, status, code, field = null) {
    super(message);
    this.field = field;
    this.status = status;
    this.code = code;
  }
}

/**
 * "12 s", "5 min".
 * @param {number} seconds
 */
const wait = (seconds) => (seconds < 100 ? `${Math.ceil(seconds)} s` : `${Math.ceil(seconds / 60)} min`);

/**
 * A message of the server as a sentence.
 * @param {string} message
 */
const sentence = (message) => message.charAt(0).toUpperCase() + message.slice(1) + (/[.!?]$/.test(message) ? "" : ".");

/**
 * The error of an answer.
 * @param {{ status: number, retryAfter: string | null, answer: any }} found
 */
export function refusalOf({ status, retryAfter, answer }) {
  let message = answer?.error?.message ?? t`the server answered with status ${status}`;
  // the time is known
  if (status === 429 && retryAfter) message = message.replace(/; try again( later)?$/, t`. Try again in ${wait(Number(retryAfter))}`);
  return new Refusal(sentence(message), status, answer?.error?.code ?? "", answer?.error?.field);
}

export const UNREACHABLE = t`The server does not answer. Check your connection, then try again.`;

/**
 * Send JSON to a path of the API and return the answer. Throws a Refusal with a readable message.
 * @param {string} path
 * @param {object} [body]
 * @returns {Promise<any>}
 */
export async function post(path, body = {}) {
  let response;
  try {
    response = await fetch(prefixed(path), { method: "POST", headers: { accept: "application/json", "content-type": "application/json" }, body: JSON.stringify(body) });
  } catch {
    throw new Refusal(UNREACHABLE, 0, "");
  }
  const answer = await response.json().catch(() => null);
  if (!response.ok) throw refusalOf({ status: response.status, retryAfter: response.headers.get("Retry-After"), answer });
  return answer;
}
