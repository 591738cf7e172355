import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { smallTable } from '../../pipeline/small-run.ts';
import { fileHashes, filesBelow, SMALL_FLAGS, synthrisk, temporaryFolder } from '../../run-command.ts';

const directory = temporaryFolder();
const run = (...args: string[]) => synthrisk(directory, args, { keys: 'its-own' });
const evaluate = (...args: string[]) => run('evaluate', 'table.csv', ...SMALL_FLAGS, '--datasets', '2', '--quiet', ...args);
const RESULTS = ['release/', 'confidential/attribute-risk'];
const results = (out: string) => fileHashes(join(directory, out), ...RESULTS);
const keyOf = (out: string) => join(directory, out, 'confidential/release-key');

beforeAll(async () => {
  writeFileSync(join(directory, 'table.csv'), smallTable());
  for (const out of ['first', 'second']) expect((await evaluate('--out', out)).code).toBe(0);
});

it('a run has a key of its own, for its owner alone, and so other results than the next', () => {
  expect(readFileSync(keyOf('first'), 'utf8')).toMatch(/^[0-9a-f]{64}\n$/);
  expect(readFileSync(keyOf('first'))).not.toEqual(readFileSync(keyOf('second')));
  expect(statSync(keyOf('first')).mode & 0o777).toBe(0o600);
  const [first, second] = [results('first'), results('second')];
  expect(Object.keys(first).length).toBeGreaterThan(3);
  expect(Object.keys(first).filter((path) => first[path] === second[path])).toEqual([]);
});

it('is in no other file of its run', () => {
  const key = readFileSync(keyOf('first'), 'utf8').trim();
  const holding = filesBelow(join(directory, 'first')).filter((path) => {
    const bytes = readFileSync(join(directory, 'first', path));
    return bytes.includes(key) || bytes.includes(Buffer.from(key, 'hex'));
  });
  expect(holding).toEqual(['confidential/release-key']);
});

it('--release-key repeats a run elsewhere, whose id is another', async () => {
  expect((await evaluate('--out', 'again', '--release-key', keyOf('first'))).code).toBe(0);
  expect(results('again')).toEqual(results('first'));
  const idOf = (out: string) => JSON.parse(readFileSync(join(directory, out, 'run.json'), 'utf8')).runId;
  expect(idOf('again')).not.toBe(idOf('first'));
});

it('is found again in its folder, and not under another key', async () => {
  const found = await evaluate('--out', 'first');
  expect(found.code, found.stderr).toBe(0);
  const other = await evaluate('--out', 'first', '--release-key', keyOf('second'));
  expect(other).toMatchObject({ code: 2, stdout: '' });
  expect(other.stderr).toContain('is there under another release key');
});

it('is found again among all runs by the key of their folder', async () => {
  const [first, second] = [await evaluate(), await evaluate()];
  expect(first.code, first.stderr).toBe(0);
  expect(second).toEqual(first);
  expect(existsSync(join(directory, 'synthrisk-runs/place-key'))).toBe(true);
});

it('assess --run takes the key of the run, and finds its risk again', async () => {
  const args = ['assess', 'table.csv', '--run', 'first', ...SMALL_FLAGS, '--quiet', '--out', 'assessed'];
  const assessed = await run(...args);
  expect(assessed.code, assessed.stderr).toBe(0);
  expect(readFileSync(keyOf('assessed'))).toEqual(readFileSync(keyOf('first')));
  const risk = (out: string) => fileHashes(join(directory, out), 'confidential/attribute-risk.csv');
  expect(risk('assessed')).toEqual(risk('first'));
});

it.each([
  ['too short', 'abc123'],
  ['all equal', '7'.repeat(64)],
])('a key that is %s is refused, and never printed', async (_what, text) => {
  writeFileSync(join(directory, 'weak.key'), text);
  const { code, stdout, stderr } = await evaluate('--out', 'weak', '--release-key', 'weak.key');
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toContain('weak.key');
  expect(stderr).not.toContain(text.slice(0, 6));
  expect(existsSync(join(directory, 'weak'))).toBe(false);
});

it('a key in a config is refused, and never printed', async () => {
  const key = readFileSync(keyOf('first'), 'utf8').trim();
  writeFileSync(join(directory, 'key.yaml'), `releaseKey: "${key}"\n`);
  const { code, stderr } = await evaluate('--out', 'weak', '--config', 'key.yaml');
  expect(code).toBe(2);
  expect(stderr).toContain('A release key is no setting: take it out of the');
  expect(stderr).not.toContain(key.slice(0, 8));
});
