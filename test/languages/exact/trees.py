"""
Trees as docs/explanation/estimators.md has them, grown one by one from nothing, in whole numbers and fractions.

Every tree of the table with a guess in the place of a record is grown anew, and every row of the release dropped down it.
"""

from collections import Counter
from fractions import Fraction
from functools import lru_cache

MAX_ENUMERATED = 10
MAX_DEPTH = 30


class Node:
    def __init__(self, records, response):
        self.donors = Counter(record[response] for record in records)
        self.size = len(records)
        # (variable, left, right): sets of categories, or a number below which is left.
        self.division = None
        self.sides = ()

    def risk(self):
        return self.size - max(self.donors.values())

    def next(self, row):
        """The side on which a row falls; none at a leaf, and where no record had its category."""
        if self.division is None:
            return None
        variable, left, right = self.division
        if right is None:
            return self.sides[0] if row[variable] < left else self.sides[1]
        if row[variable] in left:
            return self.sides[0]
        return self.sides[1] if row[variable] in right else None

    def path(self, row):
        """The nodes that a row passes, down to where it rests."""
        nodes = [self]
        while (below := nodes[-1].next(row)) is not None:
            nodes.append(below)
        return nodes


def purity(donors):
    size = sum(donors.values())
    return Fraction(sum(count * count for count in donors.values()), size) if size else Fraction(0)


class Forest:
    def __init__(self, run):
        model = run.config["model"]
        self.run = run
        self.minimum = model.get("minimumLeaf", 5)
        self.complexity = Fraction(str(model.get("complexity", 1e-8)))
        of_kept = [k for k in range(len(run.names)) if k not in run.synthesized]
        kept = of_kept if model.get("predictors", "kept") == "kept" else []
        # The table's order is that of predictors, whatever the order of visits.
        self.predictors = {
            variable: sorted([*kept, *run.synthesized[:visit]]) for visit, variable in enumerate(run.synthesized)
        }
        self.tree = lru_cache(maxsize=None)(self._tree)

    def of(self, variable, records):
        """The tree of a variable: a function of the records, whatever their order, and of what it looks at."""
        looked_at = [*self.predictors[variable], variable]
        return self.tree(variable, tuple(sorted(tuple(v if k in looked_at else 0 for k, v in enumerate(one)) for one in records)))

    def _tree(self, variable, records):
        root = self.grown(list(records), variable, 0)
        self.pruned(root, self.complexity * root.risk())
        return root

    def grown(self, records, response, depth):
        node = Node(records, response)
        if len(records) < 3 * self.minimum or depth == MAX_DEPTH:
            return node
        most = purity(node.donors)
        for variable in self.predictors[response]:
            for left, right, side in self.divisions(records, variable, response, node):
                on_left = [record for record in records if side(record[variable])]
                if min(len(on_left), len(records) - len(on_left)) < self.minimum:
                    continue
                donors = Counter(record[response] for record in on_left)
                gain = purity(donors) + purity(node.donors - donors)
                # Of equal ones the first stays.
                if gain > most:
                    most = gain
                    node.division = (variable, left, right)
        if node.division is not None:
            variable, left, right = node.division
            is_left = (lambda value: value < left) if right is None else (lambda value: value in left)
            node.sides = tuple(
                self.grown([record for record in records if is_left(record[variable]) == side], response, depth + 1)
                for side in (True, False)
            )
        return node

    def divisions(self, records, variable, response, node):
        """All divisions of a node by a variable that are looked at, in order: left, right, and who is left."""
        values = sorted({record[variable] for record in records})
        if self.run.variables[variable].categories is None:
            for below, above in zip(values, values[1:]):
                threshold = (below + above) / 2
                yield threshold, None, lambda value, threshold=threshold: value < threshold
            return
        if len(node.donors) > 2:
            if len(values) > MAX_ENUMERATED:
                raise ValueError("too many categories for all divisions")
            # Sets that one after the other differ in one category, which is put in or taken out; the last is never in.
            sets = [set()]
            for value in values[:-1]:
                sets += [{*one, value} for one in reversed(sets)]
            lefts = sets[1:]
        else:
            first = min(node.donors)

            def share(value):
                own = [record[response] for record in records if record[variable] == value]
                return Fraction(own.count(first), len(own))

            ordered = sorted(values, key=lambda value: (share(value), value))
            lefts = [set(ordered[:cut]) for cut in range(1, len(ordered))]
        for left in lefts:
            yield left, set(values) - left, left.__contains__

    def pruned(self, node, cost):
        """Makes leaves of what does not lower risk and cost together; returns what is left of them."""
        alone = node.risk() + cost
        if node.division is None:
            return alone
        below = sum(self.pruned(side, cost) for side in node.sides)
        if alone <= below:
            node.division, node.sides = None, ()
            return alone
        return below


class Structure:
    """A tree with the divisions of the table and the donors of another: those who pass each node."""

    def __init__(self, root, records, response):
        self.root = root
        self.donors = {}
        for record in records:
            for node in root.path(record):
                self.donors.setdefault(id(node), Counter())[record[response]] += 1

    def at(self, row):
        """The donors of a row: those of the lowest node on its path that has any."""
        return next(self.donors[id(node)] for node in reversed(self.root.path(row)) if id(node) in self.donors)

    def resting(self, row):
        return self.donors.get(id(self.root.path(row)[-1]), Counter())


def replaced(record, places, values):
    own = dict(zip(places, values, strict=True))
    return tuple(own.get(k, value) for k, value in enumerate(record))


class TreeRisk:
    """Likelihoods of the release and priors of a record's candidates, the trees grown again or held as they are."""

    def __init__(self, run):
        self.run = run
        self.forest = Forest(run)
        self.own = {k: self.forest.of(k, run.records) for k in run.synthesized}
        self.rows = Counter(row for dataset in run.datasets for row in dataset)

    def likelihood(self, index, candidate):
        guessed = [*self.run.records[:index], candidate, *self.run.records[index + 1 :]]
        probability = Fraction(1)
        for k in self.run.synthesized:
            tree = self.forest.of(k, guessed)
            for row, times in self.rows.items():
                node = tree.path(row)[-1]
                probability *= Fraction(node.donors[row[k]], node.size) ** times
        return probability

    def prior(self, index, candidate):
        others = self.run.records[:index] + self.run.records[index + 1 :]
        probability = Fraction(1)
        for k in self.run.synthesized:
            node = self.forest.of(k, others).path(candidate)[-1]
            probability *= (node.donors[candidate[k]] + Fraction(1, self.run.sizes[k])) / (node.size + 1)
        return probability

    def fixed_likelihood(self, index, candidate):
        guessed = [*self.run.records[:index], candidate, *self.run.records[index + 1 :]]
        probability = Fraction(1)
        for k in self.run.synthesized:
            structure = Structure(self.own[k], guessed, k)
            for row, times in self.rows.items():
                donors = structure.resting(row)
                if donors[row[k]] == 0:
                    return Fraction(0)
                probability *= Fraction(donors[row[k]], donors.total()) ** times
        return probability

    def fixed_prior(self, index, candidate):
        others = self.run.records[:index] + self.run.records[index + 1 :]
        probability = Fraction(1)
        for k in self.run.synthesized:
            donors = Structure(self.own[k], others, k).at(candidate)
            probability *= (donors[candidate[k]] + Fraction(1, self.run.sizes[k])) / (donors.total() + 1)
        return probability
