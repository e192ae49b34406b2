// SPDX-License-Identifier: MIT
// `make docs` writes this file.

/** The bot's move is stored. */
export type Accepted = {
  "type": "accepted";
  /** Number of the match. */
  "match": number;
  /** The number from `move`. */
  "ply": number;
  /** Remaining time after the move, increment included. */
  "clock"?: number | null;
};

/** Accept or decline a challenge. */
export type AnswerChallenge = {
  "type": "answer-challenge";
  /** Number of the challenge. */
  "challenge": number;
  /** `true`: accept; `false`: decline. */
  "accept": boolean;
};

/** Accept or decline the opponent's offer. */
export type AnswerDraw = {
  "type": "answer-draw";
  /** Number of the match. */
  "match": number;
  /** `true`: accept; `false`: decline. */
  "accept": boolean;
};

/** Messages from the arena to a bot. */
export type ArenaMessage = Welcome | Match | Turn | Accepted | DrawOffered | DrawDeclined | Over | Challenged | ChallengeOpened | ChallengeClosed | Error | Goodbye;

/** Allow or forbid pairing on the ladder and challenges; running matches continue. */
export type Availability = {
  "type": "availability";
  /** Whether the ladder may pair this bot. */
  "ladder": boolean;
  /** Whether others may challenge this bot. */
  "challenges": boolean;
};

/** Messages from a bot to the arena. */
export type BotMessage = Hello | Move | Thinking | Resign | OfferDraw | AnswerDraw | Sync | Availability | Challenge | AnswerChallenge | WithdrawChallenge;

/** A move that a Monte Carlo tree search tried at the position. */
export type Candidate = {
  /** The move in the game's notation. */
  "move": string;
  /** Number of playouts that began with the move. */
  "visits": number;
  /** Expected result of the reporting bot after the move: 1 for a win, a draw counts half. */
  "win": number;
};

/** Challenge a bot to a match (to a colour-swapped pair if rated); `challenge-closed` has the outcome. */
export type Challenge = {
  "type": "challenge";
  /** Name of the challenged bot. */
  "opponent": string;
  /** Name of the game. */
  "game": string;
  /** Whether the match changes ratings. */
  "rated"?: boolean;
  /**
   * A time control: "base+increment" in seconds, "moves/base+increment" or "seconds/move"; default: the game's own. A
   * rated challenge must use the default; built-in bots have a maximum. "10M instructions/move" is for two WebAssembly
   * bots that the server hosts.
   */
  "time_control"?: string | null;
};

/** A challenge is settled: accepted, declined, withdrawn, expired or impossible. */
export type ChallengeClosed = {
  "type": "challenge-closed";
  /** Number of the challenge. */
  "challenge": number;
  /** accepted, declined, withdrawn, expired or impossible. */
  "outcome": string;
  /** The match, if the challenge was accepted. */
  "matches"?: (number)[];
};

/** The bot's challenge was delivered. */
export type ChallengeOpened = {
  "type": "challenge-opened";
  /** Number of the challenge. */
  "challenge": number;
  /** Name of the challenged bot. */
  "opponent": string;
  /** Name of the game. */
  "game": string;
};

/** Another bot challenges this bot. */
export type Challenged = {
  "type": "challenged";
  /** Number of the challenge. */
  "challenge": number;
  /** The challenging bot. */
  "opponent": Player;
  /** Name of the game. */
  "game": string;
  /** Whether the match changes ratings. */
  "rated": boolean;
  /** The time control; null: none. */
  "time_control": string | null;
  /** Time left to answer. */
  "expires": number;
};

/** The opponent declined the draw. */
export type DrawDeclined = {
  "type": "draw-declined";
  /** Number of the match. */
  "match": number;
};

/** The opponent offers a draw. Answer it; a move declines it. */
export type DrawOffered = {
  "type": "draw-offered";
  /** Number of the match. */
  "match": number;
};

/**
 * The last message was refused. `code` is for programs (see Error codes), `message` for people. The match continues
 * unless `over` follows.
 */
export type Error = {
  "type": "error";
  /** The error code, for programs. */
  "code": string;
  /** The reason, for people. */
  "message": string;
  /** The match that the refused message is about; null: none. */
  "match"?: number | null;
  /** Whether the arena closes the socket now. */
  "fatal"?: boolean;
};

/** A predicted answer of the opponent. */
export type Expected = {
  /** The answer. */
  "move": string;
  /** The probability that the opponent plays it. */
  "probability": number;
};

/** The arena closes the socket on purpose. */
export type Goodbye = {
  "type": "goodbye";
  /** The reason, for people. */
  "reason": string;
  /** Time after which to reconnect; null: do not reconnect. */
  "retry_after"?: number | null;
};

