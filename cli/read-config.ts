import { readFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { parse, YAMLParseError } from 'yaml';
import { z } from 'zod';
import { parseAcceptanceRule } from '../shared/contracts/acceptance-rule.ts';
import { type Config, configSchema } from '../shared/contracts/config.ts';
import { InvalidConfigError } from '../shared/contracts/errors.ts';

/** Settings by section, not yet checked: from a config file, from flags or from an earlier run. */
export type Settings = Record<string, unknown>;

/** Sections whose fields override one by one; everything else is replaced as a whole. */
const SECTIONS = new Set(['model', 'mcmc', 'synthesis', 'attributeRisk', 'calibration']);

const isObject = (value: unknown): value is Settings =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function override(base: Settings, over: Settings): Settings {
  const merged: Settings = { ...base };
  for (const [key, value] of Object.entries(over)) {
    if (value === undefined) continue;
    const below = merged[key];
    // A section that holds something else than fields stays as it is, for the schema to refuse.
    if (SECTIONS.has(key) && below !== undefined && isObject(value)) {
      if (isObject(below)) merged[key] = override(below, value);
    } else {
      merged[key] = value;
    }
  }
  return merged;
}

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

async function readConfigFile(path: string): Promise<Settings> {
  const text = new TextDecoder().decode(await readUserFile(path));
  let settings: unknown;
  try {
    settings = parse(text) ?? {};
  } catch (error) {
    // Only what the parser finds has a place; an alias without its anchor, for one, has none.
    const [line, code] =
      error instanceof YAMLParseError ? [`, line ${error.linePos?.[0].line}`, ` (${error.code})`] : ['', ''];
    throw new InvalidConfigError('malformed-config', `${path}${line}: not YAML${code}.`);
  }
  if (!isObject(settings)) {
    throw new InvalidConfigError('malformed-config', `${path} must hold fields such as "seed: 1".`);
  }
  // A table is named relative to the file that names it.
  if (typeof settings.table === 'string') settings.table = resolve(dirname(path), settings.table);
  return settings;
}

/** An issue that says, where a field may be one of several things, what is wrong with it as each of them. */
function explainAlternatives(issue: z.core.$ZodIssue): z.core.$ZodIssue {
  if (issue.code !== 'invalid_union') return issue;
  const reasons = issue.errors.map((ofAlternative) =>
    ofAlternative
      .map(({ message, path }) => message + (path.length > 0 ? ` at ${path.join('.')}` : ''))
      .join(' and '),
  );
  return { ...issue, message: [...new Set(reasons)].join('; or ') };
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
  const given = override(file ? await readConfigFile(file) : {}, flags);
  // A precision stands for a whole set of numbers: named anew, it goes before those of the earlier run.
  const { mcmc, ...others } = earlier;
  const namesPrecision = isObject(given.mcmc) && given.mcmc.precision !== undefined;
  const settings = override(namesPrecision || mcmc === undefined ? others : earlier, given);
  const parsed = configSchema.safeParse(settings);
  if (!parsed.success) {
    throw new InvalidConfigError(
      'invalid-config',
      `The config is not valid. \`synthrisk schema\` describes every field.\n${z.prettifyError({ issues: parsed.error.issues.map(explainAlternatives) })}`,
    );
  }
  for (const rule of parsed.data.acceptance) parseAcceptanceRule(rule);
  return parsed.data;
}
