import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { seededStreams } from '../../shared/random/streams.ts';
import { errorOf, SMALL_FLAGS, synthrisk, temporaryFolder } from '../run-command.ts';

const directory = temporaryFolder();
const random = seededStreams(11).open('table');
const HEADER = ['region', 'age', 'work', 'health', 'tenure', 'origin'];
const SIZES = [4, 7, 4, 3, 3, 5];
const RECORDS = 300;
type Row = readonly string[];

/** Rows of three groups of people, between whom every variable differs. */
const rows = (): Row[] =>
  Array.from({ length: RECORDS }, () => {
    const group = random.below(3);
    return SIZES.map((size, v) => {
      const code = random.uniform() < 0.5 ? (group * (v + 1)) % size : random.below(size);
      return String.fromCharCode(97 + code);
    });
  });

const table = rows();
/** What a synthesizer that knows the population would give: fresh people. */
const fresh = [rows(), rows()];
const shuffled = (given: readonly Row[]) => {
  const order = given.map((row) => [random.uniform(), row] as const);
  return order.sort(([a], [b]) => a - b).map(([, row]) => row);
};
const sorted = (given: readonly Row[]) => given.toSorted((a, b) => (a.join() < b.join() ? -1 : 1));
const isKeptRow = (share: number, i: number) => i % 100 < 100 * share;
/** Synthetic rows with one column of the table in some of them. */
const withColumn = (v: number, share: number, given: readonly Row[]) =>
  given.map((row, i) => (isKeptRow(share, i) ? row.with(v, table[i]![v]!) : row));
const changed = table.with(3, table[3]!.with(1, table[3]![1] === 'a' ? 'b' : 'a'));
const half = (l: number) => shuffled([...table.slice(0, RECORDS / 2), ...fresh[l]!.slice(RECORDS / 2)]);
const bootstrap = () => table.map(() => table[random.below(RECORDS)]!);

const FILES: Record<string, readonly Row[]> = {
  table,
  permuted: shuffled(table),
  changed: shuffled(changed),
  'changed-in-place': changed,
  half1: half(0),
  half2: half(1),
  bootstrap1: bootstrap(),
  bootstrap2: bootstrap(),
  kept1: withColumn(1, 1, fresh[0]!),
  kept2: withColumn(1, 1, fresh[1]!),
  nearly1: withColumn(1, 0.9, fresh[0]!),
  nearly2: withColumn(1, 0.9, fresh[1]!),
  fresh1: fresh[0]!,
  fresh2: fresh[1]!,
  sorted1: sorted(fresh[0]!),
  sorted2: sorted(fresh[1]!),
  'sorted-table': sorted(table),
  'keyed-half': table.map((row, i) => (i % 2 === 0 ? row : row.map((own, v) => (v > 2 ? fresh[0]![i]![v]! : own)))),
};

beforeAll(() => {
  for (const [name, content] of Object.entries(FILES)) {
    writeFileSync(join(directory, `${name}.csv`), [HEADER, ...content].map((row) => `${row.join()}\n`).join(''));
  }
});

/** Rules that every release meets by its figures. */
const RULES = ['attributeRisk.gainBitsMean <= 20', 'attributeRisk.firstGuessRightAfter <= 1'];

const assess = (of: string, files: readonly string[], ...more: string[]) =>
  synthrisk(directory, [
    ...['assess', `${of}.csv`, '--synthetic', ...files.map((file) => `${file}.csv`), ...SMALL_FLAGS],
    ...['--no-utility', '--quiet', '--accept', ...RULES, ...more],
  ]);

const summaryOf = ({ stdout }: { readonly stdout: string }) => JSON.parse(stdout);

