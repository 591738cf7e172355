import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PLATFORMS, type Platform } from '../../packages/portable/platforms.ts';
import { portableFolder } from '../../packages/portable/portable.ts';
import { encodeKey } from '../../shared/contracts/secret-key.ts';
import { VERSION } from '../../shared/contracts/version.ts';
import { smallTable } from '../pipeline/small-run.ts';
import { fileHashes, SMALL_FLAGS, synthrisk, temporaryFolder } from '../run-command.ts';
import { testKey } from '../test-keys.ts';
import { endWindows, onWindows, requireWine } from './wine.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const directory = temporaryFolder();
const windows = join(directory, 'wine');
afterAll(() => endWindows(windows));
const MOST_BYTES = 60e6;

/** What a run leaves of results: the same on every platform under the same keys. */
const RESULTS = ['release/', 'confidential/', 'diagnostics/'];
const KEY = 'key.txt';
const FLAGS = [...SMALL_FLAGS, '--release-key', KEY];

/** Makes the folder of a platform as a person has it after unpacking, in a path with a space and a letter beyond ASCII. */
function unpack(platform: Platform): string {
  const dist = join(root, 'dist');
  const program = execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], { cwd: root, encoding: 'utf8' });
  const [{ files }] = JSON.parse(program) as [{ files: { path: string }[] }];
  expect(files.some(({ path }) => join(root, path) === join(dist, 'synthrisk.mjs'))).toBe(true);
  const contents = new Map(files.map(({ path }) => [path, readFileSync(join(root, path))]));
  const bytes = portableFolder(platform, VERSION, contents, root, { level: 3 });
  expect(bytes.length).toBeLessThan(MOST_BYTES);
  const place = join(directory, `Übung ${platform}`);
  mkdirSync(place);
  writeFileSync(join(directory, 'folder.zip'), bytes);
  execFileSync('unzip', ['-q', join(directory, 'folder.zip'), '-d', place]);
  return join(place, `synthrisk-${VERSION}-${platform}`);
}

/** A folder of data with a table, a release key and the key of the place, so that runs in it repeat each other. */
function dataFolder(name: string): string {
  const folder = join(directory, name);
  mkdirSync(join(folder, 'own run', 'confidential'), { recursive: true });
  writeFileSync(join(folder, 'table.csv'), smallTable());
  writeFileSync(join(folder, KEY), encodeKey(testKey(2)));
  writeFileSync(join(folder, 'own run', 'confidential', 'place-key'), encodeKey(testKey(1)));
  return folder;
}

let expected: Record<string, string>;
beforeAll(async () => {
  const folder = dataFolder('here');
  const { code, stderr } = await synthrisk(folder, ['evaluate', 'table.csv', ...FLAGS, '--out', 'own run']);
  expect(code, stderr).toBe(0);
  expected = fileHashes(join(folder, 'own run'), ...RESULTS);
  expect(Object.keys(expected).length).toBeGreaterThan(10);
});

it('every platform has its Node by version and digest, all of one version', () => {
  expect(Object.keys(PLATFORMS)).toEqual(['win-x64', 'linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64']);
  expect(new Set(Object.values(PLATFORMS).map(({ version }) => version)).size).toBe(1);
  for (const { integrity } of Object.values(PLATFORMS)) expect(Buffer.from(integrity.slice(7), 'base64')).toHaveLength(64);
});

describe('the portable folder', () => {
  it('of Linux runs through a link, without any Node on the path, to the bytes of this program', () => {
    const folder = unpack('linux-x64');
    execFileSync('sha256sum', ['--check', '--quiet', '--strict', 'SHA256SUMS'], { cwd: folder });
    const listed = readFileSync(join(folder, 'SHA256SUMS'), 'utf8')
      .trim()
      .split('\n')
      .map((line) => line.slice(66));
    const found = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    expect(listed.length).toBe(found.length - 1);
    expect(listed).toEqual(expect.arrayContaining(['node/LICENSE', 'program/dist/sbom.cdx.json', 'program/LICENSE']));
    const data = dataFolder('on Linux');
    symlinkSync(join(folder, 'synthrisk'), join(data, 'synthrisk'));
    const args = ['evaluate', 'table.csv', ...FLAGS, '--out', 'own run'];
    const { status, stderr } = spawnSync(join(data, 'synthrisk'), args, { cwd: data, encoding: 'utf8', env: { PATH: '/usr/bin:/bin' } });
    expect(status, stderr).toBe(0);
    expect(fileHashes(join(data, 'own run'), ...RESULTS)).toEqual(expected);
    expect(statSync(join(folder, 'synthrisk')).mode & 0o777).toBe(0o755);
  });

  it('of Windows runs under Wine, to the bytes of this program, and refuses as elsewhere', () => {
    requireWine();
    const folder = unpack('win-x64');
    // Batch files of Wine take no letters beyond those of its code page.
    cpSync(folder, join(directory, 'program files'), { recursive: true });
    const program = '"..\\program files\\synthrisk.cmd"';
    const data = dataFolder('on Windows');
    const evaluated = onWindows(data, `${program} evaluate table.csv ${FLAGS.join(' ')} --out "own run"`, windows);
    expect(evaluated.code, evaluated.stderr).toBe(0);
    expect(evaluated.stdout).toContain('own run\\confidential\\report.html');
    expect(fileHashes(join(data, 'own run'), ...RESULTS)).toEqual(expected);

    // The bytes of a file that Windows wrote: line ends, and a mark of the encoding.
    writeFileSync(join(data, 'größe.csv'), '\ufeffregion,größe\r\n1,2\r\n3\r\n');
    writeFileSync(join(data, 'run.yaml'), 'table: größe.csv\r\n');
    const refused = onWindows(data, `${program} plan --config run.yaml`, windows);
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain('row 2: expected 2 fields, as in the header, found 1');
    const missing = onWindows(data, `${program} plan C:\\no\\such\\table.csv --json`, windows);
    expect(missing.code).toBe(2);
    expect(JSON.parse(missing.stdout).error).toMatchObject({ code: 'unreadable-file', file: 'C:\\no\\such\\table.csv' });
    const repeated = onWindows(data, `${program} evaluate table.csv ${FLAGS.join(' ')} --seed 9 --out "own run"`, windows);
    expect(repeated.code).toBe(2);
    expect(repeated.stderr).toContain('holds another run');
  });
});
