import { describe, expect, it } from 'vitest';
import { type Summary, summarySchema } from '../../shared/contracts/results/summary.ts';
import { logMarginal } from '../exact-posterior.ts';
import { csvRows } from '../pipeline/small-run.ts';
import {
  type ExactRun,
  type ExactTable,
  FORGETFUL_CHAINS,
  largest,
  mistakenReleases,
  type RiskRow,
  recordOf,
  runExactly,
} from './exact-run.ts';

/** Five records, so few that every allocation of them, of one person more and of a dataset can be summed over. */
const table: ExactTable = { codes: Uint16Array.of(...[0, 0], ...[0, 0], ...[1, 2], ...[1, 1], ...[0, 1]), sizes: [2, 3] };
const ALPHA = 0.8;
const model = { classes: 2, concentration: { value: ALPHA } };
const marginal = (codes: readonly number[]) => logMarginal(codes, table.sizes, 2, ALPHA);

const CELLS = Array.from({ length: 6 }, (_, cell) => [Math.floor(cell / 3), cell % 3]);

/** log2 P(Z | known, x) / P(Z | known), by every allocation, a factor a dataset. */
function exactBits(known: readonly number[], x: readonly number[], datasets: readonly Uint16Array[]): number[] {
  const withX = [...known, ...x];
  return datasets.map(
    (dataset) => (marginal([...withX, ...dataset]) - marginal(withX) - marginal([...known, ...dataset]) + marginal(known)) / Math.LN2,
  );
}

const sumOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0);

/** The records but that of a row. */
const othersThan = (row: RiskRow) => {
  const record = recordOf(table, row);
  return [...table.codes].toSpliced(2 * record, 2);
};

const bitsOf = (rows: readonly RiskRow[], datasets: readonly Uint16Array[]) =>
  rows.map((row) => sumOf(exactBits(othersThan(row), row.codes, datasets)));

/** Differences of a run's bits from exact ones, in its own standard errors. */
const differences = (rows: readonly RiskRow[], exact: readonly number[]) =>
  rows.map(({ figure }, i) => (figure('membership_bits') - exact[i]!) / figure('membership_bits_se'));

async function membershipOf({ store, keys }: Awaited<ReturnType<typeof runExactly>>) {
  const summary: Summary = summarySchema.parse(JSON.parse(new TextDecoder().decode(await store.get(keys.confidential.summary))));
  const { membership, membershipReason } = summary.attributeRisk[0]!;
  return { membership: membership!, membershipReason };
}

/** The exact area below the curve of the optimal test, over the records and over draws given the table. */
function exactFigures(rows: readonly RiskRow[], datasets: readonly Uint16Array[]) {
  const known = [...table.codes];
  const members = bitsOf(rows, datasets).map((bits, i) => ({ bits, share: rows[i]!.count / 5 }));
  const others = CELLS.map((y) => ({
    bits: sumOf(exactBits(known, y, datasets)),
    share: Math.exp(marginal([...known, ...y]) - marginal(known)),
  }));
  // Records and cells of the same values differ by who is known: no two have the same ratio.
  const auc = sumOf(members.flatMap((m) => others.map((o) => (m.bits > o.bits ? m.share * o.share : 0))));
  const meanRatioOthers = sumOf(others.map(({ bits, share }) => share * 2 ** bits));
  const meanInverseRatioMembers = sumOf(members.map(({ bits, share }) => share * 2 ** -bits));
  return { auc, meanRatioOthers, meanInverseRatioMembers };
}

