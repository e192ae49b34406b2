// SPDX-License-Identifier: GPL-3.0-or-later
// Buttons that copy the shown position and the file of a match, and links to its files.

import { prefixed } from "../root.js";
import { t } from "../texts.js";
import { ask, html, messageOf, Problem, useState } from "../view.js";
import { copied, CopyButton } from "./replay.js";

export { Downloads } from "../parts.js";

/**
 * Buttons that copy the position, and the file of a finished match. ``formats``: of files, besides JSON lines;
 * ``observation``: in the view of a seat, what it saw of the position.
 * @param {{ id: number, game: string, ply: number, line: string[], observation: string | null, formats: string[], address: (format: string) => string }} props
 */
export function Copies({ id, game, ply, line, observation, formats, address }) {
  const [problem, setProblem] = useState(/** @type {string | null} */ (null));
  /** @param {() => Promise<string>} text */
  const copying = (text) => async () => {
    const found = await text().catch((error) => void setProblem(messageOf(error)));
    if (found == null) return false;
    setProblem(null);
    return copied(found);
  };
  const moves = line.length ? `&moves=${encodeURIComponent(line.join(","))}` : "";
  const position = async () => observation ?? (await ask(/** @type {`/api/v1/matches/${number}/position`} */ (`/api/v1/matches/${id}/position?ply=${ply}${moves}`))).position;
  /** @param {string} format */
  const file = async (format) => {
    const response = await fetch(prefixed(address(format)));
    if (!response.ok) throw new Error(t`The server answered with status ${response.status}.`);
    return response.text();
  };
  return html`
    <${CopyButton} copy=${copying(position)} label="Copy the position as text">${game === "chess" ? t`Copy FEN` : t`Copy position`}<//>
    ${formats.filter((format) => format !== "jsonl").map((format) => html` <${CopyButton} key=${format} copy=${copying(() => file(format))} label=${t`Copy the match as ${format.toUpperCase()}`}>Copy ${format.toUpperCase()}<//>`)}
    <${Problem} text=${problem} />
  `;
}
