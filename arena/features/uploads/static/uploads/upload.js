// SPDX-License-Identifier: GPL-3.0-or-later
// The upload of a file, with its progress.

import { Refusal, refusalOf, UNREACHABLE } from "../accounts/requests.js";
import { prefixed } from "../root.js";

/**
 * Send a file as a new version of a bot. ``progress`` hears the share that is sent. Throws a Refusal.
 * @param {number} bot
 * @param {File} file
 * @param {string[]} games
 * @param {(share: number) => void} progress
 * @returns {Promise<{ bot: number, version: number, state: string }>}
 */
export function upload(bot, file, games, progress) {
  const query = new URLSearchParams({ file: file.name, ...(games.length > 0 && { games: games.join(",") }) });
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest(); // fetch does not report the progress of a body
    request.open("POST", prefixed(`/api/v1/bots/${bot}/versions?${query}`));
    request.setRequestHeader("accept", "application/json");
    request.setRequestHeader("content-type", "application/octet-stream");
    request.upload.addEventListener("progress", ({ loaded, total }) => total > 0 && progress(loaded / total));
    request.addEventListener("error", () => reject(new Refusal(UNREACHABLE, 0, "")));
    request.addEventListener("load", () => {
      let answer = null;
      try {
        answer = JSON.parse(request.responseText);
      } catch {
        // an answer without JSON is not of the arena
      }
      if (request.status < 400 && answer) resolve(answer);
      else reject(refusalOf({ status: request.status, retryAfter: request.getResponseHeader("Retry-After"), answer }));
    });
    request.send(file);
  });
}
