import { describe, expect, it } from 'vitest';
import { StorageError } from '../../shared/contracts/errors.ts';
import { keepPrivate } from '../../shared/storage/private-folder.ts';

const environment = { USERDOMAIN: 'OFFICE', USERNAME: 'ann' };

/** A machine that notes what it is asked to run. */
function machine(platform: string, refuses = false) {
  const ran: (readonly string[])[] = [];
  const run = async (program: string, args: readonly string[]) => {
    ran.push([program, ...args]);
    if (refuses) throw new Error('icacls ended with 5');
  };
  return { ran, platform, environment, run };
}

describe('a private folder', () => {
  it('has on Windows an access list of its user alone, which what is below has as well', async () => {
    const windows = machine('win32');
    await keepPrivate('C:\\runs', windows);
    expect(windows.ran).toEqual([['icacls', 'C:\\runs', '/inheritance:r', '/grant:r', 'OFFICE\\ann:(OI)(CI)F']]);
  });

  it('is refused where Windows keeps no access list', async () => {
    const refused = await keepPrivate('E:\\stick', machine('win32', true)).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(StorageError);
    expect(refused).toMatchObject({ code: 'not-private', message: expect.stringContaining('E:\\stick') });
  });

  it('needs no list elsewhere, where modes keep it', async () => {
    const linux = machine('linux');
    await keepPrivate('/runs', linux);
    expect(linux.ran).toEqual([]);
  });
});
