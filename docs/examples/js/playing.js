// SPDX-License-Identifier: MIT
// One match as the client plays it for a bot: messages of the arena in, answers of the bot out.

/**
 * A move with search info for spectators.
 * @typedef {object} Reply
 * @property {string} move
 * @property {import("./messages.d.ts").Info} [info]
 * @property {boolean} [offerDraw] whether to offer a draw with this move
 */

/**
 * What `move` returns: the text of a move, a reply, or null, which resigns the match.
 * @typedef {string | Reply | null} Answer
 */

/**
 * A bot. Only `games` and `move` are required. Every method may return a promise.
 * @typedef {object} Bot
 * @property {string[]} games names of the games that it plays
 * @property {(turn: import("./messages.d.ts").Turn) => Answer | Promise<Answer>} move return one of `turn.legal_moves`
 * @property {string} [version] ratings belong to it: raise it when the bot plays differently
 * @property {string} [description] one line for people
 * @property {number} [capacity] matches at once
 * @property {boolean} [openInfo] whether spectators may see search info at once
 * @property {(match: import("./messages.d.ts").Match) => unknown} [matchStarted] a match starts, or continues after a lost
 *   connection
 * @property {(over: import("./messages.d.ts").Over) => unknown} [matchOver] a match has ended
 * @property {(match: number) => boolean | Promise<boolean>} [drawOffered] whether to accept a draw; default: no
 * @property {(challenge: import("./messages.d.ts").Challenged) => boolean | Promise<boolean>} [challenged] whether to accept
 *   a challenge; default: yes
 * @property {(match: number) => unknown} [stop] the move is no longer needed
 */

/** @typedef {import("./messages.d.ts").BotMessage} BotMessage */
/** @typedef {import("./messages.d.ts").ArenaMessage} ArenaMessage */
/** @typedef {import("./messages.d.ts").Turn} Turn */

/**
 * Handles the messages of a match one at a time. It keeps an answer until the arena has accepted it, and sends it again
 * if the arena asks again after a lost connection.
 */
export class Playing {
  #bot;
  #send;
  #log;
  /** @type {Promise<unknown>} */
  #last = Promise.resolve();
  /** @type {number | null} */
  #asked = null; // the ply that the arena waits for and the bot thinks about
  /** @type {Turn | null} */
  #owed = null; // the turn that was answered by accepting a draw: without the offer the arena waits for a move
  /** @type {import("./messages.d.ts").Move | null} */
  #answer = null; // the newest answer, until it is accepted
  #offerAnswered = false;
  #over = false;

  /**
   * @param {Bot} bot
   * @param {(message: BotMessage) => void} send
   * @param {(message: string, error?: unknown) => void} log
   */
  constructor(bot, send, log) {
    this.#bot = bot;
    this.#send = send;
    this.#log = log;
  }

  /**
   * Take a message about this match.
   * @param {ArenaMessage} message
   */
  receive(message) {
    let taken = message;
    switch (message.type) {
      case "match":
        this.#offerAnswered = false;
        if (this.#asked !== null && this.#asked !== message.ply) this.#stop(message.match);
        if (this.#answer && this.#answer.ply < message.ply) this.#answer = null;
        break;
      case "turn":
        if (message.ply === this.#asked) return;
        this.#owed = null;
        if (this.#answer?.ply !== message.ply) {
          this.#answer = null;
          this.#asked = message.ply;
        }
        break;
      case "accepted":
        if (this.#answer?.ply === message.ply) this.#answer = null;
        return;
      case "draw-offered":
        this.#offerAnswered = false;
        break;
      case "error":
        if (message.code !== "no-offer" || !this.#owed) return;
        taken = { ...this.#owed, draw_offered: false };
        this.#asked = this.#owed.ply;
        this.#owed = null;
        break;
      case "over":
        this.#over = true;
        this.#stop(message.match);
        break;
    }
    this.#last = this.#last.then(() => this.#handle(taken));
  }

  /** Ignore all further messages: the match ended unseen, or the client ends. */
  abandon() {
    this.#over = true;
    this.#asked = null;
  }

  /** @param {ArenaMessage} message */
  async #handle(message) {
    if (message.type === "over") {
      await this.#call("matchOver", () => this.#bot.matchOver?.(message));
    } else if (this.#over) {
      return;
    } else if (message.type === "match") {
      await this.#call("matchStarted", () => this.#bot.matchStarted?.(message));
      // during a turn the offer comes again with it
      if (message.draw_offered && message.to_move !== message.seat) await this.#considerDraw(message.match);
    } else if (message.type === "turn") {
      await this.#takeTurn(message);
    } else if (message.type === "draw-offered") {
      await this.#considerDraw(message.match);
    }
  }

  /** @param {Turn} turn */
  async #takeTurn(turn) {
    if (this.#answer?.ply === turn.ply) {
      this.#send(this.#answer);
      return;
    }
    if (turn.ply !== this.#asked) return;
    if (turn.draw_offered && (await this.#considerDraw(turn.match))) {
      this.#asked = null;
      this.#owed = turn;
      return;
    }
    /** @type {BotMessage[]} */
    let answers;
    try {
      answers = messages(turn, await this.#bot.move(turn));
    } catch (error) {
      this.#log(`match ${turn.match}: resigned, because the bot failed`, error);
      answers = [{ type: "resign", match: turn.match, failure: String(error).split("\n")[0].slice(0, 200) }];
    }
    if (turn.ply !== this.#asked) return;
    this.#asked = null;
    for (const answer of answers) {
      if (answer.type === "move") this.#answer = answer;
      this.#send(answer);
    }
  }

  /**
   * Ask the bot once for each offer, and answer; returns whether it accepted now.
   * @param {number} match
   */
  async #considerDraw(match) {
    if (this.#offerAnswered) return false;
    this.#offerAnswered = true;
    const accept = Boolean(await this.#call("drawOffered", () => this.#bot.drawOffered?.(match)));
    this.#send({ type: "answer-draw", match, accept });
    return accept;
  }

  /** @param {number} match */
  #stop(match) {
    if (this.#asked === null) return;
    this.#asked = null;
    void this.#call("stop", () => this.#bot.stop?.(match));
  }

  /**
   * Call a method of the bot whose failure costs nothing.
   * @param {string} name
   * @param {() => unknown} method
   */
  async #call(name, method) {
    try {
      return await method();
    } catch (error) {
      this.#log(`${name}() failed`, error);
      return undefined;
    }
  }
}

/**
 * Return the messages of an answer. Throws TypeError if it is not an answer.
 * @param {Turn} turn
 * @param {Answer} answer
 * @returns {BotMessage[]}
 */
function messages({ match, ply }, answer) {
  if (answer === null) return [{ type: "resign", match }];
  const { move, info, offerDraw = false } = typeof answer === "string" ? { move: answer } : answer;
  if (typeof move !== "string") throw new TypeError("move() returned neither a move nor null");
  /** @type {BotMessage} */
  const made = info ? { type: "move", match, ply, move, info } : { type: "move", match, ply, move };
  return offerDraw ? [{ type: "offer-draw", match }, made] : [made];
}
