// SPDX-License-Identifier: GPL-3.0-or-later
// The page of an arena without documentation.

import { Command } from "../command.js";
import "../shell.js";
import { firstData, html, show } from "../view.js";

/** @type {{ checkout: boolean }} */
const { checkout } = firstData();

show(html`
  <div class="empty prose">
    <h1>Documentation</h1>
    ${
      checkout
        ? html`<p>The documentation of this arena is not built yet. Run this command in the checkout, then load this page again:</p><${Command} text=${"make docs"} />`
        : html`<p class="muted">This installation of the arena contains no documentation. It is in the folder docs of the checkout.</p>`
    }
  </div>
`);
