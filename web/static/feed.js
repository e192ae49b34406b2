// SPDX-License-Identifier: GPL-3.0-or-later
// The spectators' stream: one WebSocket per page, with automatic reconnection; it requests only missing data. While the
// server does not answer, clocks stop and a banner shows.

import { socketAddress } from "./root.js";
import { t } from "./texts.js";
import { html, useEffect, useState } from "./view.js";
import { render } from "./vendor/preact.js";

const FIRST_DELAY = 500;
const LONGEST_DELAY = 15_000;
const REST = 10_000; // ms for which a hidden page keeps its stream
const MIND = 10_000; // ms between two looks whether the machine has slept
const SLEPT = 150_000; // ms: browsers call timers of hidden pages at least once a minute
const SOON = 1000; // ms: without an answer in this time, the page shows that it waits

const BANNERS = {
  live: "",
  lost: t`The connection to the arena is lost. The page stops the clocks and reconnects automatically.`,
  waiting: t`The arena has restarted. This match resumes when its game is ready.`,
};

/** @type {keyof typeof BANNERS} */
let now = "live";
/** @type {Set<(state: keyof typeof BANNERS) => void>} */
const listeners = new Set();

/**
 * Set the connection state: "live"; "lost"; or "waiting" (connected, but the server has not answered yet).
 * @param {keyof typeof BANNERS} state
 */
function connection(state) {
  if (state === now) return;
  now = state;
  for (const listen of listeners) listen(state);
  let banner = document.querySelector("#connection");
  if (!banner) {
    banner = document.createElement("div");
    banner.id = "connection";
    banner.setAttribute("role", "status");
    document.body.append(banner);
  }
  render(BANNERS[state] && html`<p>${BANNERS[state]}</p>`, banner);
}

/** Whether the connection is live. */
export function useLive() {
  const [state, setState] = useState(now);
  useEffect(() => {
    listeners.add(setState);
    setState(now);
    return () => void listeners.delete(setState);
  }, []);
  return state === "live";
}

/**
 * The delay after ``delay`` ms (exponential backoff).
 * @param {number} delay
 */
const longer = (delay) => Math.min(2 * delay, LONGEST_DELAY);

/**
 * ``requests()`` returns the messages to send each time the socket opens. ``receive(message, again)`` handles each
 * message; ``again()`` sends the requests once more, after a delay that grows. ``rests``: a page that is hidden for some
 * seconds closes the socket, and opens another when it is visible again. Returns a function that closes the stream;
 * its ``say`` sends a message at once if the stream is open.
 * @param {() => Protocol.SpectatorMessage[]} requests
 * @param {(message: Protocol.WatchMessage, again: () => void) => void} receive
 * @param {{ rests?: boolean }} [options]
 */
export function follow(requests, receive, { rests = false } = {}) {
  /** @type {WebSocket} */
  let socket;
  let [opening, asking, answering, resting] = [0, 0, 0, 0]; // timers
  let [delay, pause] = [FIRST_DELAY, FIRST_DELAY];

  function request() {
    for (const each of requests()) socket.send(JSON.stringify(each));
  }

  function again() {
    clearTimeout(asking);
    asking = setTimeout(() => socket.readyState === WebSocket.OPEN && request(), pause * (0.5 + Math.random()));
    pause = longer(pause);
  }

  function open() {
    socket = new WebSocket(socketAddress("/api/v1/watch"));
    socket.onopen = () => {
      [delay, pause] = [FIRST_DELAY, FIRST_DELAY];
      request();
      answering = setTimeout(() => connection("waiting"), SOON);
    };
    socket.onmessage = ({ data }) => {
      /** @type {Protocol.WatchMessage} */
      const message = JSON.parse(data);
      if (message.type !== "refused") {
        clearTimeout(answering);
        connection("live");
      }
      receive(message, again);
    };
    socket.onclose = () => {
      clearTimeout(asking);
      clearTimeout(answering);
      connection("lost");
      opening = setTimeout(open, delay * (0.5 + Math.random()));
      delay = longer(delay);
    };
  }

  function leave() {
    for (const timer of [opening, asking, answering, resting]) clearTimeout(timer);
    socket.onopen = socket.onmessage = socket.onclose = null;
    socket.close();
  }

  // a socket whose network has gone may never close by itself
  function renew() {
    leave();
    open();
  }

  let asleep = false;
  function look() {
    clearTimeout(resting);
    if (document.hidden) {
      resting = setTimeout(() => {
        asleep = true;
        leave();
      }, REST);
    } else if (asleep) {
      asleep = false;
      renew();
    }
  }

  // timers stand still while the machine sleeps, and the socket may be dead afterwards
  let awake = Date.now();
  const minding = setInterval(() => {
    const slept = Date.now() - awake > SLEPT;
    awake = Date.now();
    if (slept && !asleep) renew();
  }, MIND);

  open();
  addEventListener("online", renew);
  if (rests) document.addEventListener("visibilitychange", look);
  /** @param {Protocol.SpectatorMessage} message */
  const say = (message) => socket.readyState === WebSocket.OPEN && socket.send(JSON.stringify(message));
  const close = () => {
    clearInterval(minding);
    removeEventListener("online", renew);
    document.removeEventListener("visibilitychange", look);
    leave();
    connection("live");
  };
  return Object.assign(close, { say });
}
