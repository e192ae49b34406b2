// SPDX-License-Identifier: GPL-3.0-or-later
// The heading of a match: game, conditions, tournament, the score of the players' series, and neighbouring matches.

import { useAnswer } from "../asking.js";
import { control, count, half, named } from "../format.js";
import { plural, t, translated } from "../texts.js";
import { html } from "../view.js";

const ASKED = [0, 2, 4, 6, 8, 12, 16, 24, 40]; // plies after which the page asks for the opening

/**
 * ``event``: the name of the tournament; ``trouble``: a message about missing moves; ``plies``: the number of moves.
 * @param {{ record: Api.MatchDetailAnswer & { title: string, event: string | null }, seen: Protocol.Seen, trouble: string, plies: number, closed: boolean }} props
 */
export function Heading({ record, seen, trouble, plies, closed }) {
  return html`
    <div>
      <h1><a href=${`/games/${record.game}`}>${translated(record.title)}</a></h1>
      <p class="muted">
        ${record.rated ? t`Rated` : t`Unrated`} · ${control(record.time_control)}${record.time_class === "instructions" ? "" : ` ${translated(record.time_class)}`} · ${t`match ${record.id}`}
        ${record.same_owner && ` · ${t`both bots have the same owner`}`}
        ${record.anonymous && !seen.ending && ` · ${t`player names are hidden until the match ends`}`}
        ${trouble && html` · <span role="status">${trouble}</span>`}
      </p>
      <${Series} record=${record} seen=${seen} />
      <${Opening} id=${closed ? null : record.id} plies=${plies} />
    </div>
  `;
}

/**
 * The address of all matches of the players.
 * @param {Protocol.Seen} seen
 */
const versus = ({ game, players: [one, other] }) => `/bots/${one.bot}/versus/${other.bot}?${new URLSearchParams({ game })}`;

/** @param {{ record: Api.MatchDetailAnswer & { event: string | null }, seen: Protocol.Seen }} props */
function Series({ record, seen }) {
  // the score counts this match once it is over
  const over = seen.ending != null;
  const [found] = useAnswer(`/api/v1/matches/${record.id}/series${over ? "" : "?"}`);
  const games = found ? found.wins + found.draws + found.losses : 0;
  const [one, other] = seen.players.map(named);
  /** @type {[string, string, number | null | undefined][]} */
  const links = [
    [t`Twin`, t`The same opening with swapped sides`, found?.twin],
    [t`← Previous`, t`Previous match of these players`, found?.previous],
    [t`Next →`, t`Next match of these players`, found?.next],
  ];
  return html`
    <p class="series muted">
      ${record.event && html`<a class="ellipsis" href=${`/tournaments/${record.tournament}`} title=${record.event}>${record.event}</a>`}
      ${record.event && record.round && html`<span>round ${record.round}</span>`}
      ${games > 1 && found && html`<a class="ellipsis spoiler" href=${versus(seen)} title=${t`The newest ${games} matches between ${one} and ${other}`}>
        <bdi>${one}</bdi> ${half(found.wins + found.draws / 2)} – ${half(found.losses + found.draws / 2)} <bdi>${other}</bdi>
      </a>`}
      ${links.map(([text, title, number]) => number != null && html`<a href=${`/matches/${number}`} title=${title}>${text}</a>`)}
    </p>
  `;
}

/**
 * The opening: its name in chess, and how many of the newest matches of the game begin with its moves. A page of a live
 * match asks anew after some of the first moves, not after each. ``id``: null while the moves are hidden.
 * @param {{ id: number | null, plies: number }} props
 */
function Opening({ id, plies }) {
  const [found] = useAnswer(id == null ? null : `/api/v1/matches/${id}/opening`, ASKED.findLast((ply) => ply <= plies));
  const moves = found?.moves ?? [];
  const name = found?.name ? `${found.eco} ${found.name}` : "";
  const line = moves.join(" ");
  const played = found?.matches ? plural(found.among, "in {1} of {0} match", "in {1} of the newest {0} matches", count(found.matches)) : "";
  const told = name || (played && line) ? [name || line, played].filter(Boolean).join(" · ") : "";
  return html`<p class="opening-name muted ellipsis" title=${told && [told, name && line].filter(Boolean).join(": ")}>${told && t`Opening: ${told}`}</p>`;
}
