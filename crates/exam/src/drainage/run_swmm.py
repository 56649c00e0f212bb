"""Runs SWMM on models and writes what flooded and how well water balances: run_swmm.py results.json a.inp b.inp ..."""

import json
import sys

from swmm.toolkit import solver
from swmm.toolkit.shared_enum import ObjectType

results = []
for model in sys.argv[2:]:
    solver.swmm_open(model, model + ".rpt", model + ".out")
    solver.swmm_start(0)
    while solver.swmm_step() > 0:
        pass
    n_nodes = solver.project_get_count(ObjectType.NODE)
    flooded_m3 = sum(solver.node_get_stats(node).volFlooded for node in range(n_nodes))
    solver.swmm_end()
    runoff_percent, routing_percent, _ = solver.swmm_get_mass_balance()
    solver.swmm_close()
    results.append([flooded_m3, runoff_percent, routing_percent])

with open(sys.argv[1], "w", encoding="utf-8") as out:
    json.dump(results, out)
