import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

/** A copy of the project's scripts and settings, with its packages, in which nothing was ever compiled. */
let project: string;

beforeAll(() => {
  project = mkdtempSync(join(tmpdir(), 'synthrisk-unbuilt-'));
  for (const path of ['scripts', 'vitest.config.ts', 'package.json', 'shared/numeric/kernel.ts']) {
    cpSync(path, join(project, path), { recursive: true });
  }
  symlinkSync(resolve('node_modules'), join(project, 'node_modules'));
  mkdirSync(join(project, 'test'));
  writeFileSync(join(project, 'test', 'any.test.ts'), "import '../shared/numeric/kernel.ts';\n");
});
afterAll(() => rmSync(project, { recursive: true }));

function run(...programArguments: string[]) {
  const { FORCE_COLOR: _, ...environment } = process.env;
  const env = { ...environment, NO_COLOR: '1' };
  return spawnSync(process.execPath, programArguments, { cwd: project, encoding: 'utf8', env });
}

describe('without compiled kernels', () => {
  it('a TypeScript program is not run, and one line says what to do', () => {
    const { status, stdout, stderr } = run('scripts/run-typescript.mjs', 'shared/numeric/kernel.ts');
    expect({ status, stdout, stderr }).toEqual({
      status: 1,
      stdout: '',
      stderr: 'The kernels are not compiled, or the script of the report is not bundled: run `npm run build`.\n',
    });
  });

  it('no test is run, and Vitest says what to do', () => {
    const { status, stdout, stderr } = run('node_modules/vitest/vitest.mjs', 'run');
    expect(status).toBe(1);
    expect(stderr).toContain('Error: The kernels are not compiled, or the script of the report is not bundled: run `npm run build`.');
    expect(stdout + stderr).not.toMatch(/cannot find|failed to resolve/i);
  });
});
