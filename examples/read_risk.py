"""What a run found, in Python with polars: python read_risk.py RUN"""

import json
import sys
from pathlib import Path

import polars as pl

confidential = Path(sys.argv[1]) / "confidential"
found = json.loads((confidential / "summary.json").read_text(encoding="utf-8"))["attributeRisk"][0]
of_scenario = pl.col("scenario") == found["scenario"]

# Parquet keeps categories such as 01 as text. The CSV file of the same table is read without guessing at types.
risk = pl.read_parquet(confidential / "attribute-risk.parquet").filter(of_scenario)
as_text = pl.read_csv(confidential / "attribute-risk.csv", infer_schema=False).filter(of_scenario)
probabilities = as_text["probability"].cast(pl.Float64)
if as_text.columns != risk.columns or not probabilities.equals(risk["probability"], null_equal=True):
    sys.exit("attribute-risk.csv and .parquet differ")
records = risk["count"].sum()


def same(name: str, ours: float, found: dict = found) -> None:
    print(f"{name} {ours:.6f}")
    if abs(ours - found[name]) > 1e-6 * max(1, abs(found[name])):
        sys.exit(f"{name} is another in summary.json: {found[name]}")


def weighted_mean(table: pl.DataFrame, name: str) -> float:
    return table.select((pl.col(name) * pl.col("count")).sum() / pl.col("count").sum()).item()


gain = 0.0
if found.get("rankedReason") is None:
    values = pl.read_parquet(confidential / "variable-risk.parquet").filter(of_scenario)

    # The combinations most at risk. A combination stands for `count` records, hence the weights.
    worst = risk.filter("distinguishable").top_k(10, by="ratio_to_uniform")
    print(worst.select("combination", "count", "rank", "probability", "ratio_to_uniform"))
    same("truthRankedFirstShare", risk.filter(pl.col("rank") == 1)["count"].sum() / records)
    same("probabilityMean", weighted_mean(risk, "probability"))
    same("informationBitsMean", weighted_mean(risk, "information_bits"))
    # Where several variables are unknown together, a row of all of them has the gain, beside a row of each.
    together = pl.col("variable").str.contains("; ", literal=True)
    gains = values.filter(together) if values.select(together.any()).item() else values
    gain += (gains["gain_bits"] * gains["count"]).sum() / records
    same("probabilityTrueAfter", weighted_mean(values.filter(~together), "probability_after"))

# Continuous variables, where they have a density: a row is a variable of a record.
if "continuousVariables" in found:
    numbers = pl.read_parquet(confidential / "continuous-risk.parquet").filter(of_scenario)
    nearest = numbers.with_columns(rise=pl.col("within_after") - pl.col("within_before")).top_k(10, by="rise")
    print(nearest.select("record", "variable", "value", "within_before", "within_after", "gain_bits"))
    for variable in found["continuousVariables"]:
        own = numbers.filter(pl.col("variable") == variable["variable"])
        same("withinAfter", own["within_after"].mean(), variable)
    gain += numbers["gain_bits"].sum() / records
same("gainBitsMean", gain)
