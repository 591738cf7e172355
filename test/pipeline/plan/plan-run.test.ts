import { beforeAll, describe, expect, it } from 'vitest';
import type { Config } from '../../../shared/contracts/config/config.ts';
import { InvalidConfigError, InvalidTableError, UnsupportedOptionError } from '../../../shared/contracts/errors.ts';
import { type Plan, planSchema } from '../../../shared/contracts/run/plan.ts';
import { reservedNames } from '../../../shared/contracts/settings/reserved-names.ts';
import { planRun } from '../../../shared/pipeline/plan/plan-run.ts';
import type { RunRequest } from '../../../shared/pipeline/plan/planned-run.ts';
import { TEST_KEYS } from '../../test-keys.ts';
import { smallConfig, smallTable } from '../small-run.ts';

const bytesOf = (text: string) => new TextEncoder().encode(text);
const table = smallTable();
const request: RunRequest = { ...TEST_KEYS, purpose: 'evaluate', config: smallConfig(), table };
const planOf = async (changes: Partial<RunRequest> = {}) => (await planRun({ ...request, ...changes })).plan;
const foreign = (...files: Uint8Array[]): Partial<RunRequest> => ({ purpose: 'assess', datasets: { origin: 'elsewhere', files } });

let plan: Plan;

beforeAll(async () => {
  plan = await planOf();
});

describe('the run id', () => {
  it('is sixteen hexadecimal digits, the same each time', async () => {
    expect(plan.runId).toMatch(/^[0-9a-f]{16}$/);
    expect((await planOf()).runId).toBe(plan.runId);
  });

  const changes: [string, Partial<RunRequest>][] = [
    ['another table', { table: smallTable({ seed: 4 }) }],
    ['a table of the same records in other bytes', { table: bytesOf(`${new TextDecoder().decode(table)}\n`) }],
    ['another seed', { config: smallConfig({ seed: 2 }) }],
    ['another number of chains', { config: smallConfig({ mcmc: { chains: 4 } }) }],
    ['another estimator', { config: smallConfig({ attributeRisk: { estimator: 'importance' } }) }],
    ['an acceptance rule', { config: smallConfig({ acceptance: ['table.records >= 1'] }) }],
    ['another purpose', { purpose: 'synthesize' }],
    ['datasets made elsewhere', foreign(table)],
  ];

  it.each(changes)('changes with %s', async (_, change) => {
    expect((await planOf(change)).runId).not.toBe(plan.runId);
  });

  it('changes with the datasets and with their order', async () => {
    const [a, b] = [smallTable({ seed: 3, records: 40 }), smallTable({ seed: 3, records: 50 })];
    const ids = await Promise.all([foreign(a), foreign(b), foreign(a, b), foreign(b, a)].map(async (given) => (await planOf(given)).runId));
    expect(new Set(ids).size).toBe(4);
  });

  it('does not change with the batch size or the path of the table', async () => {
    expect((await planOf({ batchSize: 7 })).runId).toBe(plan.runId);
    const elsewhere = await planOf({ config: smallConfig({ table: 'elsewhere/table.csv' }) });
    expect(elsewhere.runId).toBe(plan.runId);
    expect(JSON.stringify(elsewhere)).not.toContain('elsewhere');
  });

  it('changes with the settings of a calibration for a calibration alone, and of an attack for no run', async () => {
    const calibrating = (targets: number) => smallConfig({ calibration: { targets, replicates: 1 } });
    expect((await planOf({ config: calibrating(7) })).runId).toBe(plan.runId);
    expect((await planOf({ config: smallConfig({ attack: { keys: ['region'] } }) })).runId).toBe(plan.runId);
    const ids = await Promise.all([7, 8].map(async (n) => (await planOf({ config: calibrating(n), purpose: 'calibrate' })).runId));
    expect(new Set([...ids, plan.runId]).size).toBe(3);
  });
});

