// SPDX-License-Identifier: GPL-3.0-or-later
// Shapes of chessmen, as those of shapes.js; only pages with a board of chess load them.

/** @type {import("./shapes.js").Shapes} */
export const CHESSMEN = {
  "pawn": [
    ["path", {"class": "body man", "d": "M-23 38H23V32C23 26 14 25 11 18C9 12 8 7 8 2H12C15 2 15 -5 12 -5H9.5A14 14 0 1 0 -9.5 -5H-12C-15 -5 -15 2 -12 2H-8C-8 7 -9 12 -11 18C-14 25 -23 26 -23 32Z"}],
    ["path", {"class": "groove", "d": "M-8 2H8"}]
  ],
  "rook": [
    ["path", {"class": "body man", "d": "M-27 38H27V31L20 26L16 20L14 -7L21 -13V-33H12V-26H5V-33H-5V-26H-12V-33H-21V-13L-14 -7L-16 20L-20 26L-27 31Z"}],
    ["path", {"class": "groove", "d": "M-14 -7H14 M-16 20H16"}]
  ],
  "knight": [
    ["path", {"class": "body man", "d": "M-17 38H27C30 14 25 -19 4 -28L0 -37L-7 -28C-17 -23 -23 -11 -30 2C-34 9 -28 17 -21 15C-15 13 -11 9 -4 9C-3 18 -17 22 -17 38Z"}],
    ["path", {"class": "groove", "d": "M-12 -14V-14 M-26 7V7 M6 -20C17 -11 20 6 19 24"}]
  ],
  "bishop": [
    ["path", {"class": "body man", "d": "M-27 38H27C26 31 14 32 9 26L11 16C23 8 20 -10 4 -25A6.5 6.5 0 1 0 -4 -25C-20 -10 -23 8 -11 16L-9 26C-14 32 -26 31 -27 38Z"}],
    ["path", {"class": "groove", "d": "M8 -11L0 0 M-11 16H11 M-9 26H9"}]
  ],
  "queen": [
    ["path", {"class": "body man", "d": "M-24 38H24V32L20 22L31 -9A5 5 0 1 0 26 -11L17 2L18 -20A5 5 0 1 0 12.5 -21L6 0L2.5 -26A5 5 0 1 0 -2.5 -26L-6 0L-12.5 -21A5 5 0 1 0 -18 -20L-17 2L-26 -11A5 5 0 1 0 -31 -9L-20 22L-24 32Z"}],
    ["path", {"class": "groove", "d": "M-20 22C-8 18 8 18 20 22 M-22 30C-8 26 8 26 22 30"}]
  ],
  "king": [
    ["path", {"class": "body man", "d": "M-24 38H24V32L20 21C35 8 34 -13 19 -13C14 -13 10 -11 7 -8C6 -13 5 -16 3.5 -18V-25H10V-32H3.5V-39H-3.5V-32H-10V-25H-3.5V-18C-5 -16 -6 -13 -7 -8C-10 -11 -14 -13 -19 -13C-34 -13 -35 8 -20 21L-24 32Z"}],
    ["path", {"class": "groove", "d": "M-7 -8C-3 -4 0 2 0 12C0 2 3 -4 7 -8 M-20 21C-8 17 8 17 20 21 M-22 30C-8 26 8 26 22 30"}]
  ]
};
