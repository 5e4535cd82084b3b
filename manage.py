#!/usr/bin/env python3
"""The commands of the house: `manage.py help` lists them. Exit 0 = done and nothing wrong, 1 = found or
refused, 2 = misused.
"""

import gc
import os
import signal
import sys
from types import FrameType

ABOUT_MIGRATIONS = ("migrate", "makemigrations", "showmigrations", "sqlmigrate", "squashmigrations")


def main(argv: list[str]) -> None:
    """Run one command. What the person at the terminal can put right is one line on stderr and exit 1, never
    a traceback.
    """
    # nothing that is imported is garbage; once the command is loaded it is looked for
    # (casino/runtime/fast_start.py)
    gc.disable()
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "casino.settings")
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, leave_in_order)
    from django.conf import settings
    from django.core.exceptions import ImproperlyConfigured
    from django.db import OperationalError, ProgrammingError

    from casino.runtime import auto_migrate
    from casino.runtime.embedded import Trouble
    from casino.runtime.embedded.trouble import of_database
    from casino.runtime.fast_start import Loading

    try:
        if argv[1:2] and argv[1] in ABOUT_MIGRATIONS:
            auto_migrate.leave_alone()
            argv = auto_migrate.as_owner(argv)
        Loading(argv).execute()
    except OperationalError as error:
        sys.exit(of_database(error, settings.CATWALK_DATA))
    except ProgrammingError:
        if not auto_migrate.unapplied():
            raise
        sys.exit(
            "The database lacks migrations of this version: run `manage.py migrate`, then the command again."
        )
    except (Trouble, ImproperlyConfigured) as error:
        sys.exit(" ".join(str(error).split()))
    except BrokenPipeError:
        # whoever read our output (`| head`) has gone: nothing is wrong, and there is nobody left to tell
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except KeyboardInterrupt:
        sys.exit(130)


def leave_in_order(number: int, frame: FrameType | None) -> None:
    """Asked to end, the command ends like any other, so that the last one out stops the database."""
    sys.exit(128 + number)


if __name__ == "__main__":
    main(sys.argv)
