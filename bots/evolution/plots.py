# SPDX-License-Identifier: GPL-3.0-or-later
"""Plots of a run of breeding by generation: weights, scores against a rival, or shares of strategies.

Needs matplotlib, which the extra "plots" brings.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from bots.evolution.breeding import Bred, Breed
from bots.evolution.genome import Kind
from bots.evolution.population import deviations, means

SUFFIXES = (".svg", ".png", ".pdf")
BAND_OPACITY = 0.15


class NoMatplotlib(Exception):
    """matplotlib is not installed; the message says what to do, for people."""


def draw(path: Path, breed: Breed, run: Sequence[Bred]) -> None:
    """Draw a run. Standard weights are dashed lines, σ are bands and lines by themselves.

    Raises NoMatplotlib, ValueError when the file's name ends in none of SUFFIXES, and OSError.
    """
    if path.suffix not in SUFFIXES:
        raise ValueError(f"{path} ends in none of {', '.join(SUFFIXES)}")
    try:
        import matplotlib
    except ImportError:
        raise NoMatplotlib("plots need matplotlib: pip install matplotlib") from None
    from matplotlib.figure import Figure

    # the same file for the same run
    with matplotlib.rc_context({"svg.hashsalt": "bot-arena", "svg.fonttype": "none"}):
        figure = Figure(figsize=(9, 8), layout="constrained")
        title = f"{breed.genes.name}, {breed.dynamics}, seed {breed.seed}"
        if breed.matrix is not None:
            figure.set_size_inches(9, 5)
            _draw_shares(figure, title, breed.genes, run)
        elif breed.dynamic.rounds is None:
            _draw_weights(figure, title, breed.genes, run)
        else:
            figure.set_size_inches(9, 5)
            _draw_scores(figure, title, run)
        figure.savefig(path, metadata={"Date": None} if path.suffix == ".svg" else None)


def _draw_weights(figure: Any, title: str, kind: Kind, run: Sequence[Bred]) -> None:
    generations = [one.population.generation for one in run]
    centres = [means(one.population.members) for one in run]
    spreads = [deviations(one.population.members) for one in run]
    weights, sigma = figure.subplots(2, 1, sharex=True, height_ratios=(3, 1))
    for number, place in enumerate(kind.free):
        gene, colour = kind.genes[place], f"C{number}"
        mean = [centre[place] for centre in centres]
        spread = [one[place] for one in spreads]
        low, high = ([m + side * s for m, s in zip(mean, spread, strict=True)] for side in (-1, 1))
        weights.plot(generations, mean, color=colour, label=gene.name)
        weights.fill_between(generations, low, high, color=colour, alpha=BAND_OPACITY, linewidth=0)
        weights.axhline(gene.standard, color=colour, linestyle="--", linewidth=0.8)
        sigma.plot(generations, spread, color=colour)
    weights.set_ylabel("mean ± σ; dashed: standard")
    weights.set_title(title)
    weights.legend(ncols=3, fontsize="small")
    sigma.set_ylabel("σ")
    sigma.set_xlabel("generation")


def _draw_shares(figure: Any, title: str, kind: Kind, run: Sequence[Bred]) -> None:
    """Draw the share of each strategy."""
    generations = [one.population.generation for one in run]
    shares = [kind.shares([member.genotype for member in one.population.members]) for one in run]
    axes = figure.subplots()
    axes.stackplot(generations, [[one[name] for one in shares] for name in shares[0]], labels=list(shares[0]))
    axes.set(ylim=(0, 1), ylabel="share of the population", xlabel="generation", title=title)
    axes.legend(ncols=3, fontsize="small")


def _draw_scores(figure: Any, title: str, run: Sequence[Bred]) -> None:
    """Draw the mean and the best score against the rival, and the rival's depth."""
    told = [(one.population.generation, one.population.state["played"]) for one in run if one.results]
    generations = [generation for generation, _ in told]
    scores, depth = figure.subplots(2, 1, sharex=True, height_ratios=(3, 1))
    scores.plot(generations, [played["mean"] for _, played in told], label="mean of all members")
    best = [played["best"]["points"] / played["best"]["games"] for _, played in told]
    scores.plot(generations, best, ".", label="best member")
    scores.set_ylim(0, 1)
    scores.set_ylabel("score against the rival")
    scores.set_title(title)
    scores.legend()
    depth.step(generations, [played["level"] for _, played in told], where="post")
    depth.set_ylim(bottom=0)
    depth.set_ylabel("rival's depth")
    depth.set_xlabel("generation")
