import { readFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import type { Config } from '../../shared/contracts/config/config.ts';
import { InvalidConfigError } from '../../shared/contracts/errors.ts';
import { parseKey } from '../../shared/contracts/secret-key.ts';
import { completeConfig, parseSettings } from '../../shared/contracts/settings/complete-config.ts';
import { isSection, type Settings } from '../../shared/contracts/settings/settings.ts';

/**
 * Reads a file that the user named.
 *
 * @throws InvalidConfigError saying which file cannot be read
 */
export async function readUserFile(path: string): Promise<Uint8Array> {
  try {
    return await readFile(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new InvalidConfigError(
      'unreadable-file',
      code === 'ENOENT' ? `There is no file ${path}.` : `${path} cannot be read (${code}).`,
    );
  }
}

/**
 * The key in a file that the user named, if any.
 *
 * @throws InvalidConfigError when the file cannot be read, or holds no key
 */
export async function readReleaseKey(path: string | undefined): Promise<Uint8Array | undefined> {
  return path === undefined ? undefined : parseKey(await readUserFile(path), path);
}

async function readConfigFile(path: string): Promise<Settings> {
  const settings = parseSettings(await readUserFile(path), path);
  // Files are named relative to the file that names them.
  const resolved = (name: unknown) => (typeof name === 'string' ? resolve(dirname(path), name) : name);
  if ('table' in settings) settings.table = resolved(settings.table);
  const { synthesis } = settings;
  if (isSection(synthesis) && 'structuralZeros' in synthesis) {
    synthesis.structuralZeros = resolved(synthesis.structuralZeros);
  }
  return settings;
}

/**
 * The config of a run: an earlier run's settings (if any), overridden by the config file, overridden by flags,
 * with defaults for the rest.
 *
 * @throws InvalidConfigError listing every field that is wrong
 */
export async function readConfig(
  file: string | undefined,
  flags: Settings,
  earlier: Settings = {},
): Promise<Config> {
  const given = [file ? await readConfigFile(file) : {}, flags];
  // A precision stands for a whole set of numbers: named anew, it goes before those of the earlier run.
  const namesPrecision = given.some(({ mcmc }) => isSection(mcmc) && mcmc.precision !== undefined);
  const { mcmc: _, ...others } = earlier;
  return completeConfig(namesPrecision ? others : earlier, ...given);
}
