// SPDX-License-Identifier: GPL-3.0-or-later
// The path prefix of the arena, and addresses below it. The code of pages writes paths without the prefix: view.js adds
// it to the links that pages draw and to requests, and the functions below add it elsewhere.

/** The path prefix behind a reverse proxy, such as "/arena"; "" for none. This file is at PREFIX/static/HASH/root.js. */
export const PREFIX = new URL("../..", import.meta.url).pathname.slice(0, -1);

/** The address of the arena, without a slash at its end. */
export const ARENA = location.origin + PREFIX;

/**
 * A path of the arena with the prefix; other addresses stay as they are.
 * @param {string} path
 */
export const prefixed = (path) => (path.startsWith("/") ? PREFIX + path : path);

/**
 * Open a page of the arena.
 * @param {string} path
 */
export const visit = (path) => location.assign(prefixed(path));

/** The path of this page, without the prefix. */
export const here = () => location.pathname.slice(PREFIX.length) || "/";

/**
 * The address of a WebSocket of the arena.
 * @param {string} path
 */
export const socketAddress = (path) => `${ARENA.replace(/^http/, "ws")}${path}`;
