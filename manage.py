#!/usr/bin/env python3
"""Run the management commands of Catwalk, which `manage.py help` lists.

Exit codes: 0 = done without problems, 1 = problems found or input refused, 2 = wrong usage.
"""

import gc
import os
import signal
import sys
from types import FrameType

ABOUT_MIGRATIONS = ("migrate", "makemigrations", "showmigrations", "sqlmigrate", "squashmigrations")


def main(argv: list[str]) -> None:
    """Run one command. If the user can fix an error, print it as one line on stderr and exit with 1, without
    a traceback.
    """
    # Imported modules are never garbage, so collection is off until the command is loaded
    # (casino/runtime/fast_start.py).
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
            auto_migrate.turn_off()
            argv = auto_migrate.as_owner(argv)
        Loading(argv).execute()
    except OperationalError as error:
        sys.exit(of_database(error, settings.CATWALK_DATA))
    except ProgrammingError:
        if not auto_migrate.unapplied():
            raise
        sys.exit(
            "Migrations of this version are not applied: run `manage.py migrate`, then the command again."
        )
    except (Trouble, ImproperlyConfigured) as error:
        sys.exit(" ".join(str(error).split()))
    except BrokenPipeError:
        # The reader of our output (such as `| head`) has closed it. This is not an error, and no message can
        # be printed.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except KeyboardInterrupt:
        sys.exit(130)


def leave_in_order(number: int, frame: FrameType | None) -> None:
    """Exit normally on a signal, so that the last process can stop the embedded database."""
    sys.exit(128 + number)


if __name__ == "__main__":
    main(sys.argv)
