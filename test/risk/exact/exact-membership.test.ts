import { expect, it } from 'vitest';
import { exactMembership } from '../../../shared/risk/exact/exact-membership.ts';
import { countRelease } from '../../../shared/risk/exact/exact-terms.ts';
import { combinationsFromCodes } from '../../../shared/table/distinct-rows.ts';

const sizes = [2, 3];
const ALPHA = 0.4;
const CELLS = 6;
const rowsOf = (codes: readonly number[]) => combinationsFromCodes(Uint16Array.from(codes), codes.length / 2, 2).combinations;
const people = [0, 0, 0, 0, 1, 2, 1, 0];
const datasets = [
  [0, 0, 1, 1, 1, 1, 0, 0, 1, 2],
  [1, 0, 0, 0, 0, 2],
];
const numbers = (codes: readonly number[]) => Array.from({ length: codes.length / 2 }, (_, i) => 3 * codes[2 * i]! + codes[2 * i + 1]!);

/** log P(Z | table): every synthetic record by the share of its cell, (count + alpha) / (n + alpha cells). */
function logRelease(table: readonly number[], dataset: readonly number[]): number {
  const share = (cell: number) => (table.filter((own) => own === cell).length + ALPHA) / (table.length + ALPHA * CELLS);
  return numbers(dataset).reduce((sum, cell) => sum + Math.log(share(cell)), 0);
}

it('compares the release with a person in the table and without, whole and without each dataset', () => {
  const release = countRelease(rowsOf(people), datasets.map(rowsOf), { sizes, alpha: ALPHA, epsilon: 1 });
  const table = numbers(people);
  const check = (found: ReturnType<typeof exactMembership>, pairs: readonly (readonly [within: number[], without: number[]])[]) => {
    expect(found).toHaveLength(pairs.length);
    for (const [i, [within, without]] of pairs.entries()) {
      const ratios = datasets.map((dataset) => logRelease(within, dataset) - logRelease(without, dataset));
      expect(found[i]!.logRatio).toBeCloseTo(ratios[0]! + ratios[1]!, 12);
      expect([...Array.from(found[i]!.logRatiosWithout)]).toEqual([expect.closeTo(ratios[1]!, 12), expect.closeTo(ratios[0]!, 12)]);
    }
  };
  check(
    exactMembership(release, Uint16Array.from(people), 1),
    table.map((_, i) => [table, table.toSpliced(i, 1)]),
  );
  // One of a cell that the table has, one of a cell that a dataset alone has, and one of a cell that is empty everywhere.
  check(
    exactMembership(release, Uint16Array.of(0, 0, 1, 1, 0, 1), 0),
    [0, 4, 1].map((cell) => [[...table, cell], table]),
  );
});
