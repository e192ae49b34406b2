// SPDX-License-Identifier: GPL-3.0-or-later
// Shapes of pieces: lists of SVG elements with attributes. The value is JSON, because the server reads it too (web/first_paint.py).

/** @typedef {Record<string, [string, Record<string, string>][]>} Shapes */
/** @type {Shapes} */
export const SHAPES = {
  "disc": [
    ["circle", {"class": "body", "r": "38"}],
    ["circle", {"class": "groove", "r": "28"}],
    ["circle", {"class": "groove", "r": "17"}]
  ],
  "plain disc": [
    ["circle", {"class": "body", "r": "40"}]
  ],
  "counter": [
    ["circle", {"class": "body", "r": "38"}],
    ["circle", {"class": "groove", "r": "26"}]
  ],
  "man": [
    ["circle", {"class": "body", "r": "43"}],
    ["circle", {"class": "groove", "r": "29"}]
  ],
  "crowned disc": [
    ["circle", {"class": "body", "r": "38"}],
    ["circle", {"class": "groove", "r": "33"}],
    ["path", {"class": "crown", "d": "M-24 15 L-27 -13 L-12 1 L0 -20 L12 1 L27 -13 L24 15 Z"}]
  ],
  "nought": [
    ["circle", {"class": "stroke", "r": "27"}]
  ],
  "cross": [
    ["path", {"class": "stroke", "d": "M-25 -25 L25 25 M25 -25 L-25 25"}]
  ],
  "token": [
    ["circle", {"class": "body", "r": "30"}]
  ],
  "stone": [
    ["circle", {"class": "body", "r": "46"}]
  ],
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
  "tile": [
    ["rect", {"class": "body", "x": "-48.5", "y": "-48.5", "width": "97", "height": "97"}]
  ],
  "crossed tile": [
    ["rect", {"class": "body", "x": "-48.5", "y": "-48.5", "width": "97", "height": "97"}],
    ["path", {"class": "groove", "d": "M-25 -25 L25 25 M25 -25 L-25 25"}]
  ],
  "one": [
    ["rect", {"class": "body", "x": "-34", "y": "-34", "width": "68", "height": "68", "rx": "14"}],
    ["circle", {"class": "pip", "cx": "0", "cy": "0", "r": "7"}]
  ],
  "two": [
    ["rect", {"class": "body", "x": "-34", "y": "-34", "width": "68", "height": "68", "rx": "14"}],
    ["circle", {"class": "pip", "cx": "20", "cy": "-20", "r": "7"}],
    ["circle", {"class": "pip", "cx": "-20", "cy": "20", "r": "7"}]
  ],
  "three": [
    ["rect", {"class": "body", "x": "-34", "y": "-34", "width": "68", "height": "68", "rx": "14"}],
    ["circle", {"class": "pip", "cx": "20", "cy": "-20", "r": "7"}],
    ["circle", {"class": "pip", "cx": "0", "cy": "0", "r": "7"}],
    ["circle", {"class": "pip", "cx": "-20", "cy": "20", "r": "7"}]
  ],
  "four": [
    ["rect", {"class": "body", "x": "-34", "y": "-34", "width": "68", "height": "68", "rx": "14"}],
    ["circle", {"class": "pip", "cx": "-20", "cy": "-20", "r": "7"}],
    ["circle", {"class": "pip", "cx": "20", "cy": "-20", "r": "7"}],
    ["circle", {"class": "pip", "cx": "-20", "cy": "20", "r": "7"}],
    ["circle", {"class": "pip", "cx": "20", "cy": "20", "r": "7"}]
  ],
  "five": [
    ["rect", {"class": "body", "x": "-34", "y": "-34", "width": "68", "height": "68", "rx": "14"}],
    ["circle", {"class": "pip", "cx": "-20", "cy": "-20", "r": "7"}],
    ["circle", {"class": "pip", "cx": "20", "cy": "-20", "r": "7"}],
    ["circle", {"class": "pip", "cx": "0", "cy": "0", "r": "7"}],
    ["circle", {"class": "pip", "cx": "-20", "cy": "20", "r": "7"}],
    ["circle", {"class": "pip", "cx": "20", "cy": "20", "r": "7"}]
  ],
  "six": [
    ["rect", {"class": "body", "x": "-34", "y": "-34", "width": "68", "height": "68", "rx": "14"}],
    ["circle", {"class": "pip", "cx": "-20", "cy": "-20", "r": "7"}],
    ["circle", {"class": "pip", "cx": "20", "cy": "-20", "r": "7"}],
    ["circle", {"class": "pip", "cx": "-20", "cy": "0", "r": "7"}],
    ["circle", {"class": "pip", "cx": "20", "cy": "0", "r": "7"}],
    ["circle", {"class": "pip", "cx": "-20", "cy": "20", "r": "7"}],
    ["circle", {"class": "pip", "cx": "20", "cy": "20", "r": "7"}]
  ],
  "card back": [
    ["rect", {"class": "body", "x": "-40", "y": "-47", "width": "80", "height": "94", "rx": "10"}],
    ["rect", {"class": "groove", "x": "-30", "y": "-37", "width": "60", "height": "74", "rx": "6"}],
    ["path", {"class": "groove", "d": "M0 -26 L18 0 L0 26 L-18 0 Z"}]
  ]
};
