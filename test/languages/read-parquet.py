"""Prints as JSON how pyarrow, Polars and DuckDB read Parquet files: types, what files say of themselves, and values."""

import json
import sys

import duckdb
import polars
import pyarrow.parquet as pq

found = {}
for path in sys.argv[1:]:
    schema = pq.read_schema(path)
    frame = polars.read_parquet(path)
    described = duckdb.sql(f"describe select * from '{path}'").fetchall()
    kept = duckdb.sql(f"select decode(key), decode(value) from parquet_kv_metadata('{path}')").fetchall()
    found[path] = {
        "pyarrow": {field.name: str(field.type) for field in schema},
        "polars": {name: str(kind) for name, kind in frame.schema.items()},
        "duckdb": {row[0]: row[1] for row in described},
        "metadata": {key.decode(): value.decode() for key, value in schema.metadata.items()},
        "metadataOfDuckDB": dict(kept),
        "sameAsCsv": frame.equals(polars.read_csv(path.replace(".parquet", ".csv"), schema_overrides=frame.schema)),
    }
print(json.dumps(found))
