import { type Masking, maskingSchema } from '../config/masking.ts';
import { InvalidConfigError } from '../errors.ts';

/** The settings of a method, by their flags. */
export interface MethodFlags {
  readonly method: string;
  readonly k?: number;
  readonly aggregate?: string;
  readonly p?: number;
  readonly noise?: number;
  readonly separation?: number;
  readonly errors?: number;
  readonly top?: number;
  readonly tail?: number;
}

/** Flags of `mask`. */
export interface MaskFlags extends MethodFlags {
  readonly variables?: string[];
  readonly sample?: number;
  readonly swap?: string[];
  readonly strata?: string[];
  readonly subdomains?: string[];
}

/** The name of such a flag. */
export type MethodFlag = Exclude<keyof MethodFlags, 'method'>;

/** The flags that each method takes, with what holds where one is not given; null for nothing. */
export type AllowedFlags = Readonly<Record<string, Readonly<Partial<Record<MethodFlag, unknown>>>>>;

/** The flags that each method of masking takes, with what holds where one is not given. */
export const MASK_FLAGS: AllowedFlags = {
  'individual-ranking': { k: 3, aggregate: 'mean' },
  mdav: { k: 3 },
  'rank-swap': { p: 5 },
  noise: { noise: 0.1 },
  'noise-mixture': { noise: 0.1, separation: 0.9 },
  sample: {},
  errors: { errors: 0.3 },
  'top-code': { top: 1 },
};

/** Of the settings of a method, those that its name allows, with their defaults. */
export function settingsOf(flags: MethodFlags, allowed: AllowedFlags, free: readonly MethodFlag[] = []) {
  const own = allowed[flags.method]!;
  const all: MethodFlag[] = ['k', 'aggregate', 'p', 'noise', 'separation', 'errors', 'top', 'tail'];
  const foreign = all.find((flag) => flags[flag] !== undefined && !(flag in own) && !free.includes(flag));
  if (foreign !== undefined) {
    throw new InvalidConfigError('flag-of-other-method', `--${foreign}: the method ${flags.method} has no such setting.`);
  }
  const given = Object.keys(own).map((flag) => [flag, flags[flag as MethodFlag] ?? own[flag as MethodFlag]]);
  return { method: flags.method, ...Object.fromEntries(given) };
}

/** What `mask` is asked to do. Throws InvalidConfigError `flag-of-other-method`, `invalid-masking`. */
export function maskingOf(flags: MaskFlags): Masking {
  const { variables, sample, swap = [], strata = [], subdomains = [] } = flags;
  const parsed = maskingSchema.safeParse({
    how: settingsOf(flags, MASK_FLAGS),
    variables: variables ?? null,
    sample: sample ?? null,
    swap,
    strata,
    subdomains,
  });
  if (parsed.success) return parsed.data;
  throw outOfRange('invalid-masking', parsed.error.issues);
}

/** Which flag is out of its range, without what it was. */
export function outOfRange(code: string, issues: readonly { readonly path: readonly PropertyKey[] }[]) {
  // The last number of a path is a place in a list that a flag gave.
  const fields = issues.map(({ path }) => String(path.findLast((key) => typeof key === 'string')));
  const named = new Set(fields.map((field) => `--${field.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`));
  return new InvalidConfigError(
    code,
    `${[...named].join(', ')}: out of range. --k is a whole number from 2, --p and --top between 0 and 100, --noise above 0; --sample and --separation are between 0 and 1, --errors and --tail above 0 and at most 1, --intruder-share likewise; a list of variables has no empty name.`,
  );
}
