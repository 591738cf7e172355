"""What a run read and wrote: its table, its config, its release, and the records that an intruder was given."""

import csv
import json
from dataclasses import dataclass
from pathlib import Path


def rows_of(path):
    with open(path, encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


@dataclass
class Variable:
    name: str
    # Texts in the order that the config declares; none of a number.
    categories: list

    def read(self, text):
        """The code or number of a text; None where it is empty."""
        if text == "":
            return None
        return self.categories.index(text) if self.categories else float(text)

    def write(self, value):
        return self.categories[value] if self.categories else value


class Run:
    """Records are tuples of codes, or of numbers where a variable has no categories."""

    def __init__(self, folder, table, config, datasets=()):
        """datasets: paths of those that the run did not make."""
        self.config = json.loads(Path(config).read_text(encoding="utf-8"))
        self.folder = Path(folder)
        rows = rows_of(table)
        declared = self.config["variables"]
        self.variables = [Variable(name, declared[name].get("categories")) for name in rows[0]]
        self.names = [variable.name for variable in self.variables]
        self.sizes = [len(variable.categories or []) for variable in self.variables]
        self.records = self.read(rows)
        own = range(0 if datasets else self.config["synthesis"]["datasets"])
        files = datasets or [self.folder / "release" / f"synthetic-{l + 1}.csv" for l in own]
        self.datasets = [self.read(rows_of(file)) for file in files]
        synthesized = self.config["synthesis"].get("synthesized")
        self.is_partial = synthesized is not None
        # Places of the variables that a release has anew, in the order in which they are visited.
        self.synthesized = [self.names.index(name) for name in synthesized or self.names]
        zeros = self.config["synthesis"].get("structuralZeros")
        rules = rows_of(Path(config).parent / zeros) if zeros else []
        self.impossible = [
            {self.names.index(name): self.variables[self.names.index(name)].read(text) for name, text in rule.items() if text}
            for rule in rules
        ]

    def read(self, rows):
        return [tuple(variable.read(row[variable.name]) for variable in self.variables) for row in rows]

    def is_possible(self, cell):
        return not any(all(cell[k] == code for k, code in rule.items()) for rule in self.impossible)

    def scenarios(self):
        """Each intruder with its name (none where there is one alone), what it considers, believes and has."""
        settings = self.config.get("attributeRisk", {})
        return settings.get("scenarios", [settings])

    def known_places(self, scenario):
        """Which records (from 0) an intruder has who does not have all, where the rows of results are those that he does not have."""
        rows = rows_of(self.folder / "confidential" / "attribute-risk.csv")
        left = {int(row["record"]) for row in rows if row["scenario"] == scenario["name"]}
        return [i for i in range(len(self.records)) if i + 1 not in left]

    def known_records(self, scenario):
        """
        The records that an intruder with a share of them has: those of each combination that its rows do not count.
        """
        if scenario["knows"] == "nothing":
            return []
        left = {}
        for row in rows_of(self.folder / "confidential" / "attribute-risk.csv"):
            if row["scenario"] == scenario["name"]:
                left[self.read([row])[0]] = int(row["count"])
        distinct = dict.fromkeys(self.records)
        return [one for one in distinct for _ in range(self.records.count(one) - left.get(one, 0))]
