// SPDX-License-Identifier: GPL-3.0-or-later
// Parts of ships, and marks of shots, as the shapes of shapes.js; only pages with seas load them.

/** @type {import("./shapes.js").Shapes} */
export const SHIPS = {
  "ship left": [
    ["path", {"class": "body", "d": "M50 -30H-8C-28 -30 -44 -16 -44 0C-44 16 -28 30 -8 30H50Z"}]
  ],
  "ship across": [
    ["path", {"class": "body", "d": "M-50 -30H50V30H-50Z"}]
  ],
  "ship right": [
    ["path", {"class": "body", "d": "M-50 -30H8C28 -30 44 -16 44 0C44 16 28 30 8 30H-50Z"}]
  ],
  "ship top": [
    ["path", {"class": "body", "d": "M-30 50V-8C-30 -28 -16 -44 0 -44C16 -44 30 -28 30 -8V50Z"}]
  ],
  "ship down": [
    ["path", {"class": "body", "d": "M-30 -50V50H30V-50Z"}]
  ],
  "ship bottom": [
    ["path", {"class": "body", "d": "M-30 -50V8C-30 28 -16 44 0 44C16 44 30 28 30 8V-50Z"}]
  ],
  "hit ship left": [
    ["path", {"class": "body", "d": "M50 -30H-8C-28 -30 -44 -16 -44 0C-44 16 -28 30 -8 30H50Z"}],
    ["circle", {"class": "blast", "r": "18"}]
  ],
  "hit ship across": [
    ["path", {"class": "body", "d": "M-50 -30H50V30H-50Z"}],
    ["circle", {"class": "blast", "r": "18"}]
  ],
  "hit ship right": [
    ["path", {"class": "body", "d": "M-50 -30H8C28 -30 44 -16 44 0C44 16 28 30 8 30H-50Z"}],
    ["circle", {"class": "blast", "r": "18"}]
  ],
  "hit ship top": [
    ["path", {"class": "body", "d": "M-30 50V-8C-30 -28 -16 -44 0 -44C16 -44 30 -28 30 -8V50Z"}],
    ["circle", {"class": "blast", "r": "18"}]
  ],
  "hit ship down": [
    ["path", {"class": "body", "d": "M-30 -50V50H30V-50Z"}],
    ["circle", {"class": "blast", "r": "18"}]
  ],
  "hit ship bottom": [
    ["path", {"class": "body", "d": "M-30 -50V8C-30 28 -16 44 0 44C16 44 30 28 30 8V-50Z"}],
    ["circle", {"class": "blast", "r": "18"}]
  ],
  "wreck left": [
    ["path", {"class": "body", "fill-opacity": "0.35", "d": "M50 -30H-8C-28 -30 -44 -16 -44 0C-44 16 -28 30 -8 30H50Z"}],
    ["path", {"class": "sunk", "d": "M-22 -22L22 22M22 -22L-22 22"}]
  ],
  "wreck across": [
    ["path", {"class": "body", "fill-opacity": "0.35", "d": "M-50 -30H50V30H-50Z"}],
    ["path", {"class": "sunk", "d": "M-22 -22L22 22M22 -22L-22 22"}]
  ],
  "wreck right": [
    ["path", {"class": "body", "fill-opacity": "0.35", "d": "M-50 -30H8C28 -30 44 -16 44 0C44 16 28 30 8 30H-50Z"}],
    ["path", {"class": "sunk", "d": "M-22 -22L22 22M22 -22L-22 22"}]
  ],
  "wreck top": [
    ["path", {"class": "body", "fill-opacity": "0.35", "d": "M-30 50V-8C-30 -28 -16 -44 0 -44C16 -44 30 -28 30 -8V50Z"}],
    ["path", {"class": "sunk", "d": "M-22 -22L22 22M22 -22L-22 22"}]
  ],
  "wreck down": [
    ["path", {"class": "body", "fill-opacity": "0.35", "d": "M-30 -50V50H30V-50Z"}],
    ["path", {"class": "sunk", "d": "M-22 -22L22 22M22 -22L-22 22"}]
  ],
  "wreck bottom": [
    ["path", {"class": "body", "fill-opacity": "0.35", "d": "M-30 -50V8C-30 28 -16 44 0 44C16 44 30 28 30 8V-50Z"}],
    ["path", {"class": "sunk", "d": "M-22 -22L22 22M22 -22L-22 22"}]
  ],
  "splash": [
    ["circle", {"class": "splash", "r": "13"}]
  ],
  "blast": [
    ["circle", {"class": "blast", "r": "28"}]
  ],
  "sinking": [
    ["circle", {"class": "blast", "r": "28"}],
    ["circle", {"class": "around", "r": "40"}]
  ]
};
