"""
The mixture of products of multinomials with all parameters integrated out: every allocation of records to classes.

Records come one after the other. Given those before it, a record is in class f with the posterior mean of its weight, where
V_g ~ Beta(1, alpha) has become Beta(1 + n_g, alpha + those after g); its value in a variable of d categories is c with
probability (1 + records of the class with c) / (d + records of the class). So the probability of some records is a sum over
all ways to allocate them. Allocations that leave the same counts are added up.
"""

from collections import defaultdict
from functools import lru_cache


class Mixture:
    def __init__(self, sizes, classes, concentration, columns):
        """
        columns: the variable of each value of a record. Several may be of one variable, as the own value of a partially
        synthetic record and the one that it was given, which are drawn from the same class.
        """
        self.sizes = sizes
        self.classes = classes
        self.concentration = concentration
        self.columns = columns
        self.offsets = [sum(sizes[:k]) for k in range(len(sizes))]
        self.class_weights = lru_cache(maxsize=None)(self._class_weights)
        self.joined = lru_cache(maxsize=None)(self._joined)

    def nothing(self):
        """Probabilities by the counts of each class: no record yet."""
        return {((0,) * (1 + sum(self.sizes)),) * self.classes: 1.0}

    def _class_weights(self, members):
        """The probability of each class for the next record, given how many there are in each."""
        weights = []
        stick = 1.0
        for f in range(self.classes - 1):
            behind = sum(members[f + 1 :])
            total = 1 + self.concentration + members[f] + behind
            weights.append(stick * (1 + members[f]) / total)
            stick *= (self.concentration + behind) / total
        return [*weights, stick]

    def _joined(self, one, record):
        """The probability of a record's values in a class, and the class with it. A class: its records, then counts."""
        counts = list(one)
        counts[0] += 1
        probability = 1.0
        for variable, code in zip(self.columns, record, strict=True):
            first, size = 1 + self.offsets[variable], self.sizes[variable]
            probability *= (1 + counts[first + code]) / (size + sum(counts[first : first + size]))
            counts[first + code] += 1
        return probability, tuple(counts)

    def extended(self, allocations, records):
        """After some more records: joint probabilities of these and of what was there."""
        for record in records:
            after = defaultdict(float)
            for classes, probability in allocations.items():
                weights = self.class_weights(tuple(one[0] for one in classes))
                for f, weight in enumerate(weights):
                    of_values, joined = self.joined(classes[f], record)
                    after[(*classes[:f], joined, *classes[f + 1 :])] += probability * weight * of_values
            allocations = after
        return allocations

    def probability(self, allocations, record):
        """The probability of all that is there and of one more record."""
        return sum(
            probability
            * sum(
                weight * self.joined(one, record)[0]
                for weight, one in zip(self.class_weights(tuple(one[0] for one in classes)), classes, strict=True)
            )
            for classes, probability in allocations.items()
        )
