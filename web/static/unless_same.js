// SPDX-License-Identifier: GPL-3.0-or-later
// Components that are drawn again only when their properties change.

import { Component } from "./vendor/preact.js";
import { html } from "./view.js";

/**
 * The component that is drawn again only when one of its properties is another. A drawing that useMemo kept would keep
 * all earlier ones in memory, since each knows the page that it was part of.
 * @template {object} Props
 * @param {import("preact").FunctionComponent<Props>} Drawn
 * @returns {import("preact").ComponentClass<Props>}
 */
export const unlessSame = (Drawn) =>
  /** @extends {Component<Props>} */
  class extends Component {
    /** @param {Readonly<Props>} next */
    shouldComponentUpdate(next) {
      return /** @type {(keyof Props)[]} */ (Object.keys(next)).some((name) => next[name] !== this.props[name]);
    }

    render() {
      return html`<${Drawn} ...${this.props} />`;
    }
  };
