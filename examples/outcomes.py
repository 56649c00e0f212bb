"""Outcomes of archived runs, asked with DuckDB and with pandas.

    pip install duckdb pandas pyarrow
    python outcomes.py ARCHIVE/runs/RUN

Prints the same table twice: for each agent, how many trials, how many solved, the mean score, the money that is known of,
and for how many trials not all of it is. Then which checks failed how often.
"""

import sys
from pathlib import Path

import duckdb
import pandas as pd

BY_AGENT = """
    SELECT agent,
           count(*)                                   AS trials,
           count(*) FILTER (solved)                   AS solved,
           round(avg(score), 4)                       AS score,
           sum(known_usd)                             AS known_usd,
           count(*) FILTER (cost_usd IS NULL)         AS unknown_cost
    FROM read_parquet('{outcomes}/*.parquet')
    GROUP BY agent
    ORDER BY agent
"""

FAILED_CHECKS = """
    WITH findings AS (
        SELECT task, unnest(json_extract(verdict, '$.findings[*]')) AS finding
        FROM read_parquet('{outcomes}/*.parquet')
    )
    SELECT task, finding ->> 'check' AS failed_check, count(*) AS failed
    FROM findings
    WHERE CAST(finding ->> 'score' AS DOUBLE) < 1
    GROUP BY ALL
    ORDER BY failed DESC, task, failed_check
"""


def with_duckdb(outcomes: Path) -> list[tuple]:
    return duckdb.sql(BY_AGENT.format(outcomes=outcomes)).fetchall()


def with_pandas(outcomes: Path) -> list[tuple]:
    rows = pd.read_parquet(outcomes)
    table = rows.groupby("agent").agg(
        trials=("trial", "count"),
        solved=("solved", "sum"),
        score=("score", lambda scores: round(scores.mean(), 4)),
        known_usd=("known_usd", "sum"),
        unknown_cost=("cost_usd", lambda costs: int(costs.isna().sum())),
    )
    return [tuple(row) for row in table.reset_index().itertuples(index=False)]


def main() -> None:
    outcomes = Path(sys.argv[1]) / "outcomes"
    for asked in (with_duckdb, with_pandas):
        print(asked.__name__)
        for agent, trials, solved, score, known_usd, unknown in asked(outcomes):
            print(f"{agent}\t{trials}\t{solved}\t{score:.4f}\t{known_usd:.2f}\t{unknown}")
    print("failed checks")
    for task, check, failed in duckdb.sql(FAILED_CHECKS.format(outcomes=outcomes)).fetchall():
        print(f"{task}\t{check}\t{failed}")


if __name__ == "__main__":
    main()
