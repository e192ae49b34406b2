# SPDX-License-Identifier: GPL-3.0-or-later
"""Rendering of drawings as PNG and animated GIF."""

import tempfile
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager
from io import BytesIO

import resvg_py
from PIL import Image, ImageFont

from arena.features.pictures.process import Job

COLOURS = 255
"""Colours of an animation."""

SAMPLES = 6
"""Frames from which the colours of an animation are chosen."""


class Renderer(AbstractContextManager["Renderer"]):
    """Renders jobs. Its context holds a temporary file with the font of the coordinates."""

    def __init__(self) -> None:
        # Pillow brings a font with the Latin letters and digits of coordinates, so pictures do not depend on the
        # system's fonts, which take long to load
        font = ImageFont.load_default(16)
        self._font = tempfile.NamedTemporaryFile(suffix=".otf")  # noqa: SIM115  # as long as the renderer lives
        self._font.write(bytes(getattr(font, "font_bytes", b"")))
        self._font.flush()

    def __exit__(self, *error: object) -> None:
        """Remove the file."""
        self._font.close()

    def render(self, job: Job) -> bytes:
        """Return a picture. Raises ValueError for a drawing that is not SVG."""
        if job.form == "png":
            return self._png(job.frames[0], job.width)
        return self._gif(job)

    def _png(self, drawing: str, width: int) -> bytes:
        return bytes(
            resvg_py.svg_to_bytes(svg_string=drawing, width=width, skip_system_fonts=True, font_files=[self._font.name])
        )

    def _image(self, drawing: str, width: int) -> Image.Image:
        with Image.open(BytesIO(self._png(drawing, width))) as image:
            return image.convert("RGB")

    def _gif(self, job: Job) -> bytes:
        palette = self._palette(job)

        def frames() -> Iterator[Image.Image]:
            for drawing in job.frames:
                yield self._image(drawing, job.width).quantize(palette=palette, dither=Image.Dither.NONE)

        drawn = frames()
        first = next(drawn)
        file = BytesIO()
        pauses = [job.pause] * (len(job.frames) - 1) + [job.end]
        first.save(file, "GIF", save_all=True, append_images=drawn, duration=pauses, loop=0, optimize=False)
        return file.getvalue()

    def _palette(self, job: Job) -> Image.Image:
        """Return an image with the colours of an animation, from some of its frames."""
        samples = [self._image(drawing, job.width) for drawing in spread(job.frames, SAMPLES)]
        sheet = Image.new("RGB", (samples[0].width, sum(sample.height for sample in samples)))
        top = 0
        for sample in samples:
            sheet.paste(sample, (0, top))
            top += sample.height
        return sheet.quantize(COLOURS, dither=Image.Dither.NONE)


def spread(items: Sequence[str], most: int) -> list[str]:
    """Return at most ``most`` items, evenly spread, the first and the last included."""
    if len(items) <= most:
        return list(items)
    return [items[round(index * (len(items) - 1) / (most - 1))] for index in range(most)]
