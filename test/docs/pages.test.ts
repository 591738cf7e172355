import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { caseTables } from '../../bench/case/tables.ts';
import { readCase } from '../../bench/case/worked-case.ts';
import { insertTables } from '../../scripts/pages/insert-tables.ts';
import { calledCommands } from './called-commands.ts';
import { checkCommand } from './check-command.ts';
import { FOLLOWED_PAGES, followedPage, pageText } from './followed-pages.ts';
import { freshClone } from './fresh-clone.ts';
import type { Block } from './page-blocks.ts';
import { checkSettings, runShell, saveFile } from './run-page.ts';
import { holdCase } from './worked-case.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

const WORKED_CASE = 'docs/tutorial/worked-case.md';

/** How a block is tested: as its marker says, or by what it is where it is no shell. */
function kindOf({ language, manner }: Block): string {
  if (language === 'sh') return manner;
  if (['yaml', 'mermaid', 'csv', 'js', 'ts'].includes(language)) return language;
  return language === 'r' || language === 'python' ? 'example' : `unknown language "${language}"`;
}

/**
 * How many blocks of each page are tested otherwise than by being run in full. A block that cannot be run is marked on its
 * page and counted here.
 */
const OTHERWISE: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  'README.md': { parsed: 1, small: 1, yaml: 1 },
  'docs/how-to/calibrate.md': { small: 1 },
  'docs/how-to/cloud.md': { emulated: 8, mermaid: 1, parsed: 2, yaml: 1 },
  'docs/how-to/cluster.md': { small: 1 },
  'docs/how-to/compare.md': { small: 1, yaml: 1 },
  'docs/how-to/contributing.md': { parsed: 4 },
  'docs/how-to/differential-privacy.md': { yaml: 1 },
  'docs/how-to/install.md': { parsed: 2, small: 1 },
  'docs/how-to/partially-synthetic.md': { small: 1, yaml: 1 },
  'docs/how-to/python.md': { example: 4, parsed: 1 },
  'docs/how-to/r.md': { example: 2 },
  'docs/how-to/read-results.md': { languages: 2, small: 1 },
  'docs/how-to/your-table.md': { csv: 1, small: 1, yaml: 3 },
  'docs/how-to/release.md': { parsed: 3 },
  'docs/reference/api.md': { js: 1, ts: 12 },
  'docs/tutorial/first-run.md': { small: 1 },
  'docs/tutorial/worked-case.md': { yaml: 1 },
};

describe.each(FOLLOWED_PAGES)('%s', (name) => {
  const page = followedPage(name);
  let clone: ReturnType<typeof freshClone>;

  beforeAll(() => {
    clone = freshClone(page.given, name === 'README.md');
  });
  afterAll(() => clone.remove());

  it('has no block that is left out', () => {
    const counts: Record<string, number> = {};
    for (const kind of page.blocks.map(kindOf)) if (kind !== 'run') counts[kind] = (counts[kind] ?? 0) + 1;
    expect(counts).toEqual(OTHERWISE[name] ?? {});
  });

  // In their order: a block finds what those before it have left. After one that fails, so do the others.
  let failed = false;
  it.for(page.blocks.map((block) => [`line ${block.line}, ${kindOf(block)}`, block] as const))('%s', async ([, block]) => {
    expect(failed, 'a block before it failed').toBe(false);
    failed = true;
    await testBlock(block, clone.folder);
    failed = false;
  });

  if (name === WORKED_CASE) {
    it('has the numbers that its commands find, and a reviewer who says what is so', () => {
      const found = readCase(clone.folder);
      expect(insertTables(pageText(name), caseTables(found))).toBe(pageText(name));
      holdCase(found);
    });
  }
});

/** Whether all that a block calls of our package for its language is there; `npm run test:languages` runs such calls. */
function callsPackage({ language, text }: Block): boolean {
  const [call, exports] =
    language === 'r'
      ? [/\bsynthrisk_\w+(?=\()/g, 'packages/r/NAMESPACE']
      : [/(?<=\bsynthrisk\.)\w+(?=\()|(?<=except synthrisk\.)\w+/g, 'packages/python/src/synthrisk/__init__.py'];
  const words = new Set(readFileSync(join(root, exports), 'utf8').match(/\w+/g));
  return (text.match(call) ?? []).every((name) => words.has(name));
}

async function testBlock(block: Block, folder: string): Promise<void> {
  switch (kindOf(block)) {
    case 'run':
    case 'small': {
      const { code, output } = await runShell(folder, block);
      // Chains of a short run have not converged, and then no acceptance rule is met.
      const expected = block.manner === 'small' ? [block.exit, 4] : [block.exit];
      expect(expected, output.slice(-3000)).toContain(code);
      return;
    }
    case 'js': {
      writeFileSync(join(folder, 'block.mjs'), block.text);
      const { code, output } = await runShell(folder, { ...block, text: 'node block.mjs' });
      expect(code, output.slice(-3000)).toBe(0);
      return;
    }
    case 'languages':
    case 'emulated':
    case 'parsed': {
      const calls = calledCommands(block.text);
      expect(calls).not.toEqual([]);
      for (const call of calls) expect([call, await checkCommand(call)]).toEqual([call, undefined]);
      return;
    }
    case 'yaml':
      checkSettings(block);
      saveFile(folder, block);
      return;
    case 'example':
      expect(callsPackage(block)).toBe(true);
      return;
    case 'csv':
    case 'mermaid':
    case 'ts':
      // Nothing that a reader runs.
      expect(block.text).not.toMatch(/synthrisk|npm/);
  }
}
