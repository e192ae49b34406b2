// SPDX-License-Identifier: MIT
const URL = process.env.ARENA_URL ?? "ws://127.0.0.1:8080/api/v1/play";
const TOKEN = process.env.ARENA_TOKEN;
const FINAL = [4401, 4403, 4409, 4423, 4426]; // close codes after which another attempt has the same end

function connect() {
  const socket = new WebSocket(URL);
  const say = (type, fields) => socket.send(JSON.stringify({ type, ...fields }));
  let over = false;

  // Node fires "error" and no "close" for a refused connection; for a lost one it may fire both
  function again(why) {
    if (over) return;
    over = true;
    console.error(`${why}; trying again`);
    setTimeout(connect, 500 + 1000 * Math.random());
  }

  socket.onopen = () => say("hello", { protocol: 1, token: TOKEN, games: ["checkers", "tictactoe"], version: "1", people: true });
  socket.onmessage = ({ data }) => {
    const told = JSON.parse(data);
    const { match, ply, legal_moves: moves } = told;
    if (told.type === "turn") say("move", { match, ply, move: moves[Math.floor(moves.length * Math.random())] });
    if (told.type === "draw-offered") say("answer-draw", { match, accept: false });
    if (told.type === "challenged") say("answer-challenge", { challenge: told.challenge, accept: true });
    if (told.type === "over") console.log(match, told.result, told.termination);
  };
  socket.onerror = () => again("no arena there");
  socket.onclose = ({ code, reason }) => {
    if (FINAL.includes(code)) throw new Error(`not wanted: ${code} ${reason}`);
    again("the connection was lost");
  };
}

connect();
