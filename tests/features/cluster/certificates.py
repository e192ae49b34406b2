# SPDX-License-Identifier: GPL-3.0-or-later
"""Certificates for a bus with TLS on localhost."""

import subprocess
from pathlib import Path
from typing import NamedTuple


class Certificate(NamedTuple):
    """Files of a server's certificate."""

    file: Path
    key: Path
    authority: Path
    """The certificate that signed it: itself."""


def certificate(folder: Path) -> Certificate:
    """Make a certificate for localhost that signs itself."""
    file, key = folder / "certificate.pem", folder / "key.pem"
    command = ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]
    command += ["-days", "2", "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"]
    subprocess.run([*command, "-keyout", str(key), "-out", str(file)], check=True, capture_output=True)
    return Certificate(file, key, file)
