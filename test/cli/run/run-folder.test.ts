import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { readEarlierState, requireEmptyFolder, requireFolderOf } from '../../../cli/run/run-folder.ts';
import { runKeys } from '../../../shared/contracts/keys.ts';
import { foundBoundsSchema } from '../../../shared/contracts/results/bounds.ts';
import { FileStore } from '../../../shared/storage/file-store.ts';
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

it('takes a folder where the first write was broken off, that of a key, for one of nobody', async () => {
  const runId = '0'.repeat(16);
  const folder = join(directory, 'broken-key');
  mkdirSync(join(folder, 'confidential', '.tmp'), { recursive: true });
  writeFileSync(join(folder, 'confidential', '.tmp', 'half'), 'of a key');
  const begun = { directory: folder, store: new FileStore(folder, runKeys(runId).root), runId, holdsKey: false };
  const bounds = { key: runKeys(runId).confidential.inherent, schema: foundBoundsSchema, what: 'the bounds' };
  expect(await readEarlierState(begun)).toBeNull();
  await requireFolderOf(begun, bounds);
  writeFileSync(join(folder, 'confidential', 'notes.csv'), '');
  await expect(readEarlierState(begun)).rejects.toMatchObject({ code: 'folder-in-use' });
  await expect(requireFolderOf(begun, bounds)).rejects.toMatchObject({ code: 'folder-in-use' });
});

it.each(['.lock', 'mine.csv'])('refuses a folder with %s, and leaves it as it is', async (name) => {
  const folder = join(directory, `with-${name}`);
  mkdirSync(join(folder, '.tmp'), { recursive: true });
  writeFileSync(join(folder, name), '');
  await expect(requireEmptyFolder(folder)).rejects.toMatchObject({ code: 'folder-in-use' });
  expect([name, '.tmp'].every((entry) => existsSync(join(folder, entry)))).toBe(true);
});

it('knows results of another command by their last document, also where the folder has a key', async () => {
  const runId = '0'.repeat(16);
  const { confidential, root, run } = runKeys(runId);
  const bounds = { key: confidential.inherent, schema: foundBoundsSchema, what: 'the bounds' };
  const folderWith = async (key: string) => {
    const folder = join(directory, key.slice(root.length).replaceAll('/', '-'));
    const store = new FileStore(folder, root);
    await store.put(key, new Uint8Array());
    return { directory: folder, store, runId, holdsKey: true };
  };
  const refused = { code: 'folder-in-use', message: expect.stringContaining('holds what another command made') };
  for (const key of [confidential.inherent, confidential.masking, confidential.linkage]) {
    await expect(readEarlierState(await folderWith(key))).rejects.toMatchObject(refused);
  }
  for (const key of [run, confidential.masking, confidential.linkage]) {
    await expect(requireFolderOf(await folderWith(key), bounds)).rejects.toMatchObject(refused);
  }
  // What was broken off before its last document.
  const left = await folderWith(confidential.placeKey);
  expect(await readEarlierState(left)).toBeNull();
  await requireFolderOf(left, bounds);
});