describe('membership, against sums over every allocation with the person and without', () => {
  const runs: [name: string, run: Partial<ExactRun>][] = [
    ['one dataset', { synthesis: { datasets: 1 } }],
    ['two datasets', { synthesis: { datasets: 2 } }],
    ['phi as it was drawn', { synthesis: { datasets: 2 }, attributeRisk: { phi: 'drawn' } }],
    [
      'candidates on one variable, and batches of one row',
      { synthesis: { datasets: 2 }, attributeRisk: { candidates: { unknown: ['v1'] } }, batchSize: 1 },
    ],
  ];

  it.each(runs)('is exact for a record and over the file: %s', async (_, given) => {
    const run = await runExactly(table, { model, mcmc: FORGETFUL_CHAINS, ...given });
    const { rows, datasets } = run;
    expect(largest(differences(rows, bitsOf(rows, datasets)))).toBeLessThan(4);
    expect(largest(rows.map(({ figure }) => figure('membership_bits_se')))).toBeLessThan(0.1);
    for (const { figure } of rows) {
      const ratio = 2 ** figure('membership_bits');
      expect(figure('membership_probability')).toBeCloseTo(ratio / (1 + ratio), 12);
    }
    for (const mistaken of mistakenReleases(datasets)) {
      expect(largest(differences(rows, bitsOf(rows, mistaken)))).toBeGreaterThan(5);
    }
    const { membership } = await membershipOf(run);
    const exact = exactFigures(rows, datasets);
    expect(exact.meanRatioOthers).toBeCloseTo(datasets.length === 1 ? 1 : exact.meanRatioOthers, 9);
    expect(membership.others).toBe('simulated');
    for (const name of ['auc', 'meanRatioOthers', 'meanInverseRatioMembers'] as const) {
      expect(Math.abs(membership[name] - exact[name]), name).toBeLessThan(4 * membership[`${name}SimulationSe`]! + 1e-9);
    }
  });

  it.each([
    ['nothing', 'nothing', []],
    ['some records', { file: 'known.csv' }, [1, 4]],
  ] as const)('is exact for an intruder who has %s', async (_, knows, known) => {
    const run = await runExactly(table, {
      model,
      mcmc: { ...FORGETFUL_CHAINS, thin: 3, draws: 300 },
      synthesis: { datasets: 1 },
      attributeRisk: { scenarios: [{ name: 'knows less', knows }] },
      ...(known.length > 0 ? { known } : {}),
    });
    const { rows, datasets } = run;
    const codes = known.flatMap((record) => [...table.codes.subarray(2 * record - 2, 2 * record)]);
    const exact = rows.map((row) => sumOf(exactBits(codes, row.codes, datasets)));
    expect(largest(differences(rows, exact))).toBeLessThan(4);
    expect(largest(differences(rows, bitsOf(rows, datasets)))).toBeGreaterThan(5);
    // The others are held against the same knowledge.
    const { membership } = await membershipOf(run);
    const all = [...table.codes];
    const shares = CELLS.map((y) => Math.exp(marginal([...all, ...y]) - marginal(all)));
    const mean = sumOf(CELLS.map((y, c) => shares[c]! * 2 ** sumOf(exactBits(codes, y, datasets))));
    expect(Math.abs(membership.meanRatioOthers - mean)).toBeLessThan(4 * membership.meanRatioOthersSimulationSe!);
  });

  const controlBits = async ({ store, keys }: Awaited<ReturnType<typeof runExactly>>) => {
    const [header, ...rows] = csvRows(await store.get(keys.confidential.table('control-membership').csv)) as [string[], ...string[][]];
    return rows.map((row) => Object.fromEntries(header.map((name, c) => [name, name === 'scenario' ? row[c]! : Number(row[c])])));
  };

  /** Somebody of whom the second value is not known: a code of no category. */
  const INCOMPLETE = [0, 3];

  it.each([
    ['in one batch', {}],
    ['in more batches than people', { batchSize: 1 }],
    ['with values of theirs missing', { synthesis: { datasets: 2, missing: 'impute' } }],
  ] as const)('is exact for the people of a control, %s', async (_, given) => {
    const isIncomplete = 'synthesis' in given;
    const people = [[1, 2], [0, 1], [1, 0], ...(isIncomplete ? [INCOMPLETE] : [])];
    const run = await runExactly(table, {
      model,
      mcmc: FORGETFUL_CHAINS,
      synthesis: { datasets: 2 },
      control: Uint16Array.from(people.flat()),
      ...given,
    });
    const all = [...table.codes];
    const logSum = (logs: readonly number[]) => Math.log(sumOf(logs.map(Math.exp)));
    /** E[f(y) | D, Z] / E[f(y) | D], of what is observed of y. */
    const bits = (y: readonly number[], dataset: Uint16Array) => {
      const cells = y[1] === INCOMPLETE[1] ? CELLS.filter(([first]) => first === y[0]) : [y];
      const density = (given: readonly number[]) => logSum(cells.map((cell) => marginal([...given, ...cell!]))) - marginal(given);
      return (density([...all, ...dataset]) - density(all)) / Math.LN2;
    };
    const exact = people.map((y) => sumOf(run.datasets.map((dataset) => bits(y, dataset))));
    const found = await controlBits(run);
    expect(found.map(({ row }) => row)).toEqual(people.map((_, i) => i + 1));
    expect(Object.keys(found[0]!)).toEqual(['row', 'membership_bits', 'membership_bits_se']);
    expect(largest(found.map((one, i) => (Number(one.membership_bits) - exact[i]!) / Number(one.membership_bits_se)))).toBeLessThan(4);
    expect(largest(found.map((one) => Number(one.membership_bits_se)))).toBeLessThan(0.1);
    const { membership } = await membershipOf(run);
    expect({ others: membership.others, count: membership.othersCount }).toEqual({ others: 'control', count: people.length });
    expect(membership.meanRatioOthers).toBeCloseTo(sumOf(found.map((one) => 2 ** Number(one.membership_bits))) / people.length, 9);
    const members = bitsOf(run.rows, run.datasets);
    const shares = exact.map((other) => sumOf(members.map((own, i) => (own > other ? run.rows[i]!.count / 5 : 0))));
    expect(Math.abs(membership.auc - sumOf(shares) / people.length)).toBeLessThan(4 * membership.aucSimulationSe! + 1e-9);
  });

  it('has none where a row belongs to a record, and says why', async () => {
    const run = await runExactly(table, {
      model,
      mcmc: { ...FORGETFUL_CHAINS, chains: 4 },
      synthesis: { datasets: 1, synthesized: ['v1'] },
    });
    const { membership, membershipReason } = await membershipOf(run);
    expect(membership).toBeNull();
    expect(membershipReason).toMatch(/kept/);
  });
});
