import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { stringify } from 'yaml';
import { WITHOUT_UTILITY } from '../pipeline/small-run.ts';
import { ACCEPTED_SETTINGS, GOOD_TABLE, PLANTED, REFUSED_CONFIGS, REFUSED_TABLES } from '../planted-values.ts';
import { BUCKET, fakeBucket } from './fake-bucket.ts';
import { type AsStep, runWorkflow, uploadEvent } from './run-workflow.ts';

const bucket = fakeBucket();

/** What came out of functions while a test ran: what they returned, threw, logged and printed. */
let told: unknown[];

/** Objects of the bucket before the test. */
let earlier: Set<string>;

beforeEach(async () => {
  told = [];
  earlier = new Set(await bucket.store.list(''));
  for (const method of ['debug', 'error', 'info', 'log', 'warn'] as const) {
    vi.spyOn(console, method).mockImplementation((...args) => void told.push(args));
  }
  for (const stream of [process.stdout, process.stderr]) {
    vi.spyOn(stream, 'write').mockImplementation((text) => told.push(String(text)) > 0);
  }
  vi.spyOn(process, 'emitWarning').mockImplementation((warning) => void told.push(String(warning)));
});

afterEach(() => vi.restoreAllMocks());

const listening: AsStep = async (step, work) => {
  try {
    const returned = await work();
    told.push({ step, returned });
    return returned;
  } catch (error) {
    const { name, message, stack } = error as Error;
    told.push({ step, name, message, stack });
    throw error;
  }
};

/** Uploads a table with its config and carries out what that starts. */
async function evaluate(name: string, table: string, config: string) {
  const put = (file: string, text: string) => bucket.store.put(`incoming/${name}/${file}`, new TextEncoder().encode(text));
  await put('run.yaml', config);
  await put('table.csv', table);
  return runWorkflow(bucket.store, name, uploadEvent(BUCKET, `incoming/${name}/table.csv`), listening);
}

/** New objects of the bucket with a planted value in them or in their key, but for uploads themselves. */
async function holding(): Promise<string[]> {
  const keys: string[] = [];
  for (const key of await bucket.store.list('')) {
    if (earlier.has(key) || /^incoming\/[^/]+\/(table\.csv|run\.yaml)$/.test(key)) continue;
    if (PLANTED.test(key) || PLANTED.test(Buffer.from(await bucket.store.get(key)).toString('latin1'))) {
      keys.push(key);
    }
  }
  return keys;
}

describe('an upload that is refused', () => {
  const refused = [...REFUSED_TABLES, ...REFUSED_CONFIGS].map((upload, index) => ({ ...upload, index }));

  it.each(refused)('leaves no value anywhere: $what ($code)', async ({ table, config = '', code, index }) => {
    const { failure } = await evaluate(`refused-${index}`, table, config);
    expect(failure).toMatchObject({ code });
    expect(told).toContainEqual(expect.objectContaining({ step: 'plan-run' }));
    expect(told).toContainEqual(expect.objectContaining({ step: 'record-failure' }));
    expect(JSON.stringify(told)).not.toMatch(PLANTED);
    expect(await bucket.store.head(`incoming/refused-${index}/outcome.json`)).not.toBeNull();
    expect(await holding()).toEqual([]);
  });
});

describe('an upload that is evaluated', () => {
  it('leaves declared categories and rules where they belong alone', async () => {
    const end = await evaluate('accepted', GOOD_TABLE, stringify({ ...WITHOUT_UTILITY, ...ACCEPTED_SETTINGS }));
    expect(end.outcome).toBe('planned');
    expect(JSON.stringify(told)).not.toMatch(PLANTED);
    const found = await holding();
    // The open plan holds no rule and no category.
    const allowed = /^runs\/[^/]+\/(release\/|confidential\/|table\/schema\.json$)/;
    expect(found.filter((key) => !allowed.test(key))).toEqual([]);
    expect(found.some((key) => key.endsWith('/confidential/summary.json'))).toBe(true);
  });
});
