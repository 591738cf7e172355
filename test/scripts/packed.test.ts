import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { encodeKey } from '../../shared/contracts/secret-key.ts';
import { VERSION } from '../../shared/contracts/version.ts';
import { smallTable } from '../pipeline/small-run.ts';
import { fileHashes, SMALL_FLAGS, temporaryFolder } from '../run-command.ts';
import { testKey } from '../test-keys.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Most bytes of what is carried to a machine without network. */
const MOST_BYTES = 5e6;

/** Seconds within which npm makes, installs and starts the package on a busy machine. */
const PATIENCE_SECONDS = 120;

describe('the package that `npm pack` makes', { timeout: 1000 * PATIENCE_SECONDS }, () => {
  const directory = temporaryFolder();
  let file: string;

  /** Runs npm or npx in an empty folder, away from the project, its packages and any cache. */
  const run = (command: string, ...args: string[]) => {
    // Of the same day as what is run beside it.
    const { PATH, SOURCE_DATE_EPOCH } = process.env;
    const env = { PATH, SOURCE_DATE_EPOCH, HOME: directory, npm_config_cache: join(directory, 'cache') };
    return spawnSync(command, args, { cwd: directory, encoding: 'utf8', env });
  };

  beforeAll(() => {
    const packed = run('npm', 'pack', root, '--silent');
    expect(packed.status, packed.stderr).toBe(0);
    file = packed.stdout.trim().split('\n').at(-1)!;
    writeFileSync(join(directory, 'table.csv'), smallTable());
  }, 1000 * PATIENCE_SECONDS);

  it('is one file of a few megabytes that asks for no other package', () => {
    expect(statSync(join(directory, file)).size).toBeLessThan(MOST_BYTES);
    const { dependencies, optionalDependencies, scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    expect({ dependencies, optionalDependencies }).toEqual({ dependencies: undefined, optionalDependencies: undefined });
    expect(Object.keys(scripts).filter((name) => /^(pre|post)?install$/.test(name))).toEqual([]);
    const { stdout } = spawnSync('tar', ['-tf', join(directory, file)], { encoding: 'utf8' });
    expect(stdout.split('\n').filter((path) => !/^package\/(dist\/|$)/.test(path))).toEqual(
      expect.arrayContaining(['package/LICENSE', 'package/README.md', 'package/package.json']),
    );
    expect(stdout.match(/.*\.(map|node|ts)$/gm)).toEqual(['package/dist/documents.d.ts', 'package/dist/index.d.ts']);
    expect(stdout).toContain('package/dist/third-party-licenses.txt');
    const bill = JSON.parse(readFileSync(join(root, 'dist', 'sbom.cdx.json'), 'utf8'));
    const listed = bill.components.map(({ name, version }: { name: string; version: string }) => `${name} ${version} (`);
    const licenses = readFileSync(join(root, 'dist', 'third-party-licenses.txt'), 'utf8');
    expect(listed.filter((one: string) => !licenses.includes(`\n${one}`))).toEqual([]);
    expect(licenses.split('-'.repeat(80))).toHaveLength(1 + listed.length);
    expect(bill.metadata.component).toMatchObject({ name: 'synthrisk', version: VERSION });
    for (const { hashes } of bill.components) expect(hashes[0].content).toMatch(/^[0-9a-f]{128}$/);
    const functions = JSON.parse(readFileSync(join(root, 'dist', 'functions.cdx.json'), 'utf8'));
    const inFunctions = functions.components.map(({ name }: { name: string }) => name);
    expect(inFunctions).toEqual(expect.arrayContaining(['@aws-sdk/client-s3', 'piscina', 'zod']));
    // What the command line alone has.
    expect(inFunctions).not.toContain('commander');
  });

  it('runs the main job in an empty folder without a network, down to threads and report', () => {
    const args = ['evaluate', 'table.csv', ...SMALL_FLAGS, '--quiet', '--out', 'run'];
    const { status, stderr, stdout } = run('npx', '--yes', '--offline', `./${file}`, ...args);
    expect({ status, stderr: stderr.match(/\w*Error.*/)?.[0] }).toEqual({ status: 0, stderr: undefined });
    expect(stdout).toContain('report.html');
    expect(readFileSync(join(directory, 'run', 'confidential', 'report.html'), 'utf8')).toContain('<svg');
    expect(readdirSync(join(directory, 'run', 'release'))).toContain('synthetic-1.csv');
    expect(existsSync(join(directory, 'node_modules'))).toBe(false);
  });

  it('is installed for all without the registry and without a word of scripts, and starts', () => {
    const prefix = join(directory, 'prefix');
    const { status, stderr } = run('npm', 'install', '--global', '--prefix', prefix, '--offline', `./${file}`);
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    const started = spawnSync(join(prefix, 'bin', 'synthrisk'), ['--version'], { encoding: 'utf8' });
    expect(started.stdout.trim()).toBe(VERSION);
  });

  it('has functions and their types for programs, which evaluate to the bytes of the command line', () => {
    const consumer = join(directory, 'consumer');
    mkdirSync(consumer);
    writeFileSync(join(consumer, 'package.json'), '{ "type": "module" }');
    expect(run('npm', 'install', '--offline', '--prefix', consumer, `./${file}`).status).toBe(0);
    cpSync(fileURLToPath(new URL('./consumer.ts', import.meta.url)), join(consumer, 'consumer.ts'));
    const bin = (name: string) => join(root, 'node_modules', '.bin', name);
    const types = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2023', '--skipLibCheck', 'false'];
    const node = ['--types', 'node', '--typeRoots', join(root, 'node_modules', '@types')];
    const checked = spawnSync(bin('tsc'), [...types, ...node, 'consumer.ts'], { cwd: consumer, encoding: 'utf8' });
    expect(checked.stdout).toBe('');
    spawnSync(bin('esbuild'), ['consumer.ts', '--outfile=consumer.js'], { cwd: consumer });
    const key = join(consumer, 'key');
    writeFileSync(key, encodeKey(testKey(2)));
    const { status, stderr, stdout } = spawnSync(process.execPath, ['consumer.js', '../table.csv', key], {
      cwd: consumer,
      encoding: 'utf8',
    });
    expect(status, stderr).toBe(0);
    const told = JSON.parse(stdout);
    expect(told).toMatchObject({
      version: VERSION,
      refused: 'invalid-config',
      missing: 'unreadable-file',
      ended: 'interrupted',
      records: 60,
    });
    // The same settings, table and keys by the command line.
    const settings = ['--config', join(consumer, 'run.yaml'), '--release-key', key, '--jobs', '1', '--quiet'];
    writeFileSync(join(consumer, 'run.yaml'), told.settings);
    mkdirSync(join(directory, 'same', 'confidential'), { recursive: true });
    writeFileSync(join(directory, 'same', 'confidential', 'place-key'), told.placeKey);
    const same = run(process.execPath, join(root, 'dist', 'synthrisk.mjs'), 'evaluate', 'table.csv', ...settings, '--out', 'same');
    expect(same.status, same.stderr).toBe(0);
    const below = ['release/', 'confidential/attribute', 'confidential/variable', 'confidential/report.html'];
    const ofApi = fileHashes(join(consumer, 'store', 'runs', told.runId), ...below);
    expect(Object.keys(ofApi).length).toBeGreaterThan(5);
    expect(ofApi).toEqual(fileHashes(join(directory, 'same'), ...below));
  });

  it('says that an environment is deployed from a clone', () => {
    const { status, stderr } = run('npx', '--yes', '--offline', `./${file}`, 'cloud', 'deploy');
    expect(status).toBe(2);
    expect(stderr).toContain('needs a clone');
    expect(stderr).toContain('Missing: cdk.json');
  });
});