describe('planRun()', () => {
  it('tells what was noticed in the table and in datasets, and how many bytes were read', async () => {
    const [header, ...lines] = new TextDecoder().decode(table).trimEnd().split(/\r?\n/);
    const numbered = bytesOf([`,${header}`, ...lines.map((line, i) => `${i},${line}`)].join('\n'));
    const notice = { code: 'table-notice', message: 'column 1 holds row names and was dropped' };
    expect(plan.warnings).toEqual([]);
    expect((await planOf({ table: numbered })).warnings).toEqual([notice]);
    const { plan: assessed, inputBytes } = await planRun({ ...request, ...foreign(table, numbered) });
    expect(assessed.warnings).toEqual([notice, expect.objectContaining({ code: 'not-assessable' })]);
    expect(inputBytes).toBe(2 * table.length + numbered.length);
    expect(assessed.datasets).toEqual({ count: 2, origin: 'elsewhere' });
    expect(assessed.config.synthesis.datasets).toBe(2);
  });

  it('gives a plan that fits its contract and counts the table', () => {
    expect(planSchema.parse(plan)).toEqual(plan);
    const records = new TextDecoder().decode(table).trimEnd().split('\n').slice(1);
    const counts = new Map<string, number>();
    for (const record of records) counts.set(record, (counts.get(record) ?? 0) + 1);
    expect(plan.table).toMatchObject({
      records: 60,
      variables: 4,
      combinations: counts.size,
      sampleUniques: [...counts.values()].filter((count) => count === 1).length,
    });
  });

  it.each([undefined, 1, 7, 1000])('covers every combination once in batches of %s', async (batchSize) => {
    const { batches, table: figures } = await planOf(batchSize ? { batchSize } : {});
    expect(batches.map(({ batch }) => batch)).toEqual(batches.map((_, i) => i + 1));
    expect(batches[0]!.from).toBe(0);
    for (const [i, { from, to }] of batches.entries()) {
      expect(to).toBeGreaterThan(from);
      if (batchSize) expect(to - from).toBeLessThanOrEqual(batchSize);
      expect(to).toBe(batches[i + 1]?.from ?? figures.combinations);
    }
  });

  it('counts the candidates of one change and of unknown variables', async () => {
    const { schema } = await planRun(request);
    const sizes = schema.variables.map((variable) => (variable.type === 'categorical' ? variable.categories.length : 0));
    expect(plan.candidatesPerCombination).toBe(1 + sizes.reduce((sum, size) => sum + size - 1, 0));
    const unknown = smallConfig({ attributeRisk: { candidates: { unknown: ['education', 'region'] } } });
    expect((await planOf({ config: unknown })).candidatesPerCombination).toBe(sizes[0]! * sizes[2]!);
  });

  it('refuses continuous variables by their names', async () => {
    const rows = Array.from({ length: 60 }, (_, i) => `${i % 2 ? 'yes' : 'no'},${i * 1.5},${i * 4}`);
    const continuous = bytesOf(`KEPT,INCOME,AGE\n${rows.join('\n')}\n`);
    const refused = await planOf({ table: continuous }).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(UnsupportedOptionError);
    expect(refused).toMatchObject({ code: 'continuous-variable' });
    expect((refused as Error).message).toMatch(/^Column `INCOME` is numeric with 60 .* Column `AGE` is/);
    expect((refused as Error).message).not.toContain('KEPT');
  });

  it.each(reservedNames(false, false))('refuses a variable named %s, like a column of the risk table', async (name) => {
    const refused = await planOf({ table: bytesOf(`A,${name}\n1,2\n2,1\n2,2\n`) }).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(InvalidTableError);
    expect(refused).toMatchObject({ code: 'reserved-variable-name' });
    expect((refused as Error).message.startsWith(`\`${name}\`: `)).toBe(true);
  });

  it('accepts a variable whose name only resembles a reserved one', async () => {
    const { table: figures } = await planOf({ table: bytesOf('RANK,count_1\n1,2\n2,1\n2,2\n') });
    expect(figures.variables).toBe(2);
  });

  it('refuses to assess nothing', async () => {
    await expect(planOf(foreign())).rejects.toMatchObject({ code: 'no-datasets' });
  });

  it('refuses the estimator of the parameters where the generating draws are unknown', async () => {
    const config: Config = smallConfig({ attributeRisk: { estimator: 'parameters' } });
    await expect(planOf({ ...foreign(table), config })).rejects.toThrow(UnsupportedOptionError);
  });

  it('refuses an unknown variable that the table lacks, and names none that is not near', async () => {
    const config = smallConfig({ attributeRisk: { candidates: { unknown: ['INCOME'] } } });
    const refused = await planOf({ config }).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(InvalidConfigError);
    expect((refused as Error).message).toMatch(/the table has no variable INCOME/);
    expect((refused as Error).message).not.toMatch(/region|age_group|education|employment/);
  });
});
