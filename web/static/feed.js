// SPDX-License-Identifier: GPL-3.0-or-later
// The spectators' stream: one socket a page, opened again by itself when it is lost, asking only for what is missing.

const FIRST_DELAY = 500;
const LONGEST_DELAY = 15_000;

/**
 * ``requests()`` gives the messages to send each time the socket opens; ``receive(message)`` gets each message;
 * ``state(open)`` is told when the stream opens and when it is lost. Returns a function that closes the stream for good.
 */
export function follow(requests, receive, state = () => {}) {
  let socket;
  let timer;
  let delay = FIRST_DELAY;
  let ended = false;

  function open() {
    const scheme = location.protocol === "https:" ? "wss:" : "ws:";
    socket = new WebSocket(`${scheme}//${location.host}/api/v1/watch`);
    socket.onopen = () => {
      delay = FIRST_DELAY;
      state(true);
      for (const request of requests()) socket.send(JSON.stringify(request));
    };
    socket.onmessage = ({ data }) => receive(JSON.parse(data));
    socket.onclose = () => {
      if (ended) return;
      state(false);
      timer = setTimeout(open, delay * (0.5 + Math.random()));
      delay = Math.min(2 * delay, LONGEST_DELAY);
    };
  }

  open();
  return () => {
    ended = true;
    clearTimeout(timer);
    socket.close();
  };
}
