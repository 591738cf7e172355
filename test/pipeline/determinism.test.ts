import { beforeAll, describe, expect, it } from 'vitest';
import type { RunRequest } from '../../shared/pipeline/plan/planned-run.ts';
import { TEST_KEYS } from '../test-keys.ts';
import { hashesBelow, runInMemory, smallConfig, smallTable } from './small-run.ts';

const RESULTS = ['release/', 'confidential/', 'diagnostics/'];
const table = smallTable();

describe.each(['augmented', 'parameters', 'importance'])('a run by the estimator %s', (estimator) => {
  const request: RunRequest = { ...TEST_KEYS, purpose: 'evaluate', config: smallConfig({ attributeRisk: { estimator } }), table };
  const hashesOf = async (...args: Parameters<typeof runInMemory>) => {
    const { store, plan } = await runInMemory(...args);
    return hashesBelow(store, plan, ...RESULTS);
  };
  let expected: Record<string, string>;

  beforeAll(async () => {
    expected = await hashesOf(request);
  });

  it('leaves release, risk tables, summary, report and diagnostics', () => {
    expect(Object.keys(expected)).toEqual([
      'release/synthetic-1.csv',
      'release/synthetic-2.csv',
      'confidential/attribute-risk.csv',
      'confidential/attribute-risk.parquet',
      'confidential/report.html',
      'confidential/summary.json',
      'confidential/utility-measured.json',
      'confidential/utility.csv',
      'confidential/utility.json',
      'confidential/utility.parquet',
      'confidential/variable-risk.csv',
      'confidential/variable-risk.parquet',
      'diagnostics/chains.json',
    ]);
  });

  it.each([1, 7, 1000])('leaves the same bytes with batches of %i', async (batchSize) => {
    expect(await hashesOf({ ...request, batchSize })).toEqual(expected);
  });

  it('leaves the same bytes with the tasks of each phase in reversed order', async () => {
    expect(await hashesOf(request, { inOrder: (tasks) => tasks.toReversed() })).toEqual(expected);
  });

  it('leaves the same bytes when every task runs twice', async () => {
    expect(await hashesOf(request, { inOrder: (tasks) => [...tasks, ...tasks] })).toEqual(expected);
  });

  it('leaves other bytes with another seed', async () => {
    const other = await hashesOf({ ...request, config: smallConfig({ seed: 2, attributeRisk: { estimator } }) });
    expect(Object.keys(other)).toEqual(Object.keys(expected));
    const same = Object.keys(expected).filter((path) => other[path] === expected[path]);
    expect(same).toEqual([]);
  });
});
