"""
The mixture without its impossible cells, on variables of two categories: its parameters integrated out by quadrature.

The density of a record is f(x) / (1 - f(impossible)), so that the probability of some records is the mean, over the prior of
the parameters, of a product of these. Gauss and Legendre's rule takes each parameter in turn. With a stick of V ~ Beta(1, alpha)
1 - V is a uniform number to the power 1 / alpha.
"""

import itertools

import numpy


class Truncated:
    def __init__(self, run, classes, concentration, nodes):
        if any(size != 2 for size in run.sizes):
            raise ValueError("variables of two categories are wanted")
        places, shares = numpy.polynomial.legendre.leggauss(nodes)
        places, shares = (places + 1) / 2, shares / 2
        count = classes - 1 + classes * len(run.sizes)
        parameters = numpy.meshgrid(*[places] * count, indexing="ij", sparse=True)
        self.weights = numpy.ones([1] * count)
        for own in numpy.meshgrid(*[shares] * count, indexing="ij", sparse=True):
            self.weights = self.weights * own
        sticks, phi = parameters[: classes - 1], parameters[classes - 1 :]
        left = numpy.ones([1] * count)
        class_weights = []
        for uniform in sticks:
            after = uniform ** (1 / concentration)
            class_weights.append(left * (1 - after))
            left = left * after
        class_weights.append(left)
        cells = [cell for cell in itertools.product(*[range(2)] * len(run.sizes)) if run.is_possible(cell)]
        density = {}
        for cell in cells:
            density[cell] = numpy.zeros([1] * count)
            for f, weight in enumerate(class_weights):
                values = weight
                for k, code in enumerate(cell):
                    one = phi[f * len(run.sizes) + k]
                    values = values * (one if code == 1 else 1 - one)
                density[cell] = density[cell] + values
        possible = sum(density.values())
        self.cells = cells
        self.logs = {cell: numpy.log(density[cell] / possible).ravel() for cell in cells}
        self.weights = self.weights.ravel()
        self.found = {}

    def probability(self, records):
        counts = tuple(records.count(cell) for cell in self.cells)
        if counts not in self.found:
            total = sum(count * self.logs[cell] for cell, count in zip(self.cells, counts, strict=True) if count)
            self.found[counts] = float(numpy.sum(self.weights * numpy.exp(total)))
        return self.found[counts]
