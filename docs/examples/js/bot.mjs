// SPDX-License-Identifier: MIT
import { Client } from "./client.js";

const { ARENA_URL: url = "http://127.0.0.1:8080", ARENA_TOKEN: token } = process.env;

const bot = {
  games: ["checkers", "tictactoe"],
  capacity: 4,
  move({ legal_moves: moves }) {
    return moves[Math.floor(moves.length * Math.random())];
  },
  matchOver({ match, result, termination }) {
    console.log(match, result, termination);
  },
};

await new Client(bot, { url, token }).run();
