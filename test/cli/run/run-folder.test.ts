import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { requireEmptyFolder } from '../../../cli/run/run-folder.ts';
import { temporaryFolder } from '../../run-command.ts';

const directory = temporaryFolder();

it('takes a folder where a write was broken off for an empty one, and leaves nothing of that', async () => {
  const left = join(directory, 'broken-off', '.tmp');
  mkdirSync(left, { recursive: true });
  writeFileSync(join(left, 'half'), 'of a result');
  await requireEmptyFolder(join(directory, 'broken-off'));
  expect(existsSync(left)).toBe(false);
  await requireEmptyFolder(join(directory, 'none'));
});

it.each(['.lock', 'mine.csv'])('refuses a folder with %s, and leaves it as it is', async (name) => {
  const folder = join(directory, `with-${name}`);
  mkdirSync(join(folder, '.tmp'), { recursive: true });
  writeFileSync(join(folder, name), '');
  await expect(requireEmptyFolder(folder)).rejects.toMatchObject({ code: 'folder-in-use' });
  expect([name, '.tmp'].every((entry) => existsSync(join(folder, entry)))).toBe(true);
});
