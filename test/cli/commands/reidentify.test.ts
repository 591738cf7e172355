import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { linkageResultSchema } from '../../../shared/contracts/results/linkage.ts';
import { LINKAGE } from '../../../shared/pipeline/masking/store-linkage.ts';
import { RandomStream } from '../../../shared/random/random-stream.ts';
import { encodeCsv } from '../../../shared/table/files/write-csv.ts';
import { csvRows } from '../../pipeline/small-run.ts';
import { errorOf, fileHashes, filesBelow, type Outcome, synthrisk, temporaryFolder } from '../../run-command.ts';

const RECORDS = 300;
const directory = temporaryFolder();
const inFolder = (...path: string[]) => join(directory, ...path);
const run = (...args: string[]) => synthrisk(directory, args);
const reidentify = (...args: string[]) => run('reidentify', 'table.csv', ...args);
const masked = (out: string) => ['--masked', join(out, 'release', 'masked-1.csv')];
const found = ({ stdout }: Outcome) => linkageResultSchema.parse(JSON.parse(stdout));

let json: Outcome;

beforeAll(async () => {
  const random = new RandomStream(1, 'reidentify');
  const amount = () => Math.round(1000 / (0.05 + random.uniform()));
  const rows = Array.from({ length: RECORDS }, (_, i) => [amount(), amount(), amount(), i % 2 ? 'a' : 'b']);
  writeFileSync(inFolder('table.csv'), encodeCsv(['A', 'B', 'C', 'S'], rows));
  for (const [out, ...how] of [
    ['ranked', '--method', 'individual-ranking', '--k', '3'],
    ['grouped', '--method', 'mdav', '--k', '3'],
    ['swapped', '--method', 'rank-swap', '--p', '20'],
    ['sampled', '--method', 'individual-ranking', '--k', '3', '--sample', '0.2'],
  ] as const) {
    const { code, stderr } = await run('mask', 'table.csv', ...how, '--out', out, '--quiet');
    expect(code, stderr).toBe(0);
  }
  json = await reidentify(...masked('ranked'), '--method', 'individual-ranking', '--json', '--out', 'links');
  expect(json.code, json.stderr).toBe(0);
});

describe('reidentify', () => {
  it('prints one JSON document, the one that it stores, and finds nearly everybody', () => {
    const result = found(json);
    expect(JSON.parse(readFileSync(inFolder('links', 'confidential', 'linkage.json'), 'utf8'))).toEqual(result);
    expect(result).toMatchObject({ records: RECORDS, method: 'individual-ranking', variables: ['A', 'B', 'C'] });
    expect(result.reidentifiedShare).toBeGreaterThan(0.97);
    expect(result.low).toBeLessThan(result.reidentifiedShare);
    expect(filesBelow(inFolder('links'))).toEqual(
      [
        ...['linkage-thresholds.csv', 'linkage-thresholds.parquet', 'linkage.csv', 'linkage.html'],
        ...['linkage.json', 'linkage.parquet', 'place-key', 'release-key'],
      ].map((name) => `confidential/${name}`),
    );
  });

  it('stores a row for every row of the masked file, which adds up to the figures', () => {
    const [header, ...rows] = csvRows(readFileSync(inFolder('links', 'confidential', 'linkage.csv')));
    expect(header).toEqual(Object.keys(LINKAGE.columns));
    expect(rows).toHaveLength(RECORDS);
    const at = (name: string) => header!.indexOf(name);
    const right = rows.filter((row) => row[at('reidentified')] === 'true');
    expect(right).toHaveLength(found(json).reidentified);
    for (const row of right) {
      expect(row[at('best_link')]).toBe(row[at('own_record')]);
      expect([row[at('equal_links')], row[at('own_rank')]]).toEqual(['1', '1']);
    }
  });

  it('finds hardly anybody among groups of several variables, nor where ranks go far', async () => {
    const groups = await reidentify(...masked('grouped'), '--method', 'mdav', '--k', '3', '--json');
    expect(found(groups).reidentifiedShare).toBeLessThan(0.1);
    const ranks = await reidentify(...masked('swapped'), '--method', 'rank-swap', '--p', '20', '--json');
    expect(found(ranks).reidentifiedShare).toBeLessThan(0.2);
  });

  it('links a sample with the whole table, by the rows that mask wrote', async () => {
    const rows = ['--rows', join('sampled', 'confidential', 'masked-rows.csv')];
    const args = [...masked('sampled'), ...rows, '--method', 'individual-ranking', '--json'];
    const result = found(await reidentify(...args));
    expect(result).toMatchObject({ records: 60, intruder: { records: RECORDS, rowsHeld: 60 } });
    expect(result.reidentifiedShare).toBeGreaterThan(0.5);
  });

  it('gives the intruder some of the records, with errors, drawn by its key', async () => {
    const flags = ['--method', 'individual-ranking', '--intruder-share', '0.5', '--errors', '0.34'];
    const args = [...masked('ranked'), ...flags, '--json'];
    const result = found(await reidentify(...args, '--out', 'half'));
    expect(result.intruder).toEqual({ records: 150, share: 0.5, errors: 0.34, rowsHeld: 150 });
    expect(result.reidentified).toBeLessThanOrEqual(150);
    expect((await reidentify(...args, '--out', 'half-again')).code).toBe(0);
    expect(fileHashes(inFolder('half-again'), 'confidential/')).toEqual(fileHashes(inFolder('half'), 'confidential/'));
  });

  it('links one to one, and by the conjunction', async () => {
    const args = [...masked('swapped'), '--method', 'rank-swap', '--p', '20', '--json'];
    const assigned = found(await reidentify(...args, '--one-to-one', '--out', 'assigned'));
    expect(assigned.oneToOne).toBe(true);
    const [, ...rows] = csvRows(readFileSync(inFolder('assigned', 'confidential', 'linkage.csv')));
    const links = rows.map((row) => row[1]).filter((link) => link !== '');
    expect(new Set(links).size).toBe(links.length);
    const conjoined = found(await reidentify(...args, '--link', 'conjunction', '--bands', '1'));
    expect(conjoined).toMatchObject({ link: 'conjunction', bands: 1, model: null });
  });

  it('compares categories where they are named, and says what it found for a person', async () => {
    const args = [...masked('grouped'), '--method', 'mdav', '--variables', 'A,B,C,S', '--quiet'];
    const { code, stdout, stderr } = await reidentify(...args, '--out', 'said');
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/re-identified {8}\d+ rows?, [\d.]+ %; 95 % interval/);
    expect(stdout).toContain(join('said', 'confidential', 'linkage.html'));
    const page = readFileSync(inFolder('said', 'confidential', 'linkage.html'), 'utf8');
    expect(page).toContain('Who could be re-identified in the masked data?');
  });

  it('looks at the outliers of synthetic data', async () => {
    const args = ['--masked', 'table.csv', '--method', 'synthetic', '--tail', '0.1', '--json'];
    const result = found(await reidentify(...args));
    expect(result.comparisons.map(({ name }) => name)).toContain('residual of A');
    expect(result.linked).toBeLessThan(RECORDS);
    expect(result.precision.share).toBeGreaterThan(0.9);
  });

  it('explains itself with examples', async () => {
    const { code, stdout } = await run('reidentify', '--help');
    expect(code).toBe(0);
    for (const flag of ['Examples:', '--masked', '--rows', '--link', '--one-to-one', '--intruder-share']) expect(stdout).toContain(flag);
  });
});

