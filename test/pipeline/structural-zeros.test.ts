import { describe, expect, it } from 'vitest';
import { readRecordDataset, readRecordTable } from '../../shared/artifacts/stored-table.ts';
import { sha256 } from '../../shared/contracts/sha256.ts';
import { planRun } from '../../shared/pipeline/plan/plan-run.ts';
import type { RunRequest } from '../../shared/pipeline/plan/planned-run.ts';
import { RandomStream } from '../../shared/random/random-stream.ts';
import { TEST_KEYS } from '../test-keys.ts';
import { csvRows, runFigures, smallConfig } from './small-run.ts';

const CATEGORIES = { age: ['adult', 'child'], status: ['married', 'single', 'widowed'], work: ['full', 'none', 'part'] };
const NAMES = Object.keys(CATEGORIES);
const utf8 = (text: string) => new TextEncoder().encode(text);
/** Children are single, and do not work full time. */
const ZEROS = utf8('work,age,status\n,child,married\n,child,widowed\nfull,child,\n');
const isPossible = ([age, status, work]: readonly string[]) => age !== 'child' || (status === 'single' && work !== 'full');

/** A table without impossible records, of which so many cells are then left empty. */
function table(missing = 0, records = 80): { bytes: Uint8Array; rows: string[][] } {
  const random = new RandomStream(8, 'table');
  const rows: string[][] = [];
  while (rows.length < records) {
    const row = Object.values(CATEGORIES).map((texts) => texts[random.below(texts.length)]!);
    if (isPossible(row)) rows.push(row);
  }
  for (const row of rows) for (let k = 0; k < 3; k++) if (random.uniform() < missing) row[k] = '';
  return { bytes: utf8([NAMES, ...rows].map((row) => row.join()).join('\n')), rows };
}

function request(purpose: 'evaluate' | 'synthesize', synthesis: object, missing = 0): RunRequest {
  return {
    ...TEST_KEYS,
    purpose,
    config: smallConfig({ synthesis }),
    table: table(missing).bytes,
    ...('structuralZeros' in synthesis ? { structuralZeros: ZEROS } : {}),
  };
}

const zeros = { structuralZeros: 'zeros.csv' };

describe('a run with structural zeros', () => {
  it('releases possible records alone, and leaves impossible candidates out of its risk table', async () => {
    const { store, keys, plan } = await runFigures(request('evaluate', zeros));
    for (const dataset of [1, 2]) {
      const [header, ...rows] = csvRows(await store.get(keys.release.dataset(dataset)));
      expect(header).toEqual(NAMES);
      expect(rows).toHaveLength(80);
      expect(rows.every(isPossible)).toBe(true);
    }
    const [columns, ...risk] = csvRows(await store.get(keys.confidential.table('attribute-risk').csv));
    const at = (name: string) => columns!.indexOf(name);
    for (const row of risk) {
      const own = NAMES.map((name) => row[at(name)]!);
      const others = Object.values(CATEGORIES).flatMap((texts, k) =>
        texts.filter((text) => text !== own[k]).map((text) => own.with(k, text)),
      );
      expect(Number(row[at('candidates')])).toBe(1 + others.filter(isPossible).length);
      const guess = row[at('first_guess_variable')]!;
      if (guess === '') continue;
      expect(isPossible(own.with(NAMES.indexOf(guess), row[at('first_guess_value')]!))).toBe(true);
    }
    const summary = JSON.parse(new TextDecoder().decode(await store.get(keys.confidential.summary)));
    expect(summary.attributeRisk[0].candidatesPerCombinationMax).toBe(Math.max(...risk.map((row) => Number(row[at('candidates')]))));
    expect(plan.config.synthesis.structuralZeros).toBe(await sha256(ZEROS));
  });

  it('has an id of its own, which where the file lies does not change', async () => {
    const idOf = async (one: RunRequest) => (await planRun(one)).plan.runId;
    const first = await idOf(request('evaluate', zeros));
    expect(await idOf(request('evaluate', { structuralZeros: '/elsewhere/zeros.csv' }))).toBe(first);
    expect(await idOf(request('evaluate', {}))).not.toBe(first);
    const other = { ...request('evaluate', zeros), structuralZeros: utf8('age,status\nchild,married\n') };
    expect(await idOf(other)).not.toBe(first);
  });

  it('keeps partial synthesis to the possible records, and fills in what is missing', async () => {
    const synthesis = { ...zeros, missing: 'impute', synthesized: ['work'] };
    const { store, keys, plan } = await runFigures(request('synthesize', synthesis, 0.2));
    const { rows: own } = table(0.2);
    const confidential = await readRecordTable(store, plan);
    for (const dataset of [1, 2]) {
      const [, ...rows] = csvRows(await store.get(keys.release.dataset(dataset)));
      for (const [i, row] of rows.entries()) {
        expect(isPossible(row)).toBe(true);
        expect(row.every((text) => text !== '')).toBe(true);
        for (const k of [0, 1]) if (own[i]![k] !== '') expect(row[k]).toBe(own[i]![k]);
      }
      // Values of a variable that is synthesized are drawn anew, whether others are missing there or not.
      const given = rows.flatMap((row, i) => (own[i]![2] === '' ? [] : [row[2] === own[i]![2]]));
      expect(given.filter((isSame) => !isSame).length).toBeGreaterThan(given.length / 10);
      // The pipeline reads what was released.
      const read = await readRecordDataset(store, plan, dataset, confidential);
      const texts = rows.map((_, i) =>
        read.columns.map((column, k) => {
          const { categories } = read.schema.variables[k] as { categories: string[] };
          return column.type === 'categorical' ? categories[column.codes[i]!] : '';
        }),
      );
      expect(texts).toEqual(rows);
    }
  });
});

