// SPDX-License-Identifier: MIT
// The client: connects a bot to an arena, reconnects after a lost connection, and resumes running matches.

import { Playing } from "./playing.js";

/** @typedef {import("./playing.js").Bot} Bot */
/** @typedef {import("./playing.js").Answer} Answer */
/** @typedef {import("./playing.js").Reply} Reply */

const PROTOCOL = 1;
const PATH = "/api/v1/play";
const FINAL = new Set([4401, 4403, 4409, 4423, 4426]); // close codes after which another attempt has the same end
const WELCOME_WITHIN = 20_000; // ms
const STEADY = 5_000; // ms after which a lost connection was a good one
const FIRST_DELAY = 200; // ms
const LONGEST_DELAY = 30_000; // ms

/** The arena does not accept this bot, and another attempt has the same end: an unknown token, for example. */
export class Rejected extends Error {
  /**
   * @param {string} message
   * @param {number} [code] the close code of the WebSocket, if there was one
   */
  constructor(message, code) {
    super(message);
    this.name = "Rejected";
    this.code = code;
  }
}

/** A challenge did not lead to a match. */
export class ChallengeRefused extends Error {
  /** @param {string} outcome "declined" or "expired", for example, or the reason of the arena */
  constructor(outcome) {
    super(`the challenge was not accepted: ${outcome}`);
    this.name = "ChallengeRefused";
    this.outcome = outcome;
  }
}

/**
 * @typedef {object} Options
 * @property {string} url address of the arena: http://HOST:PORT, or that of its socket, ws://HOST:PORT/api/v1/play
 * @property {string} token the bot's token; a secret
 * @property {boolean} [ladder] whether the ladder may pair the bot; default: true
 * @property {boolean} [challenges] whether others may challenge the bot; default: true
 * @property {boolean} [people] whether people may play against the bot at the board; default: false
 * @property {typeof WebSocket} [WebSocket] the class of sockets; default: the global one. Node.js 20 and 21 have it with
 *   the option --experimental-websocket
 * @property {(message: string, error?: unknown) => void} [log] takes what happens to the connection, and errors of the
 *   bot; default: console.error
 */

/** Plays a bot in an arena: `await client.run()`. */
export class Client {
  #bot;
  #options;
  #url;
  #log;
  /** @type {WebSocket | null} */
  #socket = null;
  #closed = false;
  #wake = () => {};
  /** @type {Map<number, Playing>} */
  #matches = new Map();
  /** @type {import("./messages.d.ts").Goodbye | null} */
  #goodbye = null;
  #lastError = "";
  #welcomed = false;
  /** @type {{ resolve: (matches: number[]) => void, reject: (error: Error) => void, number: number | null } | null} */
  #challenge = null;

  /**
   * One object plays all matches; its `capacity` is the number of matches that it plays at once.
   * @param {Bot} bot
   * @param {Options} options
   */
  constructor(bot, options) {
    this.#bot = bot;
    this.#options = options;
    this.#url = socketAddress(options.url);
    this.#log = options.log ?? ((message, ...error) => console.error(message, ...error));
  }

