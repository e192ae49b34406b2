# SPDX-License-Identifier: GPL-3.0-or-later
"""Plots of a run of breeding: the weights over generations beside the standard ones, and their deviations.

Needs matplotlib, which the extra "plots" brings.
"""

from collections.abc import Sequence
from pathlib import Path

from bots.evolution.breeding import Bred, Breed
from bots.evolution.population import deviations, means

SUFFIXES = (".svg", ".png", ".pdf")
BAND_OPACITY = 0.15


class NoMatplotlib(Exception):
    """matplotlib is not installed; the message says what to do, for people."""


def draw(path: Path, breed: Breed, run: Sequence[Bred]) -> None:
    """Draw the weights of a run, σ as bands, and σ by itself; the standard values are dashed lines.

    Raises NoMatplotlib, ValueError when the file's name ends in none of SUFFIXES, and OSError.
    """
    if path.suffix not in SUFFIXES:
        raise ValueError(f"{path} ends in none of {', '.join(SUFFIXES)}")
    try:
        import matplotlib
    except ImportError:
        raise NoMatplotlib("plots need matplotlib: pip install matplotlib") from None
    from matplotlib.figure import Figure

    schema = breed.genes
    generations = [one.population.generation for one in run]
    centres = [means(one.population.members) for one in run]
    spreads = [deviations(one.population.members) for one in run]
    # the same file for the same run
    with matplotlib.rc_context({"svg.hashsalt": "bot-arena", "svg.fonttype": "none"}):
        figure = Figure(figsize=(9, 8), layout="constrained")
        weights, sigma = figure.subplots(2, 1, sharex=True, height_ratios=(3, 1))
        for number, place in enumerate(schema.free):
            gene, colour = schema.genes[place], f"C{number}"
            mean = [centre[place] for centre in centres]
            spread = [one[place] for one in spreads]
            low, high = ([m + side * s for m, s in zip(mean, spread, strict=True)] for side in (-1, 1))
            weights.plot(generations, mean, color=colour, label=gene.name)
            weights.fill_between(generations, low, high, color=colour, alpha=BAND_OPACITY, linewidth=0)
            weights.axhline(gene.standard, color=colour, linestyle="--", linewidth=0.8)
            sigma.plot(generations, spread, color=colour)
        weights.set_ylabel("mean ± σ; dashed: standard")
        weights.set_title(f"{schema.name}, {breed.dynamics}, seed {breed.seed}")
        weights.legend(ncols=3, fontsize="small")
        sigma.set_ylabel("σ")
        sigma.set_xlabel("generation")
        figure.savefig(path, metadata={"Date": None} if path.suffix == ".svg" else None)
