import { beforeAll, describe, expect, it } from 'vitest';
import { RandomStream } from '../../shared/random/random-stream.ts';
import { release } from './draw-release.ts';
import { runExactly } from './exact-run.ts';

const sizes = [2, 3, 3, 4, 2];
const RECORDS = 200;
const model = { classes: 10, concentration: { shape: 0.25, rate: 0.25 } };

const KINDS = [
  [0, 0, 1, 0, 0],
  [1, 1, 0, 1, 0],
  [0, 2, 2, 2, 1],
  [1, 0, 1, 3, 1],
];

/** Four kinds of records; each value is its kind's with probability 3/4, and else uniform. */
function dependentTable(): Uint16Array {
  const random = new RandomStream(81, 'dependent');
  const codes = new Uint16Array(RECORDS * sizes.length);
  for (let i = 0; i < RECORDS; i++) {
    const kind = KINDS[random.below(4)]!;
    for (const [k, size] of sizes.entries()) {
      const own = random.below(size);
      codes[i * sizes.length + k] = random.uniform() < 0.75 ? kind[k]! : own;
    }
  }
  return codes;
}

function uniformTable(name: string): Uint16Array {
  const random = new RandomStream(82, name);
  return Uint16Array.from({ length: RECORDS * sizes.length }, (_, i) => random.below(sizes[i % sizes.length]!));
}

/**
 * The risk of datasets made elsewhere: fresh augmented chains with full burn-in on the stacked table, each
 * continued on the table alone, compared chain by chain. Means over records.
 */
async function foreignRisk(codes: Uint16Array, datasets: readonly Uint16Array[]) {
  const mcmc = { chains: 12, burnIn: 300, draws: 50, thin: 3, pairedChains: 8, pairedDraws: 60, pairedThin: 3 };
  const { rows } = await runExactly({ codes, sizes }, { seed: 84, model, mcmc, elsewhere: datasets });
  const candidates = 1 + sizes.reduce((sum, size) => sum + size - 1, 0);
  const mean = (values: (row: (typeof rows)[number]) => number) => rows.reduce((sum, row) => sum + (row.count / RECORDS) * values(row), 0);
  return {
    /** What the posterior gives the truth above the uniform prior, in bits: a proper score. */
    achievedBits: mean(({ probability }) => Math.log2(probability * candidates)),
    /** Every standard error of the log at once in the same direction: more than the error of the mean. */
    achievedBitsSe: mean(({ probability, probabilitySe }) => probabilitySe / probability / Math.LN2),
    informationBits: mean(({ informationBits }) => informationBits),
    firstShare: mean(({ rank }) => (rank === 1 ? 1 : 0)),
    candidates,
  };
}

describe('datasets made elsewhere, of a dependent table of 200 records', () => {
  const codes = dependentTable();
  let copy: Awaited<ReturnType<typeof foreignRisk>>;
  let drawn: typeof copy;

  beforeAll(async () => {
    // But for one value, and backwards: of the table itself, or its columns, nothing is estimated.
    const changed = codes.with(0, (codes[0]! + 1) % sizes[0]!);
    const nearly = Uint16Array.from(changed, (_, i) => {
      const v = i % sizes.length;
      return changed[codes.length - sizes.length - (i - v) + v]!;
    });
    copy = await foreignRisk(codes, [nearly, nearly]);
    drawn = await foreignRisk(codes, release(codes, sizes, model, 2, 500, 83).datasets);
  });

  it('tell much when they are copies of the table but for a value', () => {
    expect(copy.achievedBits).toBeGreaterThan(0.2);
    expect(copy.achievedBits).toBeGreaterThan(8 * copy.achievedBitsSe);
    expect(copy.firstShare).toBeGreaterThan(3 / copy.candidates);
  });

  it('tell far more when they are copies than when they are drawn from the model', () => {
    expect(copy.achievedBits).toBeGreaterThan(2 * drawn.achievedBits + 4 * drawn.achievedBitsSe);
    expect(copy.firstShare).toBeGreaterThan(2 * drawn.firstShare);
  });

  it('tell nothing true when they are independent uniform numbers: guessing at random does better', async () => {
    // The intruder takes them for draws from the model, which they are not: they mislead, and never help.
    const noise = await foreignRisk(codes, [uniformTable('first'), uniformTable('second')]);
    expect(noise.achievedBits).toBeLessThan(4 * noise.achievedBitsSe);
    expect(noise.firstShare).toBeLessThan(1 / noise.candidates);
  });
});

describe('datasets made elsewhere, of a table that is uniform noise itself', () => {
  it('hold next to no information when they are noise too', async () => {
    const noise = await foreignRisk(uniformTable('table'), [uniformTable('first'), uniformTable('second')]);
    expect(noise.informationBits).toBeLessThan(0.1);
    expect(Math.abs(noise.achievedBits)).toBeLessThan(0.1);
  });
});
