"""Mark a folder of notebooks without nbgrader's database: ``python -m specnotes grade``.

A thin runner over the same notebooks and test cells as nbgrader's, which stays the authority.  Each
submission runs in a fresh process, forked from one that has NumPy, SciPy, SymPy and this package
loaded: in a temporary folder, with limits of time and memory, with the instructor's own test and
given cells in place of the submitted ones.  Submitted outputs and metadata count for nothing.

From the outside in: ``command`` the class, ``files`` whose file is which, ``pool`` many at a time,
``supervise`` one submission, ``assemble`` the notebook that is run, ``watch`` and ``child`` the two
sides of the fork, ``pristine`` and ``fence`` the defences, ``marks``, ``sheets`` and ``feedback``
what comes out.

**Same marks as nbgrader** on a notebook whose cells are all there and whose tests neither warn nor
die.  Kinder where nbgrader gives 0 for a reason that is not the answer's: a warning in a test cell,
a deleted or duplicated cell, a changed grade id, answers above the set-up cell, a test or an answer
that ends or hangs the process (that cell alone is lost).  Stricter where a student changes what
tests use: names that given cells have bound, functions of the package, builtins are put back before
each test, and a test during which they change is lost.

**Not prevented.**  Student code and tests share a process: code written for the purpose can find
the grader's channel in its own memory and forge results, or change a test's functions while they
run and hide it.  Linux with Landlock forbids files outside the temporary folder, TCP and signals to
other processes; without it (macOS, older kernels) student code may do what the account may do.  Run
the command in a container that holds the submissions, the source and nothing else
(coursework/GRADING.md), and read the notebooks that are flagged.
"""
