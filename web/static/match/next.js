// SPDX-License-Identifier: GPL-3.0-or-later
// The match to watch next, on the page of a live match that has ended.

import { named } from "../format.js";
import { visit } from "../root.js";
import { t } from "../texts.js";
import { ask, html, useEffect, useState } from "../view.js";

const AFTER = 5; // seconds until the page shows the next match
const WANTED = "arena-watch-next";

/**
 * After a live match: the next live match of its tournament or game. If the viewer wants that, the page shows it after
 * some seconds; the browser remembers the choice.
 * @param {{ record: Api.MatchDetailAnswer }} props
 */
export function WatchNext({ record }) {
  const [next, setNext] = useState(/** @type {Api.MatchAnswer | null} */ (null));
  const [going, setGoing] = useState(() => localStorage.getItem(WANTED) === "yes");
  const [left, setLeft] = useState(AFTER);
  useEffect(() => {
    const among = record.tournament == null ? `game=${encodeURIComponent(record.game)}` : `tournament=${record.tournament}`;
    ask(/** @type {"/api/v1/matches"} */ (`/api/v1/matches?status=live&limit=5&${among}`)).then(
      ({ items }) => setNext(items.find(({ id }) => id !== record.id) ?? null),
      () => {}, // the page stays
    );
  }, []);
  useEffect(() => {
    if (!next || !going) return undefined;
    if (left === 0) {
      visit(`/matches/${next.id}`);
      return undefined;
    }
    const timer = setTimeout(() => setLeft(left - 1), 1000);
    return () => clearTimeout(timer);
  }, [next, left, going]);
  if (!next) return null;
  const [one, other] = next.players.map(named);
  const choose = () => {
    localStorage.setItem(WANTED, going ? "no" : "yes");
    setLeft(AFTER);
    setGoing(!going);
  };
  return html`
    <p class="next-match surface">
      <a class="ellipsis" href=${`/matches/${next.id}`}>Next: <bdi>${one}</bdi> – <bdi>${other}</bdi></a>
      ${going && html`<span class="muted number">in ${left} s</span>`}
      <button onClick=${choose}>${going ? t`Stay here` : t`Watch next automatically`}</button>
    </p>
  `;
}
