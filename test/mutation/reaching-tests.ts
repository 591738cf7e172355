import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

/** Tests that cannot see a change: they run what is built, read the sources themselves, or need what only some machines have. */
const BLIND = /^test\/(arm64|browser|cli\/confidentiality|docs|fuzz|infra|languages|localstack|other-nodes|packages|repository|scripts)/;
/** Golden digests notice any change, without knowing which result is right. */
const GOLDEN = 'test/pipeline/golden.test.ts';
/** What starts a program of its own, in which nothing is changed. */
const SPAWNS = /from '(node:child_process|.*\/run-command\.ts)'/;

/** The files that a file imports to run them, as paths of the project; types are no such. */
function importsOf(file: string, text: string): string[] {
  const found = text.matchAll(/^(?:import|export)\s(?!type\s)(?:[^';]*?\sfrom\s)?'(\.[^']+)'/gm);
  return [...found].map(([, path]) => normalize(join(dirname(file), path!)));
}

/** By file of TypeScript below these folders: its text. */
export function readSources(folders: readonly string[]): Map<string, string> {
  const names = folders.flatMap((folder) => readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)));
  const files = names.filter((name) => /\.tsx?$/.test(name)).toSorted();
  return new Map(files.map((file) => [file, readFileSync(file, 'utf8')]));
}

/** The files of a folder and below, or the one file. */
export function filesOf(sources: ReadonlyMap<string, string>, folder: string): string[] {
  return [...sources.keys()].filter((file) => file === folder || file.startsWith(`${folder}/`));
}

/**
 * The tests that come to a folder's code in one process: those in the folder of the same name below `test/` or beside that folder
 * that import it, and with a number of steps all that come to it in so many steps from file to file of the program.
 */
export function reachingTests(sources: ReadonlyMap<string, string>, folder: string, steps = 0): string[] {
  const importers = new Map<string, string[]>();
  for (const [file, text] of sources) {
    if (SPAWNS.test(text)) continue;
    for (const imported of importsOf(file, text)) importers.set(imported, [...(importers.get(imported) ?? []), file]);
  }
  const sameName = join('test', folder.replace(/^shared\//, '').replace(/\.ts$/, ''));
  const isTest = (file: string) => file.endsWith('.test.ts') && !BLIND.test(file) && file !== GOLDEN;
  const seen = new Set(filesOf(sources, folder));
  const reached: string[] = [];
  let layer = [...seen];
  for (let step = 0; layer.length > 0; step++) {
    layer = [...new Set(layer.flatMap((file) => importers.get(file) ?? []))].filter((file) => !seen.has(file));
    for (const file of layer) seen.add(file);
    const near = step === 0 ? dirname(sameName) : sameName;
    reached.push(...layer.filter((file) => isTest(file) && (step < steps || file.startsWith(`${near}/`))));
  }
  return reached;
}
