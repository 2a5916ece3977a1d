"""Command line: ``python -m specnotes audit`` and ``python -m specnotes grade``."""

import argparse
import sys

from specnotes.audit.command import HELP, add_arguments, audit_target
from specnotes.audit.selfcheck import self_audit_rows
from specnotes.grade import options as grading


def main(arguments=None):
    """Run the named command.  -> exit code"""
    parser = argparse.ArgumentParser(prog="python -m specnotes", description="Audit the course.")
    commands = parser.add_subparsers(dest="command", required=True)
    audits = commands.add_parser(
        "audit",
        help="audit the course, or a function of yours; exit 1 if something is wrong",
        epilog=HELP,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add_arguments(audits)
    grading.add_options(commands.add_parser("grade", help="mark a folder of notebooks"))
    options = parser.parse_args(arguments)
    if options.command == "grade":
        return grading.run(options)
    return audit_target(options) if options.target else audit()


def audit():
    """Print each check as it is done.  -> exit code, 1 if one fails"""
    rows = []
    for row in self_audit_rows():
        rows.append(row)
        print(f"{'ok  ' if row.ok else 'FAIL'}  {row.name:<58}  {row.figure}", flush=True)
    failed = [row.name for row in rows if not row.ok]
    print(f"{len(rows) - len(failed)} of {len(rows)} checks hold")
    for name in failed:
        print(f"FAILED: {name}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
