import { spawn } from 'node:child_process';
import { linkSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { lockFolder } from '../../../cli/run/folder-lock.ts';
import { temporaryFolder } from '../../run-command.ts';

const directory = temporaryFolder();
let folders = 0;
const newFolder = () => join(directory, `run-${++folders}`);
const underWay = expect.objectContaining({ name: 'RunConflictError', code: 'run-under-way' });

/** The lock of a folder as another process left it. */
async function leaveLock(folder: string, changes: object): Promise<string> {
  const lock = await lockFolder(folder);
  const path = join(folder, '.lock');
  const holder = JSON.parse(readFileSync(path, 'utf8'));
  await lock.release();
  writeFileSync(path, JSON.stringify({ ...holder, token: globalThis.crypto.randomUUID(), ...changes }));
  return path;
}

/** The number of a process that was and is no more. */
function endedProcess(): Promise<number> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, ['-e', '']);
    child.on('exit', () => resolve(child.pid!));
  });
}

describe('lockFolder()', () => {
  let ended: number;
  beforeAll(async () => {
    ended = await endedProcess();
  });

  it('makes the folder, lets nobody else in, and leaves nothing', async () => {
    const folder = newFolder();
    const lock = await lockFolder(folder);
    await expect(lockFolder(folder)).rejects.toThrow(underWay);
    expect(readdirSync(folder)).toEqual(['.lock']);
    await lock.release();
    expect(readdirSync(folder)).toEqual([]);
    await (await lockFolder(folder)).release();
  });

  it.each<[string, () => object]>([
    ['was killed', () => ({ pid: ended })],
    ['was on this machine before it started anew', () => ({ boot: 'another start' })],
  ])('takes the place of a holder who %s', async (_, changes) => {
    const folder = newFolder();
    await leaveLock(folder, changes());
    const lock = await lockFolder(folder);
    await expect(lockFolder(folder)).rejects.toThrow(underWay);
    await lock.release();
    expect(readdirSync(folder)).toEqual([]);
  });

  it.runIf(process.platform === 'linux')('takes another process of the same number for another', async () => {
    const folder = newFolder();
    await leaveLock(folder, { started: '1' });
    await (await lockFolder(folder)).release();
  });

  it('believes a holder on another machine for ten minutes without a sign of life', async () => {
    const folder = newFolder();
    const path = await leaveLock(folder, { host: `not-${hostname()}`, pid: ended });
    await expect(lockFolder(folder)).rejects.toThrow(underWay);
    const before = new Date(Date.now() - 11 * 60_000);
    utimesSync(path, before, before);
    await (await lockFolder(folder)).release();
  });

  it('lets one in of many that find a holder at an end', async () => {
    const folder = newFolder();
    await leaveLock(folder, { pid: ended });
    const locks = await Promise.allSettled(Array.from({ length: 12 }, () => lockFolder(folder)));
    const taken = locks.flatMap((lock) => (lock.status === 'fulfilled' ? [lock.value] : []));
    expect(taken).toHaveLength(1);
    for (const lock of locks) if (lock.status === 'rejected') expect(lock.reason).toEqual(underWay);
    await taken[0]!.release();
    expect(readdirSync(folder)).toEqual([]);
  });

  it('goes on where one was killed while it took the place of another', async () => {
    const folder = newFolder();
    const path = await leaveLock(folder, { pid: ended });
    const { token } = JSON.parse(readFileSync(path, 'utf8'));
    linkSync(path, `${path}-${token}`);
    await (await lockFolder(folder)).release();
    expect(readdirSync(folder)).toEqual([]);
  });

  it('refuses a file that is no lock, and names it', async () => {
    const folder = newFolder();
    await (await lockFolder(folder)).release();
    writeFileSync(join(folder, '.lock'), 'mine');
    await expect(lockFolder(folder)).rejects.toThrow(
      expect.objectContaining({ code: 'malformed-lock', message: expect.stringContaining('.lock') }),
    );
  });
});
