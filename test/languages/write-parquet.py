"""Writes one table as CSV and as Parquet, in every way that pyarrow, pandas, Polars, DuckDB and fastparquet offer.

    write-parquet.py FOLDER

Every file in FOLDER/same holds the table of FOLDER/table.csv, every file in FOLDER/missing that of FOLDER/missing.csv.
Those in FOLDER/refused have a column `birth` that cannot be read as it is.
"""

import datetime
import decimal
import sys
import uuid
from pathlib import Path

import duckdb
import fastparquet
import numpy
import pandas
import polars
import pyarrow as pa
import pyarrow.parquet as pq

folder = Path(sys.argv[1])
for name in ("same", "missing", "refused"):
    (folder / name).mkdir(parents=True)

ROWS = 400
REGIONS = ["north", "süd", "west, east", 'the "isle"', " inland"]


def column(seed, values):
    """The values again and again, in an order that looks like none."""
    return [values[(row * row * seed + row * 7 + row // 9) % len(values)] for row in range(ROWS)]


COLUMNS = {
    "sex": column(3, ["F", "M"]),
    "region": column(5, REGIONS),
    "code": column(11, ["01", "1", "007"]),
    "whole": column(13, [0, 1, 7, 100, 12]),
    "flag": column(17, [True, False, True]),
    "share": column(19, [0.1, 0.25, 3.0, 1e-7]),
}


def text(value):
    """A value as our CSV files hold it: a missing one is empty."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float):
        return {3.0: "3", 1e-7: "1e-7"}.get(value, repr(value))
    return '"' + value.replace('"', '""') + '"' if isinstance(value, str) else str(value)


def write_csv(path, columns):
    rows = [list(columns), *zip(*columns.values())]
    lines = [",".join(row) if not at else ",".join(map(text, row)) for at, row in enumerate(rows)]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8", newline="")


def with_gaps(columns):
    """Some values are missing; `sex` has none, the first values of `region` are."""
    return {
        name: [None if name != "sex" and (row % (place + 5) == 0) else value for row, value in enumerate(values)]
        for place, (name, values) in enumerate(columns.items())
    }


write_csv(folder / "table.csv", COLUMNS)
write_csv(folder / "missing.csv", with_gaps(COLUMNS))

for kind, columns in (("same", COLUMNS), ("missing", with_gaps(COLUMNS))):
    place = folder / kind
    table = pa.table(columns)

    def cast(**types):
        return table.cast(pa.schema([(field.name, types.get(field.name, field.type)) for field in table.schema]))

    # pyarrow: compressions, page versions, row groups, pages.
    pq.write_table(table, place / "pyarrow.parquet")
    for compression in ("none", "snappy", "gzip", "brotli", "zstd", "lz4"):
        pq.write_table(table, place / f"pyarrow-{compression}.parquet", compression=compression)
        pq.write_table(
            table,
            place / f"pyarrow-{compression}-pages2.parquet",
            compression=compression,
            data_page_version="2.0",
            use_dictionary=False,
        )
    for version in ("1.0", "2.4", "2.6"):
        pq.write_table(table, place / f"pyarrow-format-{version}.parquet", version=version)
    pq.write_table(table, place / "pyarrow-groups.parquet", row_group_size=37)
    pq.write_table(
        table, place / "pyarrow-small-pages.parquet", data_page_size=64, write_batch_size=8, write_page_index=True
    )
    pq.write_table(table, place / "pyarrow-full-dictionary.parquet", dictionary_pagesize_limit=16, data_page_size=64)
    pq.write_table(table, place / "pyarrow-checksums.parquet", write_page_checksum=True)
    pq.write_table(table, place / "pyarrow-no-schema.parquet", store_schema=False, write_statistics=False)
    for pages in ("1.0", "2.0"):
        for name, encodings in {
            "plain": dict.fromkeys(columns, "PLAIN"),
            "delta": {
                "sex": "DELTA_BYTE_ARRAY",
                "region": "DELTA_LENGTH_BYTE_ARRAY",
                "code": "DELTA_BYTE_ARRAY",
                "whole": "DELTA_BINARY_PACKED",
                "flag": "RLE",
                "share": "BYTE_STREAM_SPLIT",
            },
            "split": {"whole": "BYTE_STREAM_SPLIT", "share": "BYTE_STREAM_SPLIT"},
        }.items():
            pq.write_table(
                table,
                place / f"pyarrow-{name}-pages{pages[0]}.parquet",
                use_dictionary=False,
                column_encoding=encodings,
                data_page_version=pages,
            )
    # Types of pyarrow.
    for whole in ("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float32", "float64"):
        for dictionary in (True, False):
            pq.write_table(
                cast(whole=getattr(pa, whole)(), share=pa.float32()),
                place / f"pyarrow-{whole}-{'dictionary' if dictionary else 'plain'}.parquet",
                use_dictionary=dictionary,
            )
    decimals = [None if value is None else decimal.Decimal(value) for value in columns["whole"]]
    for stored in (True, False):
        for digits in (5, 15):
            pq.write_table(
                table.set_column(3, "whole", pa.array(decimals, pa.decimal128(digits, 0))),
                place / f"pyarrow-decimal-{digits}{'-integer' if stored else ''}.parquet",
                store_decimal_as_integer=stored,
            )
    pq.write_table(cast(region=pa.large_string()), place / "pyarrow-large-string.parquet")
    pq.write_table(cast(region=pa.string_view()), place / "pyarrow-string-view.parquet")
    pq.write_table(cast(region=pa.binary()), place / "pyarrow-binary.parquet")
    encoded = table.set_column(1, "region", table["region"].dictionary_encode())
    encoded = encoded.set_column(3, "whole", encoded["whole"].dictionary_encode())
    pq.write_table(encoded, place / "pyarrow-dictionary.parquet")
    required = pa.schema([pa.field(f.name, f.type, nullable=kind == "missing") for f in table.schema])
    pq.write_table(table.cast(required), place / "pyarrow-required.parquet")

    # pandas: the index of rows that were selected, categories, its nullable types, and fastparquet.
    frame = pandas.DataFrame(columns).convert_dtypes()
    frame.to_parquet(place / "pandas.parquet")
    frame.to_parquet(place / "pandas-no-index.parquet", index=False)
    frame.iloc[::-1].iloc[::-1].set_index(numpy.arange(ROWS) * 3).to_parquet(place / "pandas-index.parquet")
    pandas.DataFrame(columns, dtype=object).to_parquet(place / "pandas-objects.parquet")
    categories = frame.astype({"sex": "category", "region": "category", "whole": "category"})
    categories.to_parquet(place / "pandas-categories.parquet")
    for compression in ("gzip", "brotli", "zstd", "lz4", None):
        frame.to_parquet(place / f"pandas-{compression}.parquet", compression=compression)
    for compression in ("UNCOMPRESSED", "SNAPPY", "GZIP", "ZSTD", "LZ4_RAW", "BROTLI"):
        fastparquet.write(
            str(place / f"fastparquet-{compression}.parquet"), frame.astype({"sex": "category"}), compression=compression
        )

    # Polars.
    wide = polars.DataFrame(columns)
    for compression in ("uncompressed", "snappy", "gzip", "brotli", "zstd", "lz4"):
        wide.write_parquet(place / f"polars-{compression}.parquet", compression=compression)
    wide.write_parquet(place / "polars.parquet")
    wide.write_parquet(place / "polars-groups.parquet", row_group_size=53, data_page_size=128)
    wide.with_columns(
        polars.col("sex").cast(polars.Enum(["F", "M"])),
        polars.col("region").cast(polars.Categorical),
        polars.col("whole").cast(polars.UInt8),
        polars.col("share").cast(polars.Float32),
    ).write_parquet(place / "polars-categories.parquet")
    wide.with_columns(polars.col("whole").cast(polars.Decimal(9, 0))).write_parquet(place / "polars-decimal.parquet")
    wide.lazy().sink_parquet(place / "polars-lazy.parquet")

    # DuckDB.
    database = duckdb.connect()
    database.register("t", table)
    for compression in ("uncompressed", "snappy", "gzip", "zstd", "brotli", "lz4_raw"):
        for version in ("v1", "v2"):
            database.execute(
                f"COPY t TO '{place}/duckdb-{compression}-{version}.parquet' "
                f"(FORMAT parquet, COMPRESSION {compression}, PARQUET_VERSION {version})"
            )
    database.execute(f"COPY t TO '{place}/duckdb.parquet'")
    database.execute(
        "COPY (SELECT sex, region, code, whole::DECIMAL(12, 0) AS whole, flag, share FROM t) "
        f"TO '{place}/duckdb-decimal.parquet'"
    )
    database.execute("CREATE TYPE sexes AS ENUM ('F', 'M')")
    database.execute(
        "COPY (SELECT sex::sexes AS sex, region, code, whole::UTINYINT AS whole, flag, share::FLOAT AS share FROM t) "
        f"TO '{place}/duckdb-enum.parquet'"
    )

# Numbers at the ends of their types, and a name with a dot.
ends = {
    "a.b": ["x", "y"] * 20,
    "least": [-(2**63), 1] * 20,
    "most": [2**64 - 1, 0] * 20,
    "some": [2**64 - 1, None] * 20,
    "word": [2**32 - 1, None] * 20,
}
write_csv(folder / "ends.csv", ends)
types = pa.schema(
    {"a.b": pa.string(), "least": pa.int64(), "most": pa.uint64(), "some": pa.uint64(), "word": pa.uint32()}
)
numbers = pa.table(ends, types)
(folder / "ends").mkdir()
pq.write_table(numbers, folder / "ends/pyarrow.parquet")
pq.write_table(numbers, folder / "ends/pyarrow-plain.parquet", use_dictionary=False)
polars.from_arrow(numbers).write_parquet(folder / "ends/polars.parquet")
database.register("numbers", numbers)
database.execute(f"COPY numbers TO '{folder}/ends/duckdb.parquet'")

# Numbers with a density: amounts of two decimals, some of them missing, and a whole number of many values.
amounts = [round(row * row * 7.37 % 5000 - 200, 2) for row in range(ROWS)]
amounts[5] = 0.07
lacking = [None if row % 23 == 0 else value for row, value in enumerate(amounts)]
years = [18 + row * 37 % 63 for row in range(ROWS)]
(folder / "numbers").mkdir()
for kind, values in (("whole", amounts), ("missing", lacking)):
    place = folder / "numbers" / kind
    place.mkdir()
    columns = {"sex": COLUMNS["sex"], "age": years, "amount": values}
    write_csv(folder / f"numbers-{kind}.csv", columns)
    table = pa.table(columns)

    def typed(**types):
        return pa.schema([(field.name, types.get(field.name, field.type)) for field in table.schema])

    # In single precision the shortest number that is the same one is that of the CSV file.
    for single in ("float64", "float32"):
        for whole in ("int64", "int16", "float64"):
            cast = table.cast(typed(age=getattr(pa, whole)(), amount=getattr(pa, single)()))
            pq.write_table(cast, place / f"pyarrow-{whole}-{single}.parquet")
    texts = [None if value is None else decimal.Decimal(f"{value:.2f}") for value in values]
    for digits, stored in ((7, True), (12, True), (15, False)):
        of_decimals = table.set_column(2, "amount", pa.array(texts, pa.decimal128(digits, 2)))
        pq.write_table(of_decimals, place / f"pyarrow-decimal-{digits}.parquet", store_decimal_as_integer=stored)
    nan = numpy.array([numpy.nan if value is None else value for value in values])
    pq.write_table(table.set_column(2, "amount", pa.array(nan)), place / "pyarrow-nan.parquet")
    pandas.DataFrame(columns).to_parquet(place / "pandas.parquet")
    wide = polars.DataFrame(columns)
    wide.write_parquet(place / "polars.parquet")
    wide.with_columns(polars.col("amount").cast(polars.Decimal(14, 2))).write_parquet(place / "polars-decimal.parquet")
    database.register("amounts", table)
    database.execute(f"COPY amounts TO '{place}/duckdb.parquet'")
    database.execute(
        f"COPY (SELECT sex, age, amount::DECIMAL(9, 2) AS amount FROM amounts) TO '{place}/duckdb-decimal.parquet'"
    )

# Columns that have to be converted before.
day = datetime.date(1990, 5, 1)
moment = datetime.datetime(1990, 5, 1, 12)
for name, values in {
    "date": pa.array([day] * ROWS),
    "timestamp": pa.array([moment] * ROWS),
    "timestamp-ns": pa.array([moment] * ROWS, pa.timestamp("ns", tz="UTC")),
    "time": pa.array([datetime.time(12)] * ROWS),
    "decimal": pa.array([decimal.Decimal("1.50")] * ROWS, pa.decimal128(16, 2)),
    "infinite": pa.array([float("inf"), *map(float, range(1, ROWS))]),
    "half": pa.array(numpy.full(ROWS, 1.5, numpy.float16)),
    "list": pa.array([["x"]] * ROWS),
    "struct": pa.array([{"x": 1}] * ROWS),
    "uuid": pa.array([uuid.UUID(int=7).bytes] * ROWS, pa.uuid()),
    "bytes": pa.array([b"\xff\xfe"] * ROWS),
    "fixed": pa.array([b"abcd"] * ROWS, pa.binary(4)),
}.items():
    pq.write_table(pa.table({"sex": COLUMNS["sex"], "birth": values}), folder / f"refused/{name}.parquet")
pq.write_table(
    pa.table({"sex": COLUMNS["sex"], "birth": pa.array([moment] * ROWS, pa.timestamp("ns"))}),
    folder / "refused/int96.parquet",
    use_deprecated_int96_timestamps=True,
)
