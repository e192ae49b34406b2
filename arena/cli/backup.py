# SPDX-License-Identifier: GPL-3.0-or-later
"""Write a backup of the arena into one file: database and uploaded files.

The server may run: the backup is the state of one moment. It holds secrets, such
as password hashes, and only its owner can read it. The schema of the database
stays as it is. Uploaded files are found by the settings of the environment
(ARENA_UPLOAD_FOLDER). `arena restore` restores the backup, also into another kind
of database.
"""

import argparse
from pathlib import Path

from arena.cli.support.command_line import CommandError
from arena.cli.support.output import add_json, print_answer, say_error
from arena.cli.support.records import note_action
from arena.cli.support.serving.folders import folders_of
from arena.data_directory import add_place, database_url
from arena.store.backups.archive import FILES
from arena.store.backups.saving import save
from arena.store.errors import StoreError

GROUP = "maintain"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    parser.add_argument("file", metavar="FILE", type=Path, help="the new file (a ZIP archive); it must not exist")
    add_place(parser)
    add_json(parser)


def run(arguments: argparse.Namespace) -> int:
    """Write the backup; return the exit code."""
    url = database_url(arguments)
    try:
        saved = save(url, folders_of(arguments, url), arguments.file)
    except StoreError as error:
        raise CommandError(str(error)) from None
    for path in saved.left_out:
        say_error(f"left out {path}: it is neither a file nor a folder")
    note_action(arguments)
    manifest = saved.manifest
    files = sum(part.name.startswith(f"{FILES}/") for part in manifest.parts)
    print_answer(
        arguments,
        {
            "file": str(arguments.file),
            "bytes": saved.bytes,
            "schema": manifest.schema,
            "matches": manifest.counts.matches,
            "rows": sum(table.rows for table in manifest.tables),
            "files": files,
        },
        f"{arguments.file}: {saved.bytes:,} bytes, {manifest.counts.matches:,} matches, {files:,} files beside the"
        f" database, schema {manifest.schema}; all parts were read back.",
    )
    return 0
