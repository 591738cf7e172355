import { describe, expect, it } from 'vitest';
import { readJson } from '../../shared/artifacts/stored-json.ts';
import { summarySchema } from '../../shared/contracts/results/summary.ts';
import { allValues, logMarginal } from '../exact-posterior.ts';
import { type ExactTable, FORGETFUL_CHAINS, runExactly } from './exact-run.ts';

/** Five records whose values tie before the release: exactly, so that each of t has 1 / t of the first guess. */
const square: ExactTable = { codes: Uint16Array.of(...[0, 0], ...[0, 1], ...[1, 0], ...[1, 1], ...[0, 0]), sizes: [2, 2] };
const skewed: ExactTable = { codes: Uint16Array.of(...[0, 0], ...[0, 0], ...[1, 2], ...[1, 1], ...[0, 1]), sizes: [2, 3] };
const wider: ExactTable = { codes: Uint16Array.of(...[0, 0, 0], ...[0, 0, 0], ...[1, 0, 1], ...[1, 1, 1], ...[1, 0, 1]), sizes: [2, 2, 3] };

const ALPHA = 0.8;

/** The share of values that a first guess without the release gets right, by enumeration; and how many it shares. */
function exactShare({ codes, sizes }: ExactTable, classes: 1 | 2): { share: number; shared: number } {
  const width = sizes.length;
  const rows = Array.from({ length: codes.length / width }, (_, i) => [...codes.subarray(i * width, (i + 1) * width)]);
  let right = 0;
  let shared = 0;
  for (const [i, row] of rows.entries()) {
    const others = rows.toSpliced(i, 1);
    for (const k of sizes.keys()) {
      const [truth, ...rest] = allValues(row, sizes, [k]).map((x) => logMarginal([...others, x].flat(), sizes, classes, ALPHA));
      if (rest.some((value) => value > truth! + 1e-9)) continue;
      const ties = 1 + rest.filter((value) => Math.abs(value - truth!) <= 1e-9).length;
      right += 1 / ties;
      if (ties > 1) shared++;
    }
  }
  return { share: right / (rows.length * width), shared };
}

describe('values guessed right before the release, of five records that tie', () => {
  it.each([
    ['one class', square, 1, 0.3, 6],
    ['one class, three categories', skewed, 1, 0.15, 3],
    ['one class, three variables', wider, 1, 7 / 15, 6],
    ['two classes, whose prior is simulated', square, 2, 0.2, 4],
    ['two classes without a tie', skewed, 2, 0.2, 0],
  ] as const)('are the exact share: %s', async (_, table, classes, share, shared) => {
    const exact = exactShare(table, classes);
    expect(exact.share).toBeCloseTo(share, 12);
    expect(exact.shared).toBe(shared);
    for (const seed of [1, 2]) {
      const { store, keys } = await runExactly(table, {
        seed,
        model: { classes, concentration: { value: ALPHA } },
        mcmc: { ...FORGETFUL_CHAINS, draws: 150, pairedDraws: 40 },
        synthesis: { datasets: 2 },
      });
      const { attributeRisk } = await readJson(store, keys.confidential.summary, summarySchema);
      expect(attributeRisk[0]!.firstGuessRightBefore).toBeCloseTo(share, 12);
    }
  });
});
