import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const read = (file: string) => JSON.parse(readFileSync(file, 'utf8'));
const page = readFileSync('docs/reference/dependencies.md', 'utf8');
/** The packages of the tables below a heading. */
const listedBelow = (heading: string) =>
  page
    .split(`## ${heading}\n`)[1]!
    .split('\n## ')[0]!
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .flatMap((line) => [...line.split(' | ')[0]!.matchAll(/`([^`]+)`/g)].map(([, name]) => name!));

const WITHIN = listedBelow('Within the program');
const BESIDE = listedBelow('To build, deploy and test');

it('every package that is asked for is listed once, with what it is for', () => {
  const { dependencies = {}, devDependencies } = read('package.json');
  expect([...WITHIN, ...BESIDE].sort()).toEqual(Object.keys(devDependencies).sort());
  expect(dependencies).toEqual({});
});

it('those within the program are those of its sources', () => {
  const bundled = ['sbom', 'functions'].flatMap((bill): { name: string }[] => read(`dist/${bill}.cdx.json`).components);
  const names = new Set(bundled.map(({ name }) => name));
  // The page in a browser is a bundle without a list: preact alone is in it and nowhere else.
  expect(WITHIN.filter((name) => !names.has(name))).toEqual(['preact']);
  expect(BESIDE.filter((name) => names.has(name))).toEqual([]);
});

it('one package alone has a script that installing would run', () => {
  const packages: Record<string, { hasInstallScript?: boolean }> = read('package-lock.json').packages;
  expect(Object.keys(packages).filter((path) => packages[path]!.hasInstallScript)).toEqual(['node_modules/esbuild']);
});
