import { expect, it } from 'vitest';
import { candidateScorer } from '../../../shared/risk/reconstruction/candidate-means.ts';

/** A draw of one class, with the shares of two categories of one variable and of three of another. */
const draw = (...probabilities: number[]) => ({ weights: Float64Array.of(1), probabilities: Float64Array.from(probabilities) });

it('candidates have their mean density over draws, and how probably they are among the records, in the first half as well', () => {
  const draws = [draw(0.5, 0.5, 0.2, 0.2, 0.6), draw(0.25, 0.75, 0.4, 0.4, 0.2), draw(1, 0, 0.5, 0.25, 0.25)];
  const score = candidateScorer(Uint16Array.of(0, 0, 1, 2), [2, 3], 2);
  // Densities of both candidates by draw.
  const densities = [
    [0.1, 0.1, 0.5],
    [0.3, 0.15, 0],
  ];
  const mean = (values: number[]) => expect.closeTo(values.reduce((sum, value) => sum + value, 0) / values.length, 12);
  // Of two records: f + f - f^2.
  const present = (values: number[]) => mean(values.map((f) => 2 * f - f * f));
  for (const [half, first] of [
    [2, 2],
    [0, 3],
  ] as const) {
    const found = score(draws, half);
    expect([...found.densities.means]).toEqual(densities.map(mean));
    expect([...found.densities.half]).toEqual(densities.map((own) => mean(own.slice(0, first))));
    expect([...found.present.means]).toEqual(densities.map(present));
    expect([...found.present.half]).toEqual(densities.map((own) => present(own.slice(0, first))));
  }
});
