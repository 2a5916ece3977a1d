"""Command line: ``python -m specnotes audit``."""

import argparse
import sys

from specnotes.audit.selfcheck import self_audit_rows


def main(arguments=None):
    """Run the named command.  -> exit code"""
    parser = argparse.ArgumentParser(prog="python -m specnotes", description="Audit the course.")
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("audit", help="recompute every claim; exit 1 if one fails")
    parser.parse_args(arguments)
    return audit()


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