/** The first message on a socket. The arena answers with `welcome`, or closes the socket. */
export type Hello = {
  "type": "hello";
  /** The version of the protocol that the bot speaks. */
  "protocol": number;
  /** The token of the bot's registration; a secret. */
  "token": string;
  /** Names of the games that the bot plays, as in GET /api/v1/games. */
  "games": (string)[];
  /**
   * The bot's own version; ratings belong to it, so raise it when the bot plays differently. Control characters are
   * refused.
   */
  "version"?: string;
  /** The client software, for example a library and its version. Control characters are refused. */
  "software"?: string;
  /** Maximum number of matches at once. */
  "capacity"?: number;
  /** Whether `turn` lists the legal moves. */
  "legal_moves"?: boolean;
  /** Whether the ladder may pair this bot. */
  "ladder"?: boolean;
  /** Whether others may challenge this bot. */
  "challenges"?: boolean;
  /**
   * Whether spectators, and thus the opponent, may see the bot's search info at once. It is live if both sides agree,
   * except in anonymous tournaments; otherwise delayed. Applies to matches that start later.
   */
  "open_info"?: boolean;
  /**
   * Whether people may play against this bot on the arena's pages. Such matches are unrated, and people cannot make the
   * bot wait for long: their clocks run. Built-in bots always accept people.
   */
  "people"?: boolean;
  /**
   * One line about the bot for its page; replaces the previous one; empty: no change. Control characters and
   * bidirectional controls are removed.
   */
  "description"?: string;
  /**
   * The module of a WebAssembly bot that the server itself hosts. Such a bot can play matches that have a limit of
   * instructions for each move instead of clocks. The server ignores the field from other clients.
   */
  "module"?: Module | null;
};

/**
 * Search info for spectators; every field is optional. The arena keeps at most 2,048 bytes per move, as JSON, and cuts
 * the rest. It also limits the bytes in a match and in a day, and drops info beyond these limits. The move counts in
 * any case.
 */
export type Info = {
  /** In pawn units, from the reporting bot's point of view. */
  "score"?: number | null;
  /** Depth of the search, in plies. */
  "depth"?: number | null;
  /** Number of positions that the search visited. */
  "nodes"?: number | null;
  /** The principal variation, starting with the played move; the first 32 moves are kept. */
  "pv"?: (string)[];
  /** Predicted answers of the opponent, the most probable first. */
  "expected"?: (Expected)[];
  /** The best moves of a tree search, the best first; spectators see the legal ones. */
  "candidates"?: (Candidate)[];
};

/** The whole state of a match; sent at its start, when the bot reconnects, and in answer to `sync`. */
export type Match = {
  "type": "match";
  /** Number of the match. */
  "match": number;
  /** Name of the game. */
  "game": string;
  /** 0: moves first; 1: second. */
  "seat": number;
  /** In anonymous tournaments the opponent has no name and no version until the match is over. */
  "players": [Player, Player];
  /** Whether the match changes ratings. */
  "rated": boolean;
  /** The time control; null: none. */
  "time_control": string | null;
  /** The initial position. */
  "start": string;
  /** Moves of the opening, made by the arena without clocks. */
  "opening": (string)[];
  /** Moves of the players after the opening, and rolls. */
  "moves": (PlayedMove)[];
  /** The current position. */
  "position": string;
  /** Number of moves so far, opening included. */
  "ply": number;
  /** The seat to move; -1: a roll follows. Where both seats choose at the same time: 0. */
  "to_move": number;
  /** Remaining times of both seats; null without clocks. */
  "clocks": [number, number] | null;
  /** Whether there is a valid draw offer of the opponent. */
  "draw_offered"?: boolean;
  /** In games with dice: the commitment to the rolls; see Dice. */
  "dice_commitment"?: string | null;
  /** Whether another match, with swapped seats, has the same rolls; see Dice. */
  "mirrored_dice"?: boolean;
};

/** The WebAssembly module of a bot, and the software that runs it. */
export type Module = {
  /** SHA-256 of the module's file, in hexadecimal digits. */
  "digest": string;
  /** Version of wasmtime. */
  "wasmtime": string;
  /** Version of the arena's WebAssembly interface; see docs/how-to/wasm.md. */
  "machine": number;
};

/** Play a move. `ply` is the number from `turn`; it makes repeated messages harmless. */
export type Move = {
  "type": "move";
  /** Number of the match. */
  "match": number;
  /** The number from `turn`. */
  "ply": number;
  /** The move in the game's notation. */
  "move": string;
  /** Search info. */
  "info"?: Info | null;
  /**
   * Number of WebAssembly instructions that the move used. Required if the match has a limit of instructions for each
   * move instead of clocks; only WebAssembly bots play such matches.
   */
  "instructions"?: number | null;
};

/** Offer a draw; the offer is valid until the opponent answers or moves. */
export type OfferDraw = {
  "type": "offer-draw";
  /** Number of the match. */
  "match": number;
};

