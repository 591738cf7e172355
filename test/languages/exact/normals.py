"""
The mixture of products of multinomials and normals with all parameters integrated out: every allocation of rows to two classes.

The density of a class is a ratio of normalizing constants (DeGroot 1970, section 9.6): that of its categories, masses among them, is
Dirichlet-multinomial, and that of its numbers on their unit scales is the product of Student's t of each, given those before. Rows that
are the same are in the first class so many at a time, with the number of ways to choose them. With the labels of both classes exchanged
an allocation has the same densities, so that where a further row comes to either class it is the first one, with both their weights.
"""

import itertools
import math
from dataclasses import dataclass

import numpy as np

# Each scale with its inverse, and its slope.
SCALES = {
    "none": (lambda value: value, lambda scaled: scaled, lambda value: 1.0),
    "log": (math.log, math.exp, lambda value: 1 / value),
    "asinh": (math.asinh, math.sinh, lambda value: 1 / math.hypot(value, 1)),
    "sqrt": (math.sqrt, lambda scaled: scaled * scaled, lambda value: 1 / (2 * math.sqrt(value))),
}
# Over which the step of rounding is averaged.
POINTS = 1000
# Logarithm of a share of the largest density of an allocation.
NEGLIGIBLE = 45
log_gamma, complement = np.vectorize(math.lgamma), np.vectorize(math.erfc)


def log_regularized(shapes, x):
    """log P(shape, x), of shapes that are whole numbers or halves of them: Q(s + 1, x) = Q(s, x) + x^s e^-x / Gamma(s + 1)."""
    upper = np.where(shapes % 1 == 0, 0.0, complement(np.sqrt(x)))
    for twice in range(int(2 * shapes.max()) - 1):
        power = twice / 2
        steps = (shapes - power >= 1) & ((shapes - power) % 1 == 0)
        upper[steps] += np.exp(power * np.log(x[steps]) - x[steps] - math.lgamma(power + 1))
    return np.log1p(-upper)


@dataclass
class Categories:
    size: int

    def adds(self, value):
        """What a row adds to the sums of its class: nothing where its value is missing."""
        return [float(value == code) for code in range(self.size)]

    def log_class(self, sums):
        """Logarithms of the density of the rows of classes, of each of which the sums are a column."""
        counts = sums.astype(int)
        whole = counts.sum(axis=0)
        log_gammas = log_gamma(1 + np.arange(whole.max() + 1.0))
        log_sums = log_gamma(self.size + np.arange(whole.max() + 1.0))
        return math.lgamma(self.size) - log_sums[whole] + sum(log_gammas[own] for own in counts)


class Numbers:
    def __init__(self, declared, model):
        self.masses = declared.get("masses", [])
        self.indicator = Categories(1 + len(self.masses)) if self.masses else None
        self.cells = declared.get("cells", 64)
        self.within = declared.get("within", {"share": 0.1})
        self.step = 10.0 ** -declared.get("decimals", 0)
        to, self.back, slope = SCALES[declared.get("scale", "none")]
        # The range is scaled without the masses at its ends.
        low, high = declared["range"]
        while low in self.masses:
            low += self.step
        while high in self.masses:
            high -= self.step
        self.to, self.start, self.length = to, to(low), to(high) - to(low)
        self.kappa, self.shape, self.rate = model["meanRecords"], model["variance"]["shape"], model["variance"]["rate"]
        log_slopes = [math.log(slope(self.from_unit((point + 0.5) / POINTS))) for point in range(POINTS)]
        # The standard deviation of rounding, which no class is below.
        self.smallest = math.exp(sum(log_slopes) / POINTS) * self.step / self.length / math.sqrt(12)

    def from_unit(self, unit):
        return self.back(self.start + unit * self.length)

    def adds(self, value):
        is_number = value is not None and value not in self.masses
        code = None if value is None else 1 + self.masses.index(value) if value in self.masses else 0
        return self.adds_of((self.to(value) - self.start) / self.length if is_number else None, code)

    def adds_of(self, unit, code=0):
        numbers = [0.0, 0.0, 0.0] if unit is None else [1.0, unit, unit * unit]
        return [*numbers, *(self.indicator.adds(code) if self.indicator else [])]

    def candidates(self):
        """Where each mass and each cell begins and ends, its width on the unit scale, and what a row with it adds."""
        masses = [(mass, mass, 1.0, self.adds(mass)) for mass in self.masses]
        edges = [c / self.cells for c in range(self.cells + 1)]
        cells = [
            (self.from_unit(low), self.from_unit(high), high - low, self.adds_of((low + high) / 2))
            for low, high in itertools.pairwise(edges)
        ]
        return masses + cells

    def near(self, value):
        """Of each candidate the share that is near the value."""
        half = max(self.within.get("amount", self.within.get("share", 0) * abs(value)), self.step / 2)
        return [
            max(0.0, min(end, value + half) - max(start, value - half)) / (end - start) if end > start else float(abs(start - value) <= half)
            for start, end, *_ in self.candidates()
        ]

    def log_class(self, sums):
        n, added, squares = sums[:3]
        mean = added / np.maximum(n, 1)
        shapes = self.shape + n / 2
        rates = self.rate + np.maximum(squares - added * mean, 0) / 2 + self.kappa * n * (mean - 0.5) ** 2 / (2 * (self.kappa + n))
        log_shapes = log_gamma(self.shape + np.arange(int(n.max()) + 1.0) / 2)
        normal = log_shapes[n.astype(int)] - log_shapes[0] + self.shape * math.log(self.rate) - shapes * np.log(rates)
        normal += np.log(self.kappa / (self.kappa + n)) / 2 - n / 2 * math.log(2 * math.pi)
        bounded = rates / self.smallest**2
        # Beyond it P is 1 but for rounding.
        low = bounded < 100
        if low.any():
            normal[low] += log_regularized(shapes[low], bounded[low])
        normal -= log_regularized(np.array([self.shape]), np.array([self.rate / self.smallest**2]))
        return normal + self.indicator.log_class(sums[3:]) if self.indicator else normal


