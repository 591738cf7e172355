import { describe, expect, it, vi } from 'vitest';
import { decodeCheckedNpy } from '../../../shared/arrays/checked-npy.ts';
import { readJson } from '../../../shared/artifacts/stored-json.ts';
import { readRecordDataset, readRecordTable, readTargets } from '../../../shared/artifacts/stored-table.ts';
import { configSchema } from '../../../shared/contracts/config/config.ts';
import { replicateRunId, runKeys } from '../../../shared/contracts/keys.ts';
import { calibrationSchema } from '../../../shared/contracts/results/calibration.ts';
import { planSchema } from '../../../shared/contracts/run/plan.ts';
import { mixedRows, mixedView } from '../../../shared/model/mixed/mixed-view.ts';
import { mixed } from '../../../shared/pipeline/synthesizers/mixed/mixed.ts';
import { encodeCsv } from '../../../shared/table/files/write-csv.ts';
import type { Column, Table } from '../../../shared/table/table.ts';
import { logClass, stacked } from '../../mixed-posterior.ts';
import { csvRows, MIXED_SETTINGS, mixedTable, runInMemory } from '../../pipeline/small-run.ts';
import { TEST_KEYS } from '../../test-keys.ts';
import { LEVELS, schema } from './exact-mixed-run.ts';

/** With one class the likelihood of every candidate is a ratio of marginal likelihoods of whole tables, and no chain adds an error. */
const CELLS = 48;
const settings = {
  model: { name: 'mixed', classes: 1, meanRecords: 0.1, variance: { shape: 2, rate: 0.01 } },
  variables: {
    level: { type: 'categorical', categories: LEVELS },
    income: { type: 'continuous', range: [-1000, 1400], masses: [0], decimals: 0, cells: CELLS },
    hours: { type: 'continuous', range: [-120, 176], decimals: 1, cells: CELLS },
  },
  mcmc: { chains: 3, burnIn: 20, draws: 4, thin: 1, pairedChains: 2, pairedDraws: 4, pairedThin: 1, reproducibility: 'off' },
  utility: 'off',
};
const some: readonly (readonly [string, number, number])[] = [
  ['a', 0, 10.5],
  ['b', 90, 20.1],
  ['a', 120, 30.2],
  ['c', 61, 38.4],
  ['a', 250, 40.3],
  ['b', 0, 12.7],
  ['a', 199, 33.9],
  ['a', 199, 33.9],
  ['c', 310, 45],
  ['b', 45, 8.8],
];
/** So many that a class with a number from anywhere in the range has nothing beyond it: what is drawn there has no closed form. */
const records = [0, 1, 2, 3, 4, 5, 6, 7].flatMap((shift) =>
  some
    .filter((_, i) => shift === 0 || i !== 7)
    .map(([level, income, hours]) => [level, income === 0 ? 0 : income + 11 * shift, Number((hours + 0.7 * shift).toFixed(1))] as const),
);
const view = mixedView(schema, configSchema.parse(settings).variables);
const model = { sizes: view.sizes, continuous: view.continuous, prior: { kappa: 0.1, shape: 2, rate: 0.01 } };
const logOf = (table: Table, dataset: Table | null) => {
  const own = mixedRows(view, [table]);
  const all = dataset === null ? own : stacked(own, mixedRows(view, [dataset]));
  return logClass(model, all, [...Array(all.rows).keys()]);
};

/** The table with another value in one place. */
function withValue(table: Table, variable: number, record: number, value: number): Table {
  const columns = table.columns.map((column, v): Column => {
    if (v !== variable) return column;
    if (column.type === 'categorical') return { ...column, codes: column.codes.map((code, i) => (i === record ? value : code)) };
    return { ...column, values: column.values.map((own, i) => (i === record ? value : own)) };
  });
  return { ...table, columns };
}

