import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { StorageError } from '../contracts/errors.ts';

/** Where a program runs, as far as it decides how a folder is kept private. */
interface Machine {
  readonly platform: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Runs a program, and throws when it fails. */
  readonly run: (program: string, args: readonly string[]) => Promise<unknown>;
}

const HERE: Machine = { platform: process.platform, environment: process.env, run: promisify(execFile) };

/**
 * Lets nobody but this user into a folder and into what will be in it, where files have access lists in place of modes: on Windows.
 *
 * @throws StorageError `not-private` when Windows does not take the list, as on a disk without any
 */
export async function keepPrivate(directory: string, { platform, environment, run }: Machine = HERE): Promise<void> {
  if (platform !== 'win32') return;
  const user = [environment.USERDOMAIN, environment.USERNAME].filter(Boolean).join('\\');
  try {
    // No list of the folder above any more; files and folders below have this one.
    await run('icacls', [directory, '/inheritance:r', '/grant:r', `${user}:(OI)(CI)F`]);
  } catch {
    throw new StorageError(
      'not-private',
      `Windows keeps no access list for ${directory}, so that others could read what is confidential. Choose a folder on a disk with access lists (NTFS).`,
    );
  }
}
