// SPDX-License-Identifier: GPL-3.0-or-later
// Parts of the pages that show quarantines: the matches, and the button that ends one.

import { ConfirmedButton } from "../accounts/forms.js";
import { post } from "../accounts/requests.js";
import { t } from "../texts.js";
import { html } from "../view.js";

/** @param {{ quarantine: { matches: number[] } }} props */
export const Matches = ({ quarantine }) =>
  html`${quarantine.matches.map((match, place) => html`${place > 0 && ", "}<a class="underlined" key=${match} href=${`/matches/${match}`}>match ${match}</a>`)}`;

/** @param {{ bot: { id: number, name: string }, lifted: () => Promise<unknown> }} props */
export function Lift({ bot, lifted }) {
  const act = async () => {
    await post(`/api/v1/bots/${bot.id}/quarantine/lift`);
    await lifted();
  };
  return html`<${ConfirmedButton} label="Put back on the ladder" named=${t`Put back on the ladder: ${bot.name}`} title="End the quarantine?" text=${t`“${bot.name}” plays rated matches again. The count of its failures starts from zero.`} yes="Put back" act=${act} />`;
}
