// SPDX-License-Identifier: GPL-3.0-or-later
// The socket of a person's seat: the bots' protocol with the token of the seat.

import { post } from "../accounts/requests.js";
import { socketAddress } from "../root.js";
import { messageOf } from "../view.js";

const [FIRST_DELAY, LONGEST_DELAY] = [500, 8000]; // ms before the next attempt to connect
const TAKEN = [4401, 4403, 4409]; // close codes: another page of the same person has the seat
const ENDED = [4400, 4429]; // the server ended the connection because of invalid or too many messages

/**
 * Open the seat of a match and keep it open. ``hear(message)`` gets the messages of the arena; ``tell(state, text)`` the
 * state of the connection: "live", "lost", "elsewhere" or "failed", with a reason. Returns functions that send a
 * message and close the seat.
 * @param {string} game
 * @param {(message: any) => void} hear
 * @param {(state: "live" | "lost" | "elsewhere" | "failed", text?: string) => void} tell
 */
export function sit(game, hear, tell) {
  let token = "";
  let delay = FIRST_DELAY;
  let timer = 0;
  let ended = false;
  /** @type {WebSocket | null} */
  let socket = null;

  const again = () => {
    if (ended) return;
    timer = setTimeout(open, delay * (0.5 + Math.random()));
    delay = Math.min(2 * delay, LONGEST_DELAY);
  };

  async function open() {
    try {
      token ||= (await post("/api/v1/people/seat")).token;
    } catch (error) {
      const { status } = /** @type {{ status?: number }} */ (error);
      if (!status || status === 429 || status >= 500) {
        tell("lost");
        again();
      } else tell("failed", messageOf(error));
      return;
    }
    if (ended) return;
    const line = (socket = new WebSocket(socketAddress("/api/v1/play")));
    line.onopen = () => line.send(JSON.stringify({ type: "hello", protocol: 1, token, games: [game], software: "page" }));
    line.onmessage = ({ data }) => {
      const message = JSON.parse(data);
      if (message.type === "welcome") {
        delay = FIRST_DELAY;
        tell("live");
      }
      hear(message);
    };
    line.onclose = ({ code, reason }) => {
      if (ended) return;
      if (TAKEN.includes(code)) tell("elsewhere");
      else if (ENDED.includes(code)) tell("failed", reason);
      else {
        tell("lost");
        again();
      }
    };
  }

  open();
  return {
    /** @param {object} message */
    say(message) {
      if (socket?.readyState !== WebSocket.OPEN) return false;
      socket.send(JSON.stringify(message));
      return true;
    },
    /** Take the seat back from another page. */
    take() {
      token = "";
      open();
    },
    leave() {
      ended = true;
      clearTimeout(timer);
      socket?.close();
    },
  };
}