/** A match has ended. `result` is "1-0" (seat 0 won), "0-1", "1/2-1/2" or "*" (void). */
export type Over = {
  "type": "over";
  /** Number of the match. */
  "match": number;
  /** "1-0" (seat 0 won), "0-1", "1/2-1/2" or "*" (void). */
  "result": string;
  /** This bot's score: 1, 0.5 or 0; null if void. */
  "score": number | null;
  /**
   * Reason of the end: decided, repetition, no-progress rule, ply limit, resignation, agreement, adjudication, time,
   * illegal move, bad message, crash, disconnect, void.
   */
  "termination": string;
  /** Details of the end, for people. */
  "detail"?: string;
  /** Null if unrated. */
  "rating"?: RatingChange | null;
  /** The opponent, if it was hidden. */
  "opponent"?: Player | null;
  /** In games with dice: the secret, to check against the commitment; null if the dice are mirrored. */
  "dice_secret"?: string | null;
  /** Payoff of the winner, in points: more than 1 in some games. The loser has its negative. */
  "payoff"?: number;
  /** In games that are not zero-sum: the payoffs of both seats; null in other games, and if the match is void. */
  "points"?: [number, number] | null;
};

/** A move in the record. */
export type PlayedMove = {
  /** The move, or the roll. */
  "move": string;
  /** The full elapsed time, network lag included; the clock is charged this time minus the network-lag allowance. */
  "elapsed"?: number;
  /** Remaining time of the mover after the move, increment included. */
  "clock"?: number | null;
  /** Number of WebAssembly instructions that the move used, in a match without clocks. */
  "instructions"?: number | null;
};

/** One side of a match. */
export type Player = {
  /** Name of the bot or person. */
  "name": string;
  /** Version of the bot. */
  "version": string;
  /** Rating when the match started; null: none. */
  "rating"?: number | null;
  /** The bot's number in the API. */
  "bot"?: number | null;
};

/** A rating before and after a match. */
export type RatingChange = {
  /** The rating before the match. */
  "before": number;
  /** The rating after the match. */
  "after": number;
};

/** Resign a match. */
export type Resign = {
  "type": "resign";
  /** Number of the match. */
  "match": number;
  /** If the bot resigns because of an error: the error's text, for people. The match then ends as a crash. */
  "failure"?: string;
};

/** Ask for the whole state of a match; the arena answers with `match`. */
export type Sync = {
  "type": "sync";
  /** Number of the match. */
  "match": number;
};

/**
 * Show spectators the state of a search while the clock runs. It is not stored, and the opponent's bot never gets it.
 * Spectators get at most four of these messages per second, always the newest one. The arena drops the others without
 * an error, and all of them in matches whose `info_release` is not "live". Useful only if `turn` has `watched` true.
 */
export type Thinking = {
  "type": "thinking";
  /** Number of the match. */
  "match": number;
  /** The number from `turn`; the arena drops messages about other turns. */
  "ply": number;
  /** Search info. */
  "info": Info;
};

/** It is this bot's turn; its clock runs. */
export type Turn = {
  "type": "turn";
  /** Number of the match. */
  "match": number;
  /** Name of the game. */
  "game": string;
  /** Number of moves so far, opening included. */
  "ply": number;
  /** The current position. */
  "position": string;
  /** 0: moves first; 1: second. */
  "seat": number;
  /** The previous move, or the roll, as the bot's seat sees it; it may be the bot's own. */
  "last_move"?: string | null;
  /** Omitted if `hello` has `legal_moves` false. */
  "legal_moves"?: (string)[] | null;
  /** Remaining times of both seats; null without clocks. */
  "clocks"?: [number, number] | null;
  /** Time that the move adds to the clock. */
  "increment"?: number;
  /** Moves until the time control adds its base time again; null if it never does. */
  "moves_to_go"?: number | null;
  /** Limit of WebAssembly instructions for this move, in a match without clocks. */
  "instructions"?: number | null;
  /** Whether there is a valid draw offer of the opponent. */
  "draw_offered"?: boolean;
  /** Whether spectators would see `thinking` of this turn. */
  "watched"?: boolean;
};

/** The arena accepted the bot. */
export type Welcome = {
  "type": "welcome";
  /** The version of the protocol that the arena speaks. */
  "protocol": number;
  /** Name and version of the arena's software. */
  "server": string;
  /** Name of the bot. */
  "bot": string;
  /** The bot's version, from `hello`. */
  "version": string;
  /** The games of `hello` that the arena offers. */
  "games": (string)[];
  /** Running matches of this bot; a `match` message for each follows. */
  "matches": (number)[];
};

/** Withdraw an unanswered challenge. */
export type WithdrawChallenge = {
  "type": "withdraw-challenge";
  /** Number of the challenge. */
  "challenge": number;
};
