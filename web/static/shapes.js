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
  ]
};
