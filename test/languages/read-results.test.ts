import { afterAll, expect, it } from 'vitest';
import { followedPage } from '../docs/followed-pages.ts';
import { freshClone } from '../docs/fresh-clone.ts';
import { runShell } from '../docs/run-page.ts';
import { pythonEnvironment, requireR } from './programs.ts';

const page = followedPage('docs/how-to/read-results.md');
const clone = freshClone(page.given, false);
afterAll(() => clone.remove());

it('the page on reading results can be followed, R and Python included', async () => {
  requireR();
  const blocks = page.blocks.filter(({ language }) => language === 'sh');
  expect(blocks.map(({ manner }) => manner)).toEqual(['small', 'languages', 'languages']);
  for (const block of blocks) {
    const { code, output } = await runShell(clone.folder, block, pythonEnvironment());
    expect(code, output.slice(-3000)).toBe(block.exit);
    if (block.manner === 'languages') expect(output).toContain('gainBitsMean');
  }
});
