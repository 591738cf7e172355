import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { followedPage } from '../docs/followed-pages.ts';
import { synthrisk, temporaryFolder } from '../run-command.ts';
import { runPackage, wheelOf } from './programs.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const directory = temporaryFolder();
const source = join(root, 'packages/python');
const SKIPPED = /\d+ (skipped|xfailed|deselected)/;

// A copy, so that nothing is built or cached among the sources.
const copy = join(directory, 'python');
cpSync(source, copy, { recursive: true });
const wheel = wheelOf(copy, join(directory, 'installed'));

it('the Python package has the version of the program', () => {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  expect(readFileSync(join(source, 'pyproject.toml'), 'utf8')).toContain(`\nversion = "${version}"\n`);
});

it('the Python package is typed', () => {
  const { code, output } = runPackage(wheel, copy, '-m', 'mypy', '--cache-dir', join(directory, 'mypy'));
  expect(code, output).toBe(0);
});

it('the Python package passes its tests, installed from its wheel', () => {
  const { code, output } = runPackage(wheel, copy, '-m', 'pytest', '-q', '-p', 'no:cacheprovider', 'tests');
  expect(code, output.slice(-5000)).toBe(0);
  expect(output).not.toMatch(SKIPPED);
});

it('the page for Python can be followed', async () => {
  const { code, stderr } = await synthrisk(directory, ['example']);
  expect(code, stderr).toBe(0);
  const blocks = followedPage('docs/how-to/python.md').blocks.filter(({ language }) => language === 'python');
  expect(blocks).toHaveLength(4);
  writeFileSync(join(directory, 'page.py'), blocks.map(({ text }) => text).join('\n'));
  const ended = runPackage(wheel, directory, 'page.py');
  expect(ended.code, ended.output.slice(-3000)).toBe(0);
  expect(ended.output).toContain('invalid-argument {}');
});
