import { describe, expect, it } from 'vitest';
import { clearPrivateStore, holdsPrivateStore, PrivateStore } from '../../../page/engine/private-store.ts';
import { storeSuite } from '../../storage/store-suite.ts';
import { privateFolder } from './private-folder.ts';

const PASSPHRASE = 'four words of nobody';
const SECRET = new TextEncoder().encode('region,age\nNorth,18-34\n');

storeSuite('PrivateStore', () => PrivateStore.open(privateFolder(), PASSPHRASE));

describe('PrivateStore', () => {
  it('gives back what was kept, to the passphrase that kept it and to no other', async () => {
    const files = privateFolder();
    await (await PrivateStore.open(files, PASSPHRASE)).put('runs/r1/plan.json', SECRET);
    expect(await (await PrivateStore.open(files, PASSPHRASE)).get('runs/r1/plan.json')).toEqual(SECRET);
    await expect(PrivateStore.open(files, 'another')).rejects.toMatchObject({ code: 'other-passphrase' });
  });

  it('leaves nothing on the disk that can be read, and no object under the name of another', async () => {
    const files = privateFolder();
    const store = await PrivateStore.open(files, PASSPHRASE);
    await store.put('runs/r1/a', SECRET);
    await store.put('runs/r1/b', SECRET);
    const folder = await files.getDirectoryHandle('synthrisk');
    const bytesOf = async (name: string) => new Uint8Array(await (await (await folder.getFileHandle(name)).getFile()).arrayBuffer());
    const [a, b] = [await bytesOf('runs%2Fr1%2Fa'), await bytesOf('runs%2Fr1%2Fb')];
    expect(new TextDecoder().decode(a)).not.toContain('North');
    expect(a).not.toEqual(b);
    const stream = await (await folder.getFileHandle('runs%2Fr1%2Fa')).createWritable();
    await stream.write(b);
    await stream.close();
    await expect(store.get('runs/r1/a')).rejects.toMatchObject({ code: 'other-passphrase' });
  });

  it('takes a file that was never closed for one that is not there', async () => {
    const files = privateFolder();
    const store = await PrivateStore.open(files, PASSPHRASE);
    await (await files.getDirectoryHandle('synthrisk')).getFileHandle('runs%2Fr1%2Fa', { create: true });
    expect(await store.head('runs/r1/a')).toBeNull();
    expect(await store.list('runs/')).toEqual([]);
    expect(await store.put('runs/r1/a', SECRET, { ifAbsent: true })).toBe('written');
  });

  it('is gone when it was cleared', async () => {
    const files = privateFolder();
    expect(await holdsPrivateStore(files)).toBe(false);
    await PrivateStore.open(files, PASSPHRASE);
    expect(await holdsPrivateStore(files)).toBe(true);
    await clearPrivateStore(files);
    expect(await holdsPrivateStore(files)).toBe(false);
  });
});
