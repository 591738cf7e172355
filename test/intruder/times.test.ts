import { expect, it } from 'vitest';
import { planRun } from '../../shared/pipeline/plan/plan-run.ts';
import { encodeCsv } from '../../shared/table/files/write-csv.ts';
import { csvRows, smallConfig, smallTable } from '../pipeline/small-run.ts';
import { TEST_KEYS } from '../test-keys.ts';

const [header, ...rows] = csvRows(smallTable({ records: 200 }));

/** What the time of a run follows from, on the table for a guess. */
async function workOf(record: number, column: number, value: string) {
  const guess = rows.map((row, i) => (i === record ? row.with(column, value) : row));
  const table = encodeCsv(header!, guess);
  const { plan } = await planRun({ ...TEST_KEYS, purpose: 'evaluate', config: smallConfig(), table });
  const { combinations, records, variables } = plan.table;
  const candidates = plan.candidatesPerCombination;
  return { combinations, candidates, others: { records, variables, classes: plan.classes, mcmc: plan.config.mcmc } };
}

it.each([
  [3, 0],
  [41, 1],
  [87, 2],
  [130, 3],
  [199, 2],
])(
  'a guess at record %i, variable %i, changes the work of a run by one combination at most, and a new value by one candidate',
  async (record, column) => {
    const truth = await workOf(record, column, rows[record]![column]!);
    const values = [...new Set(rows.map((row) => row[column]!))];
    expect(values.length).toBeGreaterThan(2);
    for (const value of [...values, 'a value that no other record has']) {
      const guessed = await workOf(record, column, value);
      expect(guessed.others, value).toEqual(truth.others);
      expect(Math.abs(guessed.combinations - truth.combinations), value).toBeLessThanOrEqual(1);
      expect(guessed.candidates - truth.candidates, value).toBe(values.includes(value) ? 0 : 1);
    }
  },
);
