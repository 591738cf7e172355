"""Reference values of test/risk/attack by Anonymeter 1.1.0: python test/risk/attack/reference.py

The tables are those of reference-tables.ts. All records are attacked, so that nothing is left to chance; the singling-out
queries of a small table are drawn until none is left.
"""
import json

import numpy as np
import pandas as pd
import polars as pl
from anonymeter.evaluators import InferenceEvaluator, LinkabilityEvaluator
from anonymeter.evaluators import singling_out_evaluator as so
from anonymeter.stats.confidence import EvaluationResults

state = 2024


def below(bound):
    global state
    state = (48271 * state) % 2147483647
    return state % bound


def draw(records):
    rows = []
    for _ in range(records):
        a = below(3)
        b = min(3, below(5))
        c = min(5, below(9))
        d = 1 if below(100) < 20 + 30 * a else 0
        x = 1000 + 500 * a + below(2003)
        y = 2000 + 700 * b + below(997)
        rows.append((f"v{a}", f"v{b}", f"v{c}", f"v{d}", x, y))
    return pd.DataFrame(rows, columns=list("ABCDXY"))


table, dataset, control = draw(80), draw(80), draw(50)


def show(name, value):
    print(name, json.dumps(value))


def risk(n, success, baseline, control_successes=None):
    found = EvaluationResults(n_attacks=n, n_success=success, n_baseline=baseline, n_control=control_successes)
    own, base = found.risk(), found.risk(baseline=True)
    return [own.value, *own.ci, base.value, *base.ci]


for n, s, b, c in [(80, 33, 20, None), (500, 5, 2, 3), (500, 0, 0, None), (500, 500, 40, 120), (40, 10, 1, 22)]:
    show(f"risk {n} {s} {b} {c}", risk(n, s, b, c))

for secret in ["D", "Y"]:
    for name, targets in [("table", table), ("control", control)]:
        evaluator = InferenceEvaluator(
            ori=targets, syn=dataset, aux_cols=["A", "B", "C", "X"], secret=secret, regression=secret == "Y", n_attacks=len(targets)
        )
        found, _ = evaluator._attack(target=targets, naive=False, n_jobs=1, n_attacks=len(targets))
        show(f"inference {secret} {name}", int(found))

for name, targets in [("table", table), ("control", control)]:
    evaluator = LinkabilityEvaluator(
        ori=targets, syn=dataset, aux_cols=(["A", "B", "X"], ["A", "B", "C", "Y"]), n_attacks=len(targets)
    )
    evaluator.evaluate(n_jobs=1)
    show(f"linkability {name}", evaluator._attack_links.count_links(n_neighbors=1))

rng = np.random.default_rng(1)
frames = {"table": table, "dataset": dataset, "control": control}
plain = {name: pl.DataFrame(frame.to_dict("list")).unique(maintain_order=True) for name, frame in frames.items()}


def singled_out(frame, queries):
    return sum(count == 1 for count in so._evaluate_queries(frame, queries))


queries = so.univariate_singling_out_queries(plain["dataset"], 10**6, rng)
for name in ["table", "control"]:
    show(f"univariate {name}", [len(queries), singled_out(plain[name], queries)])
coarse = {name: frame[["A", "B", "C", "X"]].unique(maintain_order=True) for name, frame in plain.items()}
queries = so.multivariate_singling_out_queries(coarse["dataset"], 10**6, 3, 20_000, rng)
for name in ["table", "control"]:
    show(f"multivariate {name}", [len(queries), singled_out(coarse[name], queries)])

sizes = np.linspace(100, 1000, 10).astype(int)
for name, successes in [("falling", [40, 41, 37, 33, 29, 26, 23, 21, 19, 17]), ("rising", [3, 6, 9, 11, 14, 16, 18, 20, 22, 24])]:
    model = so._fit_model(sizes, np.array(successes))
    show(f"correction {name}", float(model(3000) / model(1000)))
