// SPDX-License-Identifier: MIT
// `make docs` writes this file.
export type Reply = {
    move: string;
    info?: import("./messages.d.ts").Info;
    /**
     * whether to offer a draw with this move
     */
    offerDraw?: boolean;
};
export type Answer = string | Reply | null;
export type Bot = {
    /**
     * names of the games that it plays
     */
    games: string[];
    /**
     * return one of `turn.legal_moves`
     */
    move: (turn: import("./messages.d.ts").Turn) => Answer | Promise<Answer>;
    /**
     * ratings belong to it: raise it when the bot plays differently
     */
    version?: string;
    /**
     * one line for people
     */
    description?: string;
    /**
     * matches at once
     */
    capacity?: number;
    /**
     * whether spectators may see search info at once
     */
    openInfo?: boolean;
    /**
     * a match starts, or continues after a lost
     * connection
     */
    matchStarted?: (match: import("./messages.d.ts").Match) => unknown;
    /**
     * a match has ended
     */
    matchOver?: (over: import("./messages.d.ts").Over) => unknown;
    /**
     * whether to accept a draw; default: no
     */
    drawOffered?: (match: number) => boolean | Promise<boolean>;
    /**
     * whether to accept
     * a challenge; default: yes
     */
    challenged?: (challenge: import("./messages.d.ts").Challenged) => boolean | Promise<boolean>;
    /**
     * the move is no longer needed
     */
    stop?: (match: number) => unknown;
};
export type BotMessage = import("./messages.d.ts").BotMessage;
export type ArenaMessage = import("./messages.d.ts").ArenaMessage;
export type Turn = import("./messages.d.ts").Turn;
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
export declare class Playing {
    #private;
    /**
     * @param {Bot} bot
     * @param {(message: BotMessage) => void} send
     * @param {(message: string, error?: unknown) => void} log
     */
    constructor(bot: Bot, send: (message: BotMessage) => void, log: (message: string, error?: unknown) => void);
    /**
     * Take a message about this match.
     * @param {ArenaMessage} message
     */
    receive(message: ArenaMessage): void;
    /** Ignore all further messages: the match ended unseen, or the client ends. */
    abandon(): void;
}
