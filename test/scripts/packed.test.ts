import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { smallTable } from '../pipeline/small-run.ts';
import { SMALL_FLAGS, temporaryFolder } from '../run-command.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Most bytes of what is carried to a machine without network. */
const MOST_BYTES = 5e6;

/** Seconds within which npm makes, installs and starts the package on a busy machine. */
const PATIENCE_SECONDS = 120;

describe('the package that `npm pack` makes', { timeout: 1000 * PATIENCE_SECONDS }, () => {
  const directory = temporaryFolder();
  let file: string;

  /** Runs npm or npx in an empty folder, away from the project, its packages and any cache. */
  const run = (command: string, ...args: string[]) =>
    spawnSync(command, args, {
      cwd: directory,
      encoding: 'utf8',
      env: { PATH: process.env.PATH, HOME: directory, npm_config_cache: join(directory, 'cache') },
    });

  beforeAll(() => {
    // What the script `prepare` would build is what the other tests of commands run.
    const packed = run('npm', 'pack', root, '--ignore-scripts', '--silent');
    expect(packed.status, packed.stderr).toBe(0);
    file = packed.stdout.trim();
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
    expect(stdout).not.toMatch(/\.(map|node|ts)$/m);
    expect(stdout).toContain('package/dist/third-party-licenses.txt');
  });

  it('runs the main job in an empty folder without a network, down to threads and report', () => {
    writeFileSync(join(directory, 'table.csv'), smallTable());
    const args = ['evaluate', 'table.csv', ...SMALL_FLAGS, '--quiet', '--out', 'run'];
    const { status, stderr, stdout } = run('npx', '--yes', '--offline', `./${file}`, ...args);
    expect({ status, stderr: stderr.match(/\w*Error.*/)?.[0] }).toEqual({ status: 0, stderr: undefined });
    expect(stdout).toContain('report.html');
    expect(readFileSync(join(directory, 'run', 'confidential', 'report.html'), 'utf8')).toContain('<svg');
    expect(readdirSync(join(directory, 'run', 'release'))).toContain('synthetic-1.csv');
    expect(existsSync(join(directory, 'node_modules'))).toBe(false);
  });

  it('says that an environment is deployed from a clone', () => {
    const { status, stderr } = run('npx', '--yes', '--offline', `./${file}`, 'cloud', 'deploy');
    expect(status).toBe(2);
    expect(stderr).toContain('needs a clone');
    expect(stderr).toContain('Missing: cdk.json');
  });
});