describe('a calibration under the model mixed with one class, whose likelihoods are exact', () => {
  it.each([
    ['income', {}],
    ['hours', { synthesized: ['hours', 'level'] }],
    ['level', {}],
  ] as const)('scores every candidate of %s', async (name, synthesis) => {
    const variable = ['level', 'income', 'hours'].indexOf(name);
    const config = configSchema.parse({
      ...settings,
      synthesis: { datasets: 2, ...synthesis },
      attributeRisk: { candidates: { unknown: [name] } },
      calibration: { targets: 6, replicates: 2 },
    });
    const refusal = vi.spyOn(mixed, 'refuseTable').mockReturnValue(undefined);
    const table = encodeCsv(['level', 'income', 'hours'], records);
    const { store, plan } = await runInMemory({ ...TEST_KEYS, purpose: 'calibrate', config, table, batchSize: 4 }).finally(() =>
      refusal.mockRestore(),
    );
    let masses = 0;
    for (const replicate of [1, 2]) {
      const runId = replicateRunId(plan.runId, replicate);
      const own = await readJson(store, runKeys(runId).plan, planSchema);
      const altered = await readRecordTable(store, own);
      const { truths, records: chosen, unique } = await readTargets(store, runId);
      const synthesized = config.synthesis.synthesized;
      const datasets: Table[] = [];
      for (const l of [1, 2]) {
        const released = await readRecordDataset(store, own, l, altered);
        // What is kept is in no dataset.
        const columns = released.columns.map((column, v): Column => {
          const isKept = synthesized !== 'all' && !synthesized.includes(schema.variables[v]!.name);
          return isKept && column.type === 'continuous' ? { ...column, values: column.values.map(() => Number.NaN) } : column;
        });
        datasets.push({ ...released, columns });
      }
      const logLikelihood = (record: number, value: number) => {
        const changed = withValue(altered, variable, record, value);
        return datasets.reduce((sum, dataset) => sum + logOf(changed, dataset) - logOf(changed, null), 0);
      };
      for (const { batch, from, to } of own.batches) {
        const { data, shape } = decodeCheckedNpy(await store.get(runKeys(runId).scores(batch)));
        const candidates = shape[1]!;
        for (let t = from; t < to; t++) {
          const record = chosen[t]!;
          expect(unique[t]).toBe(record === 6 || record === 7 ? 0 : 1);
          const column = altered.columns[variable]!;
          const held = column.type === 'categorical' ? column.codes[record]! : column.values[record]!;
          const scores = data.subarray((t - from) * candidates, (t - from + 1) * candidates) as Float64Array;
          let values: number[];
          if (column.type === 'categorical') {
            values = [held, ...[...LEVELS.keys()].filter((code) => code !== held)];
            expect(truths[t]).toBe(0);
          } else {
            const { scale, declared } = view.continuous[variable - 1]!;
            values = [...declared.masses, ...Array.from({ length: CELLS }, (_, c) => scale.fromUnit((c + 0.5) / CELLS))];
            const cell = truths[t]! - declared.masses.length;
            if (cell >= 0) expect(Math.floor(scale.toUnit(held) * CELLS)).toBe(cell);
            else expect(held).toBe(declared.masses[truths[t]!]);
            masses += cell < 0 ? 1 : 0;
          }
          expect(candidates).toBe(values.length);
          const exact = values.map((value) => logLikelihood(record, value));
          for (const [x, score] of scores.entries()) expect(score - scores[0]!).toBeCloseTo(exact[x]! - exact[0]!, 7);
        }
      }
    }
    if (name === 'income') expect(masses).toBeLessThan(4);
    const found = await readJson(store, runKeys(plan.runId).confidential.calibration, calibrationSchema);
    expect(found).toMatchObject({ targets: 6, replicates: 2, candidates: `unknown: ${name}` });
    expect(found.candidatesPerTarget).toBe({ income: CELLS + 1, hours: CELLS, level: 3 }[name]);
  });

  it('moves no record but its targets, and those in the one variable', async () => {
    const config = configSchema.parse({
      ...MIXED_SETTINGS,
      attributeRisk: { candidates: { unknown: ['region', 'employment'] } },
      calibration: { targets: 40, replicates: 1 },
    });
    const table = mixedTable({ records: 80 });
    const { store, plan } = await runInMemory({ ...TEST_KEYS, purpose: 'calibrate', config, table });
    const runId = replicateRunId(plan.runId, 1);
    const { records: chosen } = await readTargets(store, runId);
    const altered = await readRecordTable(store, await readJson(store, runKeys(runId).plan, planSchema));
    const [names, ...rows] = csvRows(table) as [string[], ...string[][]];
    const texts = altered.columns.map((column, v) => {
      const { type, ...variable } = altered.schema.variables[v]!;
      if (column.type === 'continuous') return Array.from(column.values, String);
      return Array.from(column.codes, (code) => ('categories' in variable && type === 'categorical' ? variable.categories[code]! : ''));
    });
    const moved = new Set<number>();
    for (const [i, row] of rows.entries()) {
      for (const [v, text] of row.entries()) {
        if (texts[v]![i] === (altered.columns[v]!.type === 'continuous' ? String(Number(text)) : text)) continue;
        expect(['region', 'employment']).toContain(names[v]);
        moved.add(i);
      }
    }
    expect([...moved].every((i) => chosen.includes(i))).toBe(true);
    expect(moved.size).toBeGreaterThan(20);
  });
});
