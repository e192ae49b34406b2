// SPDX-License-Identifier: MIT
// `make docs` writes this file.
export type Bot = import("./playing.js").Bot;
export type Answer = import("./playing.js").Answer;
export type Reply = import("./playing.js").Reply;
/** The arena does not accept this bot, and another attempt has the same end: an unknown token, for example. */
export declare class Rejected extends Error {
    code: number | undefined;
    /**
     * @param {string} message
     * @param {number} [code] the close code of the WebSocket, if there was one
     */
    constructor(message: string, code?: number);
}
/** A challenge did not lead to a match. */
export declare class ChallengeRefused extends Error {
    outcome: string;
    /** @param {string} outcome "declined" or "expired", for example, or the reason of the arena */
    constructor(outcome: string);
}
export type Options = {
    /**
     * address of the arena: http://HOST:PORT, or that of its socket, ws://HOST:PORT/api/v1/play
     */
    url: string;
    /**
     * the bot's token; a secret
     */
    token: string;
    /**
     * whether the ladder may pair the bot; default: true
     */
    ladder?: boolean;
    /**
     * whether others may challenge the bot; default: true
     */
    challenges?: boolean;
    /**
     * whether people may play against the bot at the board; default: false
     */
    people?: boolean;
    /**
     * the class of sockets; default: the global one. Node.js 20 and 21 have it with
     * the option --experimental-websocket
     */
    WebSocket?: typeof WebSocket;
    /**
     * takes what happens to the connection, and errors of the
     * bot; default: console.error
     */
    log?: (message: string, error?: unknown) => void;
};
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
export declare class Client {
    #private;
    /**
     * One object plays all matches; its `capacity` is the number of matches that it plays at once.
     * @param {Bot} bot
     * @param {Options} options
     */
    constructor(bot: Bot, options: Options);
    /** The numbers of the running matches. */
    get matches(): number[];
    /** Whether the arena has welcomed the bot and the connection is open. */
    get connected(): boolean;
    /**
     * Play until `close`. Fails with `Rejected` if the arena does not accept the bot.
     * @returns {Promise<void>}
     */
    run(): Promise<void>;
    /** Leave the arena. Running matches are lost unless the bot returns in time. */
    close(): void;
    /**
     * Challenge a bot; returns the numbers of the matches that start. The second match of a rated challenge follows by
     * itself. Fails with `ChallengeRefused` if no match starts.
     * @param {string} opponent
     * @param {string} game
     * @param {{ rated?: boolean, timeControl?: string }} [conditions] `timeControl`: "base+increment" in seconds, for
     *   example; default: that of the game
     * @returns {Promise<number[]>}
     */
    challenge(opponent: string, game: string, { rated, timeControl }?: {
        rated?: boolean;
        timeControl?: string;
    }): Promise<number[]>;
    /**
     * Resign a match.
     * @param {number} match
     */
    resign(match: number): void;
    /**
     * Offer the opponent a draw.
     * @param {number} match
     */
    offerDraw(match: number): void;
}
/**
 * Return the address of the bots' socket of an arena, which may be below a path. Throws TypeError if `url` is not an address.
 * @param {string} url
 */
export declare function socketAddress(url: string): string;