describe('assess', () => {
  it.each([
    ['the table itself', ['table']],
    ['the table in another order', ['permuted']],
    ['the table as each of two datasets', ['table', 'permuted']],
    ['the table as one of two datasets', ['fresh1', 'permuted']],
  ])('judges %s as not assessable, with its copies, before anything is fitted', async (_, files) => {
    const outcome = await assess('table', files, '--json');
    const summary = summaryOf(outcome);
    expect(outcome.code).toBe(4);
    expect(summary).toMatchObject({ assessable: false, attributeRisk: [], rounds: [] });
    expect(summary.assessableReason).toContain('the confidential table itself: the same 300');
    expect(summary.copies.uniques).toBe(summary.table.sampleUniques);
    expect(summary.acceptance).toEqual(
      RULES.map((rule) => ({ ...{ rule, scenario: null, value: null, met: false }, reason: 'The datasets are not assessable.' })),
    );
  });

  it.each([
    ['the table with one value changed, in another order', ['changed']],
    ['half of the table beside synthetic rows', ['half1', 'half2']],
    ['bootstrap samples of the table', ['bootstrap1', 'bootstrap2']],
  ])('judges %s as not assessable by its unique records', async (_, files) => {
    const outcome = await assess('table', files, '--json');
    const { assessable, assessableReason, copies, acceptance } = summaryOf(outcome);
    expect({ code: outcome.code, assessable }).toEqual({ code: 4, assessable: false });
    expect(assessableReason).toContain('copied into the datasets');
    expect(copies.occurrences).toBeGreaterThan(2 * copies.occurrencesExpected);
    expect(acceptance.map(({ met }: { met: boolean }) => met)).toEqual([false, false]);
  });

  it('says so in a sentence on the terminal and in the report', async () => {
    const { code, stdout } = await assess('table', ['table'], '--out', 'own');
    expect(code).toBe(4);
    expect(stdout).toMatch(/^Exact copies in the dataset: (\d+) of the table's \1.unique records\.$/m);
    expect(stdout).toMatch(/^Verdict: The datasets are not assessable.* The dataset is the confidential table itself/m);
    const report = readFileSync(join(directory, 'own/confidential/report.html'), 'utf8');
    expect(report).toContain('The datasets are not assessable');
    expect(report).toContain('is the confidential table itself');
    expect(report).not.toMatch(/may be released, if a person decides so/);
    const compared = await synthrisk(directory, ['compare', 'own', 'own-twice']);
    expect(compared.code).not.toBe(0);
  });

  it('refuses columns that were kept, with the flag that says so, and takes the flag', async () => {
    const refused = await assess('table', ['kept1', 'kept2'], '--json');
    expect(refused.code).toBe(2);
    expect(errorOf(refused).code).toBe('kept-columns');
    expect(refused.stderr).toContain("the column age is the table's, row by row");
    expect(refused.stderr).toContain('--synthesized region,work,health,tenure,origin');
    const taken = await assess(
      'table',
      ['kept1', 'kept2'],
      ...['--json', '--synthesized', 'region,work,health,tenure,origin', '--unknown', 'health'],
    );
    expect(summaryOf(taken)).toMatchObject({ assessable: true, synthesis: { kind: 'partial' } });
  });

  it('judges columns that are nearly kept as not assessable, and names them', async () => {
    const outcome = await assess('table', ['nearly1', 'nearly2'], '--json');
    expect(outcome.code).toBe(4);
    expect(summaryOf(outcome).assessableReason).toMatch(/value of the table far more often .*: age \(9\d\.\d/);
    const inPlace = await assess('table', ['changed-in-place'], '--json');
    expect(inPlace).toMatchObject({ code: 2, stderr: expect.stringContaining('--synthesized age') });
    const named = await assess('table', ['changed-in-place'], '--json', '--synthesized', 'age');
    expect(named.code).toBe(4);
  });

  it('finds records that were copied beside columns that are kept', async () => {
    const outcome = await assess('table', ['keyed-half'], '--json', '--synthesized', 'health,tenure,origin');
    const { assessable, copies } = summaryOf(outcome);
    expect({ code: outcome.code, assessable }).toEqual({ code: 4, assessable: false });
    expect(copies.uniquesExpected).toBeGreaterThan(0);
  });

  it('lets a release of the same population meet its rules, sorted or not', async () => {
    for (const [of, files] of [
      ['table', ['fresh1', 'fresh2']],
      ['sorted-table', ['sorted1', 'sorted2']],
    ] as const) {
      const { assessable, copies, warnings } = summaryOf(await assess(of, files, '--json'));
      expect(assessable).toBe(true);
      expect(warnings.map(({ code }: { code: string }) => code)).not.toContain('copies-unexplained');
      expect(Math.abs(copies.occurrences - copies.occurrencesExpected)).toBeLessThan(4 * copies.occurrencesExpectedSe);
    }
  });
});

describe('evaluate', () => {
  it('states exact copies beside those that its model expects, and may meet its rules', async () => {
    const { code, stdout } = await synthrisk(directory, [
      ...['evaluate', 'table.csv', ...SMALL_FLAGS, '--no-utility', '--quiet', '--out', 'evaluated'],
      ...['--accept', 'copies.uniques <= 300'],
    ]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^Exact copies in the \d datasets: \d+ of the table's \d+.unique records; the model expects/m);
    const summary = JSON.parse(readFileSync(join(directory, 'evaluated/confidential/summary.json'), 'utf8'));
    expect(summary).toMatchObject({ assessable: true, acceptance: [{ met: true }] });
  });
});

describe('what is measured without a model', () => {
  const files = ['--synthetic', 'permuted.csv', '--quiet'];
  it.each([
    ['utility', []],
    ['attack', ['--keys', 'region,age', '--target', 'work']],
  ])('%s says that a dataset is the table', async (command, flags) => {
    const { stdout } = await synthrisk(directory, [command, 'table.csv', ...files, ...flags]);
    expect(stdout).toContain('The dataset is the confidential table itself');
    const { copies } = JSON.parse((await synthrisk(directory, [command, 'table.csv', ...files, ...flags, '--json'])).stdout);
    expect(copies.identicalDatasets).toBe(1);
  });

  it('utility and identify meet no rule with the table as its own release', async () => {
    const utility = await synthrisk(directory, [
      ...['utility', 'table.csv', ...files, '--accept', 'utility.figures.twoWayTotalVariation <= 1'],
    ]);
    expect(utility).toMatchObject({ code: 4, stdout: expect.stringContaining('NOT MET') });
    const identify = await synthrisk(directory, [
      ...['identify', 'table.csv', '--synthetic', 'table.csv', '--known', 'region', '--synthesized', 'age'],
      ...['--quiet', '--accept', 'identificationRisk.mean.trueMatchRate <= 1'],
    ]);
    expect(identify).toMatchObject({ code: 4, stdout: expect.stringContaining('is the confidential table itself') });
  });
});
