// SPDX-License-Identifier: GPL-3.0-or-later
// Shapes of playing cards, as those of shapes.js; only pages with cards load them.

/** @type {import("./shapes.js").Shapes} */
export const PLAYING_CARDS = {
  "blank card": [
    ["rect", {"class": "card", "x": "-40", "y": "-47", "width": "80", "height": "94", "rx": "10"}]
  ],
  "spade": [
    ["rect", {"class": "card", "x": "-40", "y": "-47", "width": "80", "height": "94", "rx": "10"}],
    ["path", {"class": "suit", "d": "M0 -4 C6 8 28 14 28 28 C28 38 14 40 6 32 L10 43 L-10 43 L-6 32 C-14 40 -28 38 -28 28 C-28 14 -6 8 0 -4 Z"}]
  ],
  "heart": [
    ["rect", {"class": "card", "x": "-40", "y": "-47", "width": "80", "height": "94", "rx": "10"}],
    ["path", {"class": "suit", "d": "M0 43 C-6 32 -28 22 -28 7 C-28 -5 -8 -8 0 6 C8 -8 28 -5 28 7 C28 22 6 32 0 43 Z"}]
  ],
  "diamond": [
    ["rect", {"class": "card", "x": "-40", "y": "-47", "width": "80", "height": "94", "rx": "10"}],
    ["path", {"class": "suit", "d": "M0 -4 L22 20 L0 44 L-22 20 Z"}]
  ],
  "club": [
    ["rect", {"class": "card", "x": "-40", "y": "-47", "width": "80", "height": "94", "rx": "10"}],
    ["circle", {"class": "suit", "cx": "0", "cy": "8", "r": "12"}],
    ["circle", {"class": "suit", "cx": "-14", "cy": "25", "r": "12"}],
    ["circle", {"class": "suit", "cx": "14", "cy": "25", "r": "12"}],
    ["path", {"class": "suit", "d": "M-4 12 L4 12 L5 30 L10 43 L-10 43 L-5 30 Z"}]
  ],
  "card back": [
    ["rect", {"class": "body", "x": "-40", "y": "-47", "width": "80", "height": "94", "rx": "10"}],
    ["rect", {"class": "groove", "x": "-30", "y": "-37", "width": "60", "height": "74", "rx": "6"}],
    ["path", {"class": "groove", "d": "M0 -26 L18 0 L0 26 L-18 0 Z"}]
  ]
};
