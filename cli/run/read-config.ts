import { readFile, stat } from 'node:fs/promises';
import { dirname, isAbsolute, resolve } from 'node:path';
import type { Config } from '../../shared/contracts/config/config.ts';
import { InvalidConfigError } from '../../shared/contracts/errors.ts';
import { isKey, parseKey } from '../../shared/contracts/secret-key.ts';
import { completeConfig, parseSettings } from '../../shared/contracts/settings/complete-config.ts';
import { isSection, type Settings } from '../../shared/contracts/settings/settings.ts';
import { systemRefusal } from '../../shared/contracts/system-error.ts';
import { keptPhi } from '../../shared/pipeline/plan/reassessment-config.ts';

/** Why a file cannot be read, in words. */
function unreadable(path: string, error: unknown): string {
  const refusal = systemRefusal(error, path);
  if (refusal === null) throw error;
  const { code, message } = refusal;
  if (code === 'ENOENT') return `There is no file ${path}.${isAbsolute(path) ? '' : ` (Looked for in ${process.cwd()}.)`}`;
  return code === 'EACCES' ? `You do not have permission to read ${path}.` : message;
}

/** What Node reads of a file at once, and one piece of memory holds of a table in the functions of AWS as well. */
const FILE_BYTES_MAX = 2 ** 31 - 1;

/**
 * Reads a file that the user named.
 *
 * @throws InvalidConfigError saying which file cannot be read, or is too large (`file-too-large`)
 */
export async function readUserFile(path: string): Promise<Uint8Array> {
  try {
    if ((await stat(path)).size > FILE_BYTES_MAX) {
      throw new InvalidConfigError(
        'file-too-large',
        `${path} is larger than 2 GiB, which is the most that is read: write it as Parquet, or leave out variables that the run does not need.`,
        { file: path },
      );
    }
    return await readFile(path);
  } catch (error) {
    if (error instanceof InvalidConfigError) throw error;
    throw new InvalidConfigError('unreadable-file', unreadable(path, error), { file: path });
  }
}

/**
 * The key in a file that the user named, if any.
 *
 * @throws InvalidConfigError when the file cannot be read, holds no key, or is a key itself (`key-on-command-line`), which is not
 *   repeated: what a command line has is in the list of processes and the history of the shell, and may be in a log
 */
export async function readReleaseKey(path: string | undefined): Promise<Uint8Array | undefined> {
  if (path === undefined) return undefined;
  if (isKey(path)) {
    throw new InvalidConfigError(
      'key-on-command-line',
      '--release-key takes a file with a key, and was given what looks like a key itself. Others may read it now, in the list of processes and in the history of the shell: do not use it for a release. Without --release-key, each run makes a key of its own.',
    );
  }
  return parseKey(await readUserFile(path), path);
}

/**
 * The settings in a config file, paths in it made whole.
 *
 * @throws InvalidConfigError as `parseSettings` does
 */
export async function readConfigFile(path: string): Promise<Settings> {
  const settings = parseSettings(await readUserFile(path), path);
  // Files are named relative to the file that names them.
  const resolved = (name: unknown) => (typeof name === 'string' ? resolve(dirname(path), name) : name);
  if ('table' in settings) settings.table = resolved(settings.table);
  const { synthesis } = settings;
  if (isSection(synthesis) && 'structuralZeros' in synthesis) {
    synthesis.structuralZeros = resolved(synthesis.structuralZeros);
  }
  const { attributeRisk } = settings;
  if (isSection(attributeRisk) && 'control' in attributeRisk) attributeRisk.control = resolved(attributeRisk.control);
  const scenarios = isSection(attributeRisk) ? [attributeRisk, attributeRisk.scenarios].flat() : [];
  for (const scenario of scenarios) {
    if (!isSection(scenario)) continue;
    const { prior, knows } = scenario;
    if (isSection(prior) && 'file' in prior) {
      prior.file = Array.isArray(prior.file) ? prior.file.map(resolved) : resolved(prior.file);
    }
    if (isSection(knows) && 'file' in knows) knows.file = resolved(knows.file);
  }
  return settings;
}

/** What of the chains of an earlier run holds beside what is given anew. */
function remainingNumbers(earlier: Settings, given: readonly Settings[]): Settings {
  const names = (...fields: readonly string[]) =>
    given.some(({ mcmc }) => isSection(mcmc) && fields.some((field) => mcmc[field] !== undefined));
  // A precision stands for a whole set of numbers: named anew, it goes before those of the earlier run.
  if (names('precision')) return {};
  // So does a number of chains before what decided them, and a new target is not held to the earlier limit.
  const { reproducibility, maxChains: _, ...numbers } = earlier;
  if (names('reproducibility', 'chains', 'pairedChains')) return numbers;
  return reproducibility === 'off' ? { ...numbers, reproducibility } : earlier;
}

/**
 * The config of a run: an earlier run's settings (if any), overridden by the config file, overridden by flags,
 * with defaults for the rest.
 *
 * @throws InvalidConfigError listing every field that is wrong
 */
export async function readConfig(file: string | undefined, flags: Settings, earlier: Settings = {}): Promise<Config> {
  const given = [file ? await readConfigFile(file) : {}, flags];
  const { mcmc, attributeRisk, ...others } = earlier;
  const ofEarlier: Settings = { ...others };
  if (isSection(mcmc)) ofEarlier.mcmc = remainingNumbers(mcmc, given);
  if (isSection(attributeRisk)) {
    const { phi: _, ...risk } = attributeRisk;
    ofEarlier.attributeRisk = { ...risk, ...keptPhi(attributeRisk) };
  }
  return completeConfig(ofEarlier, ...given);
}
