# SPDX-License-Identifier: GPL-3.0-or-later
"""Restore a backup of `arena backup`, or the copy of the database that an upgrade made.

The file is checked first. The database is then replaced in one step: after an
error or a power cut it is the old one or the new one. Stop the server before. A
restored database is brought to the newest schema, and may be of another kind
than the one that was backed up.
"""

import argparse
from datetime import datetime
from pathlib import Path

from arena.cli.features import FEATURES
from arena.cli.support.command_line import CommandError
from arena.cli.support.output import add_json, print_answer, say_error
from arena.cli.support.serving.folders import folders_of
from arena.data_directory import add_place, database_url, founded
from arena.records.verification import verify
from arena.store.audit import Audit
from arena.store.backups.restoring import check, restore
from arena.store.backups.sources import ArchiveSource
from arena.store.errors import StoreError

GROUP = "maintain"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    parser.add_argument("file", metavar="FILE", type=Path, help="the backup")
    parser.add_argument(
        "--force",
        action="store_true",
        help="replace the records that exist; a SQLite database is kept under another name",
    )
    parser.add_argument(
        "--verify",
        action="store_true",
        help="check the records like `arena verify` before they replace anything; restore nothing if there are errors",
    )
    parser.add_argument("--check", action="store_true", help="only check the file; restore nothing")
    add_place(parser)
    add_json(parser)


def run(arguments: argparse.Namespace) -> int:
    """Restore the backup; return the exit code."""
    try:
        return _check(arguments) if arguments.check else _restore(arguments)
    except StoreError as error:
        raise CommandError(str(error)) from None


def _check(arguments: argparse.Namespace) -> int:
    source = check(arguments.file)
    if not isinstance(source, ArchiveSource):
        print_answer(
            arguments,
            {"file": str(arguments.file), "schema": source.schema},
            f"{arguments.file}: a copy of a database with schema {source.schema}; whole.",
        )
        return 0
    manifest = source.manifest
    made = datetime.fromtimestamp(manifest.created).strftime("%Y-%m-%d %H:%M:%S")
    answer = {
        "file": str(arguments.file),
        "schema": manifest.schema,
        "created": manifest.created,
        "version": manifest.version,
        "matches": manifest.counts.matches,
        "parts": len(manifest.parts),
    }
    print_answer(
        arguments,
        answer,
        f"{arguments.file}: a backup of {made} by arena {manifest.version}, {manifest.counts.matches:,} matches, schema"
        f" {manifest.schema}; the checksums of all {len(manifest.parts):,} parts are right.",
    )
    return 0


def _restore(arguments: argparse.Namespace) -> int:
    url = database_url(arguments)
    if arguments.file.exists():
        founded(arguments)
    check_records = _errors if arguments.verify else None
    done = restore(url, folders_of(arguments, url), arguments.file, force=arguments.force, verify=check_records)
    for name in done.unknown:
        say_error(f"left out the files of {name}: this arena does not have this feature")
    answer = {"rows": done.rows, "files": done.files, "schema": done.schema, "kept": done.kept and str(done.kept)}
    lines = [f"Restored {done.rows:,} rows and {done.files:,} files from {arguments.file}."]
    if arguments.verify:
        lines.append("The records were checked; no errors were found.")
    if done.kept is not None:
        lines.append(f"The database that was replaced is now {done.kept}")
    print_answer(arguments, answer, *lines)
    return 0


def _errors(audit: Audit) -> str:
    report = verify(audit, 1, features=FEATURES)
    return "; ".join(f"{finding.check}: {finding.where}: {finding.what}" for finding in report.findings[:3])
