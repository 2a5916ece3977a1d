"""nbgrader's grades.csv as a sheet that Canvas imports:  python canvas.py grades.csv canvas.csv

One row for each student, one column for each problem set.  Canvas finds students by their login; it
asks which assignment a new column belongs to.
"""

import csv
import sys

OWN = ["Student", "ID", "SIS User ID", "SIS Login ID", "Section"]


def rows_of(lines):
    """nbgrader's CSV -> dicts.  It quotes nothing: a comma in a last name makes a row longer."""
    head, *rows = csv.reader(lines)
    last = head.index("last_name")
    for row in rows:
        end = last + 1 + len(row) - len(head)
        yield dict(zip(head, [*row[:last], ",".join(row[last:end]), *row[end:]]))


def sheet(grades):
    """Rows of nbgrader's CSV (dicts) -> rows of Canvas's (lists)."""
    most = {row["assignment"]: row["max_score"] for row in grades}
    names = {row["student_id"]: (row["last_name"], row["first_name"]) for row in grades}
    scores = {(row["student_id"], row["assignment"]): row["score"] for row in grades}
    yield OWN + list(most)
    yield ["    Points Possible", "", "", "", "", *most.values()]
    for student, name in names.items():
        marks = [scores.get((student, problem), "") for problem in most]
        yield [", ".join(filter(None, name)), "", "", student, "", *marks]


def main(source, target):
    with open(source, newline="", encoding="utf-8-sig") as file:  # spreadsheets add a mark
        rows = list(sheet(list(rows_of(file))))
    with open(target, "w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows(rows)


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])