class Normals:
    """The model of a run. A row is what it adds to the sums of its class, of each variable."""

    def __init__(self, run):
        model = run.config["model"]
        if model["classes"] != 2:
            raise ValueError("two classes are wanted")
        self.alpha = model["concentration"]["value"]
        self.variables = [
            Categories(size) if size else Numbers(run.config["variables"][name], model)
            for name, size in zip(run.names, run.sizes, strict=True)
        ]
        ends = itertools.accumulate((len(one.adds(None)) for one in self.variables), initial=0)
        self.blocks = [slice(start, end) for start, end in itertools.pairwise(ends)]

    def row(self, record):
        return np.array([number for value, one in zip(record, self.variables, strict=True) for number in one.adds(value)])

    def log_weights(self, members, others):
        """log E[V^n (1 - V)^k] with a stick V ~ Beta(1, alpha)."""
        total = int(members[0] + others[0])
        of_members = log_gamma(1 + np.arange(total + 1.0))
        of_others = log_gamma(self.alpha + np.arange(total + 1.0))
        return math.log(self.alpha) + of_members[members] + of_others[others] - math.lgamma(1 + self.alpha + total)


def log_sum(logs):
    largest = logs.max()
    return largest + math.log(np.exp(logs - largest).sum())


class Allocated:
    """All allocations of some rows to two classes."""

    def __init__(self, model, rows):
        self.model = model
        distinct = {}
        for row in rows:
            key = tuple(row)
            distinct[key] = distinct.get(key, 0) + 1
        sums = np.zeros((model.blocks[-1].stop, 1))
        members, ways = np.zeros(1, dtype=int), np.zeros(1)
        for row, count in distinct.items():
            chosen = np.arange(count + 1)
            log_ways = np.array([math.log(math.comb(count, some)) for some in chosen])
            sums = (sums[:, :, None] + np.array(row)[:, None, None] * chosen).reshape(len(sums), -1)
            members = (members[:, None] + chosen).ravel()
            ways = (ways[:, None] + log_ways).ravel()
        others = len(rows) - members
        of_others = ways + self.log_blocks(sum(rows)[:, None] - sums).sum(axis=0) if rows else ways
        logs = of_others + model.log_weights(members, others) + self.log_blocks(sums).sum(axis=0)
        self.log_density = log_sum(logs)
        # What is left out of hundreds of thousands of allocations is not seen, whatever row comes to them.
        kept = logs > logs.max() - NEGLIGIBLE
        self.sums, self.members, self.others, self.of_others = sums[:, kept], members[kept], others[kept], of_others[kept]

    def log_blocks(self, sums):
        return np.array([one.log_class(sums[block]) for one, block in zip(self.model.variables, self.model.blocks, strict=True)])

    def log_with(self, row, changes):
        """log p of the rows and of a further one, and with each of the changes in it: a variable, and what the row has there."""
        weigh = self.model.log_weights
        weights = np.logaddexp(weigh(self.members + 1, self.others), weigh(self.others, self.members + 1))
        own = self.log_blocks(self.sums + row[:, None])
        whole = self.of_others + weights + own.sum(axis=0)
        found = [
            log_sum(whole - own[k] + self.model.variables[k].log_class(self.sums[self.model.blocks[k]] + adds[:, None])) for k, adds in changes
        ]
        return log_sum(whole), np.array(found)
