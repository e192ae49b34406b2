// SPDX-License-Identifier: GPL-3.0-or-later
// Faces of dice.

/** The shapes of the faces, from 1 on. */
export const FACES = ["one", "two", "three", "four", "five", "six"];

/**
 * A face of a die in the tone of a seat.
 * @param {number} face
 * @param {number} seat
 * @returns {{ shape: string, tone: Api.PieceAnswer["tone"] }}
 */
export const dieOf = (face, seat) => ({ shape: FACES[face - 1], tone: seat ? "light" : "dark" });
