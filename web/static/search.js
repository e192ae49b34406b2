// SPDX-License-Identifier: GPL-3.0-or-later
// Search over bots, tournaments and matches: a dialog with a box and a list of links. The shell loads it when it opens.

import { visit } from "./root.js";
import { t } from "./texts.js";
import { Problem, ask, html, messageOf, useEffect, useState } from "./view.js";
import { render } from "./vendor/preact.js";

const PAUSE = 150; // ms after the last key before the request

/** @typedef {{ href: string, name: string, kind: string }} Found */

/**
 * The links of an answer, in the order of the list.
 * @param {Api.SearchAnswer} answer
 * @returns {Found[]}
 */
const links = ({ bots, tournaments, match }) => [
  ...(match == null ? [] : [{ href: `/matches/${match}`, name: t`Match ${match}`, kind: t`match` }]),
  ...bots.map(({ id, name }) => ({ href: `/bots/${id}`, name, kind: t`bot` })),
  ...tournaments.map(({ id, name }) => ({ href: `/tournaments/${id}`, name, kind: t`tournament` })),
];

/**
 * The links found for a text (null before the first answer), and an error message.
 * @param {string} text
 * @returns {[Found[] | null, string]}
 */
function useFound(text) {
  const [found, setFound] = useState(/** @type {Found[] | null} */ (null));
  const [problem, setProblem] = useState("");
  useEffect(() => {
    if (!text) {
      setFound(null);
      return undefined;
    }
    let stale = false;
    const request = async () => {
      try {
        const answer = await ask(`/api/v1/search?text=${encodeURIComponent(text)}`);
        if (stale) return;
        setFound(links(answer));
        setProblem("");
      } catch (error) {
        if (!stale) setProblem(messageOf(error));
      }
    };
    const timer = setTimeout(request, PAUSE);
    return () => {
      stale = true;
      clearTimeout(timer);
    };
  }, [text]);
  return [found, problem];
}

function Search() {
  const [written, setWritten] = useState("");
  const [chosen, setChosen] = useState(0);
  const text = written.trim();
  const [found, problem] = useFound(text);
  const current = found?.length ? Math.min(chosen, found.length - 1) : -1;
  /** @param {Event & { currentTarget: HTMLInputElement }} event */
  const write = (event) => {
    setWritten(event.currentTarget.value);
    setChosen(0);
  };
  /** @param {KeyboardEvent & { currentTarget: HTMLInputElement }} event */
  const press = (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step && found?.length) {
      event.preventDefault();
      setChosen((current + step + found.length) % found.length);
    } else if (event.key === "Enter" && found && current >= 0) {
      event.preventDefault();
      visit(found[current].href);
    } else if (event.key === "Escape") {
      event.preventDefault(); // browsers would only empty the box
      event.currentTarget.closest("dialog")?.close();
    }
  };
  return html`
    <label class="visually-hidden" for="search-text">Search bots, tournaments and matches</label>
    <input id="search-text" type="search" autofocus autocomplete="off" maxlength="100" placeholder="Bot, tournament, or number of a match"
      role="combobox" aria-expanded=${String(current >= 0)} aria-controls="search-found" aria-activedescendant=${current < 0 ? null : `found-${current}`}
      value=${written} onInput=${write} onKeyDown=${press} />
    <ul id="search-found" role="listbox" aria-label="Found">
      ${(found ?? []).map(
        ({ href, name, kind }, index) => html`<li key=${href} id=${`found-${index}`} role="option" aria-selected=${String(index === current)}>
          <a href=${href} tabindex="-1"><bdi class="ellipsis" title=${name}>${name}</bdi><span class="muted small">${kind}</span></a>
        </li>`,
      )}
    </ul>
    <p class="muted small" role="status">${text && found && !found.length ? t`No name contains “${text}”.` : ""}</p>
    <${Problem} text=${problem} />
  `;
}

/** Open the dialog, empty, with the focus in its box. */
export function open() {
  const dialog = document.createElement("dialog");
  dialog.className = "search";
  dialog.setAttribute("aria-label", t`Search`);
  dialog.addEventListener("click", ({ target }) => target === dialog && dialog.close());
  dialog.addEventListener("close", () => {
    render(null, dialog);
    dialog.remove();
  });
  document.body.append(dialog);
  render(html`<${Search} />`, dialog);
  dialog.showModal();
}
