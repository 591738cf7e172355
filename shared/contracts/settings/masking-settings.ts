import type * as z from 'zod';
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

/** Which flags are out of their range, and what it is; without what they were. */
export function outOfRange(code: string, issues: readonly z.core.$ZodIssue[]) {
  const refused = issues.map((issue) => {
    // The last number of a path is a place in a list that a flag gave.
    const field = String(issue.path.findLast((key) => typeof key === 'string'));
    return `--${field.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}: expected ${rangeOf(issue)}.`;
  });
  return new InvalidConfigError(code, refused.join(' '));
}

/** The bound that something lies beyond; the only lists are those of names. */
function rangeOf(issue: z.core.$ZodIssue): string {
  if (issue.code === 'too_small' && issue.origin !== 'array' && issue.origin !== 'string') {
    return `a number ${issue.inclusive ? 'from' : 'above'} ${issue.minimum}`;
  }
  if (issue.code === 'too_big') return `a number ${issue.inclusive ? 'of at most' : 'below'} ${issue.maximum}`;
  return 'names of variables, none of them empty';
}
