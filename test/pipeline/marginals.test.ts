import { beforeAll, describe, expect, it } from 'vitest';
import { InvalidConfigError, UnsupportedOptionError } from '../../shared/contracts/errors.ts';
import { completeConfig } from '../../shared/contracts/settings/complete-config.ts';
import { planRun } from '../../shared/pipeline/plan/plan-run.ts';
import type { RunRequest } from '../../shared/pipeline/plan/planned-run.ts';
import { categorySizes } from '../../shared/table/category-sizes.ts';
import { TEST_KEYS } from '../test-keys.ts';
import { csvRows, runFigures, smallConfig, smallTable } from './small-run.ts';

const table = smallTable({ records: 30 });

const evaluation = (attributeRisk: object): RunRequest => ({
  ...TEST_KEYS,
  purpose: 'evaluate',
  config: smallConfig({ attributeRisk: { candidates: 'all-cells', ...attributeRisk } }),
  table,
});

type Row = Record<string, string>;

/** A table that a run has written, as rows. */
async function tableOf(attributeRisk: object, name: string): Promise<Row[]> {
  const { store, keys } = await runFigures(evaluation(attributeRisk));
  const [header, ...rows] = csvRows(await store.get(`${keys.root}confidential/${name}.csv`)) as [string[], ...string[][]];
  return rows.map((row) => Object.fromEntries(header.map((column, c) => [column, row[c]!])));
}

const sum = (rows: readonly Row[]) => rows.reduce((total, { probability }) => total + Number(probability), 0);

describe('marginals of sets of variables', () => {
  const sets = [['age_group', 'region'], ['employment'], ['region', 'education', 'age_group', 'employment']];
  let alone: Row[];
  let asked: Row[];
  let guesses: Row[];

  beforeAll(async () => {
    alone = await tableOf({}, 'marginals');
    asked = await tableOf({ marginals: sets }, 'marginals');
    guesses = await tableOf({}, 'guesses');
  });

  const ofSet = (names: readonly string[]) => asked.filter(({ variable }) => variable === names.join('; '));

  it('are of the sets that are named, in their order, with the columns of single variables', () => {
    expect(Object.keys(asked[0]!)).toEqual(Object.keys(alone[0]!));
    const ofFirst = asked.filter(({ combination }) => combination === '1');
    expect([...new Set(ofFirst.map(({ variable }) => variable))]).toEqual(sets.map((names) => names.join('; ')));
  });

  it('are, of all variables together, the posterior of every cell: guesses are its largest', () => {
    const cells = new Map(
      ofSet(sets[2]!).map(({ combination, category, probability }) => [`${combination} ${category}`, Number(probability)]),
    );
    expect(guesses.length).toBeGreaterThan(0);
    for (const guess of guesses) {
      const key = `${guess.combination} ${sets[2]!.map((name) => guess[name]).join('; ')}`;
      expect(cells.get(key)).toBeCloseTo(Number(guess.probability), 12);
    }
    // The definition itself: every smaller set is a sum of these.
    for (const row of ofSet(sets[0]!)) {
      const [age, region] = row.category!.split('; ');
      const own = ofSet(sets[2]!).filter(({ combination, category }) => {
        const values = category!.split('; ');
        return combination === row.combination && values[0] === region && values[2] === age;
      });
      expect(sum(own)).toBeCloseTo(Number(row.probability), 12);
    }
  });

  it('of one variable are those that are given by default', () => {
    const expected = alone.filter(({ variable }) => variable === 'employment');
    const found = ofSet(['employment']);
    expect(found.map(({ combination, category }) => [combination, category])).toEqual(
      expected.map(({ combination, category }) => [combination, category]),
    );
    for (const [i, row] of found.entries()) {
      expect(Number(row.probability)).toBeCloseTo(Number(expected[i]!.probability), 12);
    }
  });

  it('sum to one, each set for each combination', () => {
    const combinations = new Set(asked.map(({ combination }) => combination));
    for (const names of sets) expect(sum(ofSet(names))).toBeCloseTo(combinations.size, 9);
  });

  it('do not depend on the batches', async () => {
    const request = evaluation({ marginals: sets });
    const texts = await Promise.all(
      [1, 7].map(async (batchSize) => {
        const { store, keys } = await runFigures({ ...request, batchSize });
        return Buffer.from(await store.get(keys.confidential.table('marginals').csv)).toString();
      }),
    );
    expect(texts[0]).toBe(texts[1]);
  });

  it.each([
    ['unknown-variable', InvalidConfigError, { marginals: [['region', 'income']] }],
    ['repeated-variable', InvalidConfigError, { marginals: [['region', 'region']] }],
  ])('refuses %s', async (code, error, attributeRisk) => {
    const planned = planRun(evaluation(attributeRisk));
    await expect(planned).rejects.toThrow(error);
    await expect(planned).rejects.toMatchObject({ code });
  });

  it('refuses them without candidates among cells', () => {
    const settings = { attributeRisk: { candidates: 'one-change', marginals: [['region']] } };
    expect(() => completeConfig(settings)).toThrow(expect.objectContaining({ code: 'marginals-without-cells' }));
  });

  it('refuses sets of too many values', async () => {
    const header = Array.from({ length: 17 }, (_, k) => `v${k}`);
    const rows = [0, 1].map((value) => header.map(() => value).join(','));
    const wide = new TextEncoder().encode([header.join(','), ...rows, ''].join('\n'));
    const request = { ...evaluation({ marginals: [header] }), table: wide };
    const planned = planRun(request);
    await expect(planned).rejects.toThrow(UnsupportedOptionError);
    await expect(planned).rejects.toMatchObject({ code: 'too-many-marginals' });
    const { schema } = await planRun({ ...evaluation({ marginals: [header.slice(1)] }), table: wide });
    expect(categorySizes(schema)).toHaveLength(17);
  });
});
