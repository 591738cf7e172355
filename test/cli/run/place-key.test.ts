import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findPlaceKey, keepPlaceKey } from '../../../cli/run/place-key.ts';
import { encodeKey } from '../../../shared/contracts/secret-key.ts';
import { filesBelow, temporaryFolder } from '../../run-command.ts';
import { testKey } from '../../test-keys.ts';

const directory = temporaryFolder();
const before = process.cwd();
beforeAll(() => process.chdir(directory));
afterAll(() => process.chdir(before));

describe.each([
  ['of all runs', undefined, 'synthrisk-runs/place-key'],
  ['that was named for one', 'named', 'named/confidential/place-key'],
])('the key of the folder %s', (_what, out, path) => {
  it('is new until it is kept, and then stays', async () => {
    const first = await findPlaceKey(out);
    const second = await findPlaceKey(out);
    expect([first.stored, second.stored]).toEqual([false, false]);
    expect(second.key).not.toEqual(first.key);
    expect(filesBelow(directory)).not.toContain(path);
    await keepPlaceKey(out, first.key);
    expect(await findPlaceKey(out)).toEqual({ key: first.key, stored: true });
    expect(new Uint8Array(readFileSync(path))).toEqual(encodeKey(first.key));
  });

  it('is for its owner alone', () => {
    expect(statSync(join(directory, path)).mode & 0o777).toBe(0o600);
  });

  it('is not taken over by a run that began with another', async () => {
    const { key } = await findPlaceKey(out);
    await keepPlaceKey(out, key);
    await expect(keepPlaceKey(out, testKey(1))).rejects.toMatchObject({ code: 'place-taken' });
    expect((await findPlaceKey(out)).key).toEqual(key);
  });

  it('that is no key any longer says how to go on, and nothing of itself', async () => {
    const kept = readFileSync(path);
    writeFileSync(path, `?${kept.subarray(1)}`);
    await expect(findPlaceKey(out)).rejects.toMatchObject({
      code: 'checksum-differs',
      message:
        'place-key is not the key that was stored: its bytes have changed. Put it back from a copy, or begin the run again in another folder.',
    });
    writeFileSync(path, kept);
  });
});