describe('a run with missing values to impute', () => {
  it('releases none, and weighs up changes of the values that a record has', async () => {
    const { store, keys } = await runFigures(request('evaluate', { missing: 'impute' }, 0.2));
    const [, ...rows] = csvRows(await store.get(keys.release.dataset(1)));
    expect(rows.flat()).not.toContain('');
    const [columns, ...risk] = csvRows(await store.get(keys.confidential.table('attribute-risk').csv));
    const at = (name: string) => columns!.indexOf(name);
    let incomplete = 0;
    for (const row of risk) {
      const present = Object.entries(CATEGORIES).filter(([name]) => row[at(name)] !== '');
      if (present.length < 3) incomplete++;
      expect(Number(row[at('candidates')])).toBe(present.reduce((sum, [, categories]) => sum + categories.length - 1, 1));
      const guess = row[at('first_guess_variable')]!;
      if (guess !== '') expect(present.map(([name]) => name)).toContain(guess);
    }
    expect(incomplete).toBeGreaterThan(5);
  });
});

describe('where attribute risk does not apply', () => {
  it.each([
    ['structural zeros and kept variables', { ...zeros, synthesized: ['work'] }, /its kept ones/],
    ['missing and kept variables', { missing: 'impute', synthesized: ['work'] }, /drawn values/],
  ])('an evaluation tells why, and an assessment is refused: %s', async (_, synthesis, why) => {
    const asked = request('evaluate', synthesis, 'missing' in synthesis ? 0.2 : 0);
    const { store, keys } = await runFigures(asked);
    const summary = JSON.parse(new TextDecoder().decode(await store.get(keys.confidential.summary)));
    expect(summary.attributeRisk).toEqual([]);
    expect(summary.attributeRiskReason).toMatch(why);
    await expect(planRun({ ...asked, purpose: 'assess' })).rejects.toMatchObject({
      name: 'UnsupportedOptionError',
      code: 'no-attribute-risk',
    });
  });
});

describe('planRun() refuses', () => {
  it.each([
    ['risk with nothing kept and values missing', { ...zeros, missing: 'impute' }, {}, 'no-attribute-risk'],
    ['all cells', zeros, { candidates: 'all-cells' }, 'cells-beyond-support'],
    ['two changes of records that lack values', { missing: 'impute' }, { candidates: 'two-changes' }, 'candidates-of-missing'],
    ['unknown values of records that lack them', { missing: 'impute' }, { candidates: { unknown: ['age'] } }, 'candidates-of-missing'],
  ])('%s', async (_, synthesis, attributeRisk, code) => {
    const own = { ...request('evaluate', synthesis), config: smallConfig({ synthesis, attributeRisk }) };
    await expect(planRun(own)).rejects.toMatchObject({ name: 'UnsupportedOptionError', code });
  });

  it('a calibration, and a file of zeros that is not there to be read', async () => {
    await expect(planRun({ ...request('evaluate', zeros), purpose: 'calibrate' })).rejects.toMatchObject({ code: 'uncalibrated' });
    const { structuralZeros: _, ...unread } = request('evaluate', zeros);
    await expect(planRun(unread)).rejects.toMatchObject({ code: 'structural-zeros-unread' });
  });

  it('impossible records, of the table and of datasets made elsewhere', async () => {
    const bad = utf8(`${NAMES.join()}\nadult,married,full\nchild,married,none\nadult,widowed,part\nchild,single,none\n`);
    await expect(planRun({ ...request('evaluate', zeros), table: bad })).rejects.toMatchObject({
      code: 'impossible-records',
      where: { row: 2 },
    });
    await expect(
      planRun({ ...request('evaluate', zeros), purpose: 'assess', datasets: { origin: 'elsewhere', files: [bad] } }),
    ).rejects.toMatchObject({ code: 'impossible-records' });
  });
});
