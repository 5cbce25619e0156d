"""What recommending costs as clicks grow: `python -m bench.recommend_scale LOG 0.1 1 10`.

A log (CSV: user, item, time) is made smaller or larger by whole readers: each is left out, or stands for several who
did the same. All lists of all readers are computed by `sitewright recommend` in a process of its own, and beside it, in
the same run, `implicit` fits ALS to the same reads and recommends to the same readers.
"""

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import duckdb

FACTORS, ROUNDS = 64, 10
_ALS = f"""
import sys, duckdb, numpy as np
from implicit.als import AlternatingLeastSquares
from scipy.sparse import csr_matrix
rows = duckdb.sql(f"select distinct user, item from '{{sys.argv[1]}}'").fetchnumpy()
readers, row = np.unique(rows["user"], return_inverse=True)
items, column = np.unique(rows["item"], return_inverse=True)
matrix = csr_matrix((np.ones(len(row), np.float32), (row, column)))
model = AlternatingLeastSquares(factors={FACTORS}, iterations={ROUNDS}, num_threads=2, random_state=1)
model.fit(matrix, show_progress=False)
for first in range(0, len(readers), 5000):
    part = np.arange(first, min(first + 5000, len(readers)))
    model.recommend(part, matrix[part], N=10, filter_already_liked_items=True)
"""


def main() -> None:
    """Print a line for each size: clicks, readers, and for both wall and processor time and memory."""
    log, *sizes = sys.argv[1:]
    for size in map(float, sizes):
        with tempfile.TemporaryDirectory() as folder:
            clicks, readers = scaled(log, size, f"{folder}/clicks.parquet")
            print(f"{size:g} x: {clicks:,} clicks of {readers:,} readers", flush=True)
            ours = [sys.executable, "-m", "sitewright", "recommend", f"{folder}/clicks.parquet", "-q", "-o", os.devnull]
            print(f"  sitewright: {cost(ours)}", flush=True)
            Path(folder, "als.py").write_text(_ALS, "utf-8")
            print(
                f"  ALS of implicit: {cost([sys.executable, f'{folder}/als.py', f'{folder}/clicks.parquet'])}",
                flush=True,
            )


def scaled(log: str, size: float, target: str) -> tuple[int, int]:
    """Write a log of so many times the readers; return how many clicks and readers it has."""
    source = f"select cast(\"user\" as varchar) as u, item, time from '{log}'"
    copies = max(1, round(size))
    kept = "" if size >= 1 else f"where hash(u) % 1000 < {round(1000 * size)}"
    query = f"select u || '-' || c as user, item, time from ({source}) cross join range({copies}) t(c) {kept}"
    duckdb.sql(f"copy ({query}) to '{target}' (format parquet)")
    [found] = duckdb.sql(f"select count(*), count(distinct user) from '{target}'").fetchall()
    return int(found[0]), int(found[1])


def cost(command: list[str]) -> str:
    """Run a program and say what it took."""
    environment = os.environ | {"OPENBLAS_NUM_THREADS": "1"}
    began = time.monotonic()
    process = subprocess.Popen(command, env=environment)
    _, status, used = os.wait4(process.pid, 0)
    if status:
        raise RuntimeError(f"{command[:4]} ended with {status}")
    wall, cpu = time.monotonic() - began, used.ru_utime + used.ru_stime
    return f"{wall:.0f} s, {cpu:.0f} s of processors, {used.ru_maxrss / 1e6:.2f} GB"


if __name__ == "__main__":
    main()
