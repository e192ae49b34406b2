// SPDX-License-Identifier: GPL-3.0-or-later
// The end of the header: the menu of the account that is signed in. For other visitors, the link to sign in stays.

import { here, prefixed, visit } from "../root.js";
import { t, withTexts } from "../texts.js";
import { element, html, messageOf, useState } from "../view.js";
import { render } from "../vendor/preact.js";
import { forget, hinted, remembered, signedIn } from "./signed_in.js";

const SIGN_IN = "/sign-in";
const THEME = "arena-theme"; // which theme.js reads
const link = /** @type {HTMLAnchorElement} */ (element(`.corner > a[href="${prefixed(SIGN_IN)}"]`));
const corner = /** @type {HTMLElement} */ (link.parentElement);

/** @type {[string, string][]} */
const LINKS = [["/my-bots", t`My bots`], ["/account", t`Account`]];

/** @param {{ account: import("./signed_in.js").Known }} props */
function Menu({ account: { name, role } }) {
  const [problem, setProblem] = useState(/** @type {string | null} */ (null));
  const signOut = async () => {
    try {
      const { post } = await withTexts("accounts/requests.js", () => import("./requests.js"));
      const theme = localStorage.getItem(THEME);
      await post("/api/v1/sessions/end"); // its answer empties the storage
      forget();
      if (theme) localStorage.setItem(THEME, theme);
      visit("/");
    } catch (error) {
      setProblem(messageOf(error));
    }
  };
  const links = role === "administrator" ? [...LINKS, ["/administration", t`Administration`]] : LINKS;
  return html`
    <details class="menu account">
      <summary title=${name}><span class="initial" aria-hidden="true">${[...name][0]?.toUpperCase()}</span><span class="visually-hidden">Account menu of </span><bdi class="ellipsis">${name}</bdi></summary>
      <div class="surface">
        ${links.map(([path, label]) => html`<a key=${path} href=${path} aria-current=${path === here() ? "page" : null}>${label}</a>`)}
        <button type="button" onClick=${signOut}>Sign out</button>
        <div role="alert">${problem && html`<p class="loss small">✗ ${problem}</p>`}</div>
      </div>
    </details>
  `;
}

/** @param {import("./signed_in.js").Known} account */
function showMenu(account) {
  link.remove();
  render(html`<${Menu} account=${account} />`, corner);
}

function showLink() {
  render(null, corner);
  corner.append(link);
}

const path = here() + location.search;
if (!["/", SIGN_IN, "/sign-up", "/reset-password"].includes(here())) link.search = String(new URLSearchParams({ next: path }));
const known = remembered();
if (known) showMenu(known);
const account = await signedIn();
if (account) showMenu(account);
else if (known && !hinted()) showLink();
