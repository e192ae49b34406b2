# SPDX-License-Identifier: GPL-3.0-or-later
"""The settings of uploads, and of the process that validates and hosts them."""

from dataclasses import dataclass
from pathlib import Path

from arena.data_directory import default_folder
from arena.settings import check_values, setting
from engine.time_control import TimeControl

NATIVE = ("open", "approved", "closed")


@dataclass(frozen=True, slots=True, kw_only=True)
class UploadSettings:
    """The settings of uploads. Durations are in seconds, sizes in bytes."""

    upload_folder: str = setting(
        "",
        "Folder of the uploaded files; with PostgreSQL they are in the database, and the folder has a cache of them. "
        "Empty: `uploads` beside the SQLite database, or, with another database, in the default data directory.",
    )
    native_uploads: str = setting(
        "",
        "Uploads of Python files and executables: `open` (validated at once), `approved` (an administrator must "
        "approve each one) or `closed`. Empty: `open` if only this machine can reach the server, otherwise "
        "`approved`. WebAssembly and data bots need no approval.",
        choices=(*NATIVE, ""),
    )
    upload_bytes: int = setting(16_777_216, "Maximum size of an uploaded file, in bytes.", above=0)
    upload_unpacked: int = setting(
        67_108_864, "Maximum size of all files of an uploaded zip together, in bytes.", above=0
    )
    upload_files: int = setting(1000, "Maximum number of files and folders of an uploaded zip.", above=0)
    uploads_per_day: int = setting(30, "Maximum number of uploads of an account in 24 hours.")
    upload_storage: int = setting(
        268_435_456,
        "Maximum size of all uploads of an account, packed and unpacked, in bytes. Withdrawn versions do not count.",
    )
    upload_storage_all: int = setting(8_589_934_592, "Maximum size of all uploads together, in bytes.")
    validation_queue: int = setting(
        100,
        "Maximum number of uploads that wait for approval or validation. Beyond it the server refuses new uploads. "
        "An account takes at most a quarter of it.",
    )
    validation_time: float = setting(
        900.0,
        "Maximum time that the program takes for its validation; time for which it waits for a processor does not "
        "count. A validation that lasts four times as long, waiting included, is stopped and tried again later.",
        above=0,
    )
    validation_time_control: str = setting("30+0.5", "Time control of the matches of a validation.")
    hosted_processes: int = setting(
        32,
        "Maximum number of uploaded bots that are connected at once. Each runs one process during its match.",
        least=1,
    )
    hosted_turn: float = setting(
        600.0,
        "Time after which a connected uploaded bot leaves if others wait for its place. The bot finishes a running "
        "match first.",
    )
    hosted_memory: int = setting(
        1_073_741_824, "Maximum memory of the process of an uploaded bot, in bytes, temporary files included.", above=0
    )

    def __post_init__(self) -> None:
        check_values(self)
        TimeControl.parse(self.validation_time_control)


def folder_of(settings: UploadSettings, database: Path | None) -> Path:
    """Return the folder of the uploaded files; ``database``: the SQLite file."""
    if settings.upload_folder:
        return Path(settings.upload_folder).expanduser().absolute()
    return (default_folder() if database is None else database.absolute().parent) / "uploads"