  /** The numbers of the running matches. */
  get matches() {
    return [...this.#matches.keys()];
  }

  /** Whether the arena has welcomed the bot and the connection is open. */
  get connected() {
    return this.#welcomed;
  }

  /**
   * Play until `close`. Fails with `Rejected` if the arena does not accept the bot.
   * @returns {Promise<void>}
   */
  async run() {
    let tries = 0;
    while (!this.#closed) {
      const { code, reason, steady } = await this.#converse();
      if (this.#closed) break;
      const goodbye = this.#goodbye;
      const words = goodbye?.reason || this.#lastError || reason;
      const gone = goodbye !== null && (goodbye.retry_after ?? null) === null;
      if ((code !== null && FINAL.has(code)) || gone) {
        this.#end();
        throw new Rejected(`the arena closed the connection: ${words || code}`, code ?? undefined);
      }
      if (steady) tries = 0;
      const delay = Math.min(FIRST_DELAY * 2 ** tries, LONGEST_DELAY);
      tries += 1;
      const wait = (goodbye?.retry_after ?? 0) + delay * (0.5 + Math.random() / 2);
      this.#log(`${this.#url}: ${words || "the connection was lost"}; next try in ${(wait / 1000).toFixed(1)} s`);
      await this.#sleep(wait);
    }
    this.#end();
  }

  /** Leave the arena. Running matches are lost unless the bot returns in time. */
  close() {
    this.#closed = true;
    this.#socket?.close();
    this.#wake();
  }

  /**
   * Challenge a bot; returns the numbers of the matches that start. The second match of a rated challenge follows by
   * itself. Fails with `ChallengeRefused` if no match starts.
   * @param {string} opponent
   * @param {string} game
   * @param {{ rated?: boolean, timeControl?: string }} [conditions] `timeControl`: "base+increment" in seconds, for
   *   example; default: that of the game
   * @returns {Promise<number[]>}
   */
  challenge(opponent, game, { rated = false, timeControl } = {}) {
    if (!this.#welcomed) return Promise.reject(new ChallengeRefused("the bot is not connected"));
    if (this.#challenge) return Promise.reject(new ChallengeRefused("another challenge is open"));
    return new Promise((resolve, reject) => {
      this.#challenge = { resolve, reject, number: null };
      this.#send({ type: "challenge", opponent, game, rated, time_control: timeControl ?? null });
    });
  }

  /**
   * Resign a match.
   * @param {number} match
   */
  resign(match) {
    this.#send({ type: "resign", match });
  }

  /**
   * Offer the opponent a draw.
   * @param {number} match
   */
  offerDraw(match) {
    this.#send({ type: "offer-draw", match });
  }

  /**
   * Hold one connection until its end.
   * @returns {Promise<{ code: number | null, reason: string, steady: boolean }>}
   */
  #converse() {
    this.#goodbye = null;
    this.#lastError = "";
    return new Promise((resolve) => {
      const Socket = this.#options.WebSocket ?? globalThis.WebSocket;
      const socket = new Socket(this.#url);
      this.#socket = socket;
      const began = Date.now();
      const waiting = setTimeout(() => finish(null, "the arena did not welcome the bot in time"), WELCOME_WITHIN);
      /** @param {number | null} code @param {string} reason */
      const finish = (code, reason) => {
        if (this.#socket !== socket) return; // for a refused connection Node.js fires "error" and no "close"
        const steady = this.#welcomed && Date.now() - began > STEADY;
        clearTimeout(waiting);
        this.#lost();
        socket.close();
        resolve({ code, reason, steady });
      };
      socket.onopen = () => this.#send(this.#hello());
      socket.onmessage = ({ data }) => {
        const message = decoded(data);
        if (message?.type === "welcome") clearTimeout(waiting);
        if (message !== null) this.#receive(message);
      };
      socket.onerror = () => finish(null, "no arena answers there");
      socket.onclose = ({ code, reason }) => finish(code, reason);
    });
  }

  #lost() {
    this.#socket = null;
    this.#welcomed = false;
    this.#challenge?.reject(new ChallengeRefused("the connection was lost"));
    this.#challenge = null;
  }

  #end() {
    for (const playing of this.#matches.values()) playing.abandon();
    this.#matches.clear();
  }

  /** @returns {import("./messages.d.ts").Hello} */
  #hello() {
    const { games, version = "1", description = "", capacity = 1, openInfo = false } = this.#bot;
    const { token, ladder = true, challenges = true, people = false } = this.#options;
    const software = "bot-arena-client (JavaScript)";
    const own = { games, version, description, capacity, open_info: openInfo };
    return { type: "hello", protocol: PROTOCOL, token, software, ladder, challenges, people, ...own };
  }

  /** @param {import("./messages.d.ts").BotMessage} message */
  #send(message) {
    // without a connection the message is dropped: after the next one the arena asks again
    if (this.#socket?.readyState === 1) this.#socket.send(JSON.stringify(message));
  }

  /** @param {import("./messages.d.ts").ArenaMessage} message */
  #receive(message) {
    switch (message.type) {
      case "welcome":
        this.#welcomed = true;
        for (const number of this.matches.filter((each) => !message.matches.includes(each))) this.#abandon(number);
        break;
      case "match":
        if (!this.#matches.has(message.match)) {
          this.#matches.set(message.match, new Playing(this.#bot, (answer) => this.#send(answer), this.#log));
        }
        this.#matches.get(message.match)?.receive(message);
        break;
      case "turn":
      case "accepted":
      case "draw-offered":
        this.#matches.get(message.match)?.receive(message);
        break;
      case "over":
        this.#matches.get(message.match)?.receive(message);
        this.#matches.delete(message.match);
        break;
      case "challenged":
        this.#answerChallenge(message);
        break;
      case "challenge-opened":
        if (this.#challenge) this.#challenge.number = message.challenge;
        break;
      case "challenge-closed":
        this.#settle(message);
        break;
      case "error":
        this.#refused(message);
        break;
      case "goodbye":
        this.#goodbye = message;
        break;
    }
  }

  /** @param {number} number */
  #abandon(number) {
    this.#matches.get(number)?.abandon();
    this.#matches.delete(number);
  }

  /** @param {import("./messages.d.ts").Challenged} challenge */
  async #answerChallenge(challenge) {
    let accept = true;
    try {
      accept = Boolean(this.#bot.challenged ? await this.#bot.challenged(challenge) : true);
    } catch (error) {
      this.#log("challenged() failed", error);
      accept = false;
    }
    this.#send({ type: "answer-challenge", challenge: challenge.challenge, accept });
  }

  /** @param {import("./messages.d.ts").ChallengeClosed} closed */
  #settle({ challenge, outcome, matches = [] }) {
    const own = this.#challenge;
    if (!own || own.number !== challenge) return;
    this.#challenge = null;
    if (outcome === "accepted") own.resolve(matches);
    else own.reject(new ChallengeRefused(outcome));
  }

  /** @param {import("./messages.d.ts").Error} error */
  #refused(error) {
    this.#lastError = error.message;
    this.#log(`the arena refused a message (${error.code}): ${error.message}`);
    const match = error.match ?? null;
    if (match !== null) {
      this.#matches.get(match)?.receive(error);
    } else if (this.#challenge && this.#challenge.number === null) {
      this.#challenge.reject(new ChallengeRefused(error.message));
      this.#challenge = null;
    }
  }

  /** @param {number} milliseconds */
  #sleep(milliseconds) {
    return new Promise((/** @type {(value?: undefined) => void} */ resolve) => {
      const timer = setTimeout(resolve, milliseconds);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
      if (this.#closed) this.#wake();
    });
  }
}

/**
 * Return the address of the bots' socket of an arena, which may be below a path. Throws TypeError if `url` is not an address.
 * @param {string} url
 */
export function socketAddress(url) {
  const address = new URL(url);
  if (!/^(https?|wss?):$/.test(address.protocol)) throw new TypeError(`${url} is not the address of an arena`);
  const path = address.pathname.replace(/\/+$/, "");
  if (!path.endsWith(PATH)) address.pathname = path + PATH;
  return address.href.replace(/^http/, "ws").replace(/#.*/, "");
}

/**
 * Return a message; null for one of a later version of the protocol, which the client ignores.
 * @param {unknown} data
 * @returns {import("./messages.d.ts").ArenaMessage | null}
 */
function decoded(data) {
  if (typeof data !== "string") return null;
  try {
    return JSON.parse(data);
  } catch {
    return null;
  }
}