describe('reidentify refuses', () => {
  const ranked = () => masked('ranked');

  it('on standard error alone, and names the flag', async () => {
    const args = [...ranked(), '--method', 'sample', '--intruder-share', '0'];
    const { code, stdout, stderr } = await reidentify(...args);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toBe('Error: --intruder-share: expected a number above 0.\n');
  });

  it.each([
    ['no masked file', () => ['--method', 'sample'], 'no-masked-file'],
    ['other rows', () => [...masked('sampled'), '--method', 'sample'], 'other-records'],
    ['rows that are none', () => [...ranked(), '--method', 'sample', '--rows', 'table.csv'], 'invalid-rows'],
    ['other columns', () => ['--masked', 'columns.csv', '--method', 'sample'], 'absent-variable'],
    ['missing values', () => ['--masked', 'missing.csv', '--method', 'sample'], 'missing-values'],
    ['an unknown variable', () => [...ranked(), '--method', 'mdav', '--variables', 'Z'], 'unknown-variable'],
    ['a file of smaller groups', () => [...ranked(), '--method', 'mdav', '--k', '3'], 'not-microaggregated'],
    ['p of 0', () => [...ranked(), '--method', 'rank-swap', '--p', '0'], 'invalid-linkage'],
    ['p of 100', () => [...ranked(), '--method', 'rank-swap', '--p', '100'], 'invalid-linkage'],
    ['a setting of another method', () => [...ranked(), '--method', 'mdav', '--p', '5'], 'flag-of-other-method'],
    ['too much tolerance', () => [...ranked(), '--method', 'sample', '--tolerate', '3'], 'too-few-comparisons'],
    [
      'tolerance of a conjunction',
      () => [...ranked(), '--method', 'sample', '--link', 'conjunction', '--tolerate', '1'],
      'tolerate-in-conjunction',
    ],
    ['four intervals', () => [...ranked(), '--method', 'sample', '--bands', '4'], 'too-many-bands'],
    ['no intruder', () => [...ranked(), '--method', 'sample', '--intruder-share', '0'], 'invalid-linkage'],
    ['too few errors', () => [...ranked(), '--method', 'sample', '--errors', '0.1'], 'no-variable-in-error'],
    ['a folder in use', () => [...ranked(), '--method', 'sample', '--out', 'links'], 'folder-in-use'],
  ])('%s', async (_, args, code) => {
    const [header, ...rows] = csvRows(readFileSync(inFolder('table.csv')));
    writeFileSync(
      inFolder('columns.csv'),
      encodeCsv(
        header!.slice(1),
        rows.map((row) => row.slice(1)),
      ),
    );
    writeFileSync(
      inFolder('missing.csv'),
      encodeCsv(
        header!,
        rows.map((row, i) => (i === 5 ? row.with(0, '') : row)),
      ),
    );
    const outcome = await reidentify(...args(), '--json');
    expect([outcome.code, errorOf(outcome).code]).toEqual([2, code]);
    expect(outcome.stderr).toMatch(/^Error: /);
    // The document of the error is all that standard output holds.
    expect(Object.keys(JSON.parse(outcome.stdout))).toEqual(['error', 'exitCode']);
  });
});
