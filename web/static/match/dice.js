// SPDX-License-Identifier: GPL-3.0-or-later
// The commitment to the secret of the dice, and the secret once the match is over; only matches with dice load it.
// A page that is open on a sealed match shows the cards when the server opens them.

import { follow } from "../feed.js";
import { wholeRecord } from "../moves.js";
import { t } from "../texts.js";
import { ask, html, useEffect } from "../view.js";

const SPREAD = 2000; // ms: pages load the opened match after a random delay up to this

/**
 * Follow the tournament of a sealed match until the match is open; returns a function that stops.
 * @param {Api.MatchDetailAnswer} record
 * @param {(record: Api.MatchDetailAnswer) => void} open
 */
function awaited({ id, tournament }, open) {
  let opened = false;
  const look = async () => {
    if (opened) return;
    /** @type {Api.MatchDetailAnswer} */
    const now = await ask(`/api/v1/matches/${id}?limit=1`);
    if (now.sealed_until) return;
    opened = true;
    stop();
    const load = () => wholeRecord(id).then(open, () => setTimeout(load, SPREAD));
    setTimeout(load, SPREAD * Math.random());
  };
  let looking = Promise.resolve(); // one look after the other, so that the last one is later than the last change
  const stop = follow(
    () => [{ type: "follow-tournament", tournament: tournament ?? 0 }],
    (_, again) => void (looking = looking.then(look).catch(again)),
    { rests: true },
  );
  return stop;
}

/** @param {{ seen: Protocol.Seen, record: Api.MatchDetailAnswer, act: (action: import("./state.js").Action) => void }} props */
export function Dice({ seen, record, act }) {
  const secret = seen.ending?.dice_secret;
  const sealed = seen.ending?.sealed_until;
  useEffect(() => (sealed ? awaited(record, (opened) => act({ type: "record", record: opened })) : undefined), [sealed]);
  return html`
    ${sealed && html`<p class="muted">Another match of the tournament has the same rolls or cards. This page shows the secret and all hidden cards when game ${sealed} is over; until then it shows what spectators could see.</p>`}
    <details class="dice small muted">
      <summary>Dice</summary>
      <p>Commitment, published at the start of the match (a hash of the secret that determines the rolls): <code>${seen.dice_commitment}</code></p>
      <p>${secret ? html`Secret: <code>${secret}</code>` : sealed ? t`The server publishes the secret after game ${sealed} of the tournament.` : t`The server publishes the secret of the dice after the match.`}</p>
    </details>
  `;
}
