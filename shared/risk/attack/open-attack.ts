import type { AttackSettings } from '../../contracts/config/attack.ts';
import { InvalidConfigError } from '../../contracts/errors.ts';
import type { TableSchema } from '../../contracts/schema.ts';
import { unknownVariable } from '../../contracts/settings/nearest-name.ts';
import { defaultSubsetSize, MOST_SUBSETS, subsetCount } from './minimal-uniques.ts';

/** Keys at most: beyond, no subset of them fits into the bits of a number. */
const MOST_KEYS = 30;

/** What will be measured, its names found in a table; variables are indices. */
export interface OpenedAttack {
  readonly settings: AttackSettings;
  readonly keys: readonly number[];
  readonly targets: readonly number[];
  readonly halves: readonly [readonly number[], readonly number[]];
  readonly subsetSize: number;
}

function placesOf({ variables }: TableSchema, field: string, names: readonly string[]): number[] {
  const tableNames = variables.map((variable) => variable.name);
  return names.map((name, index) => {
    const place = tableNames.indexOf(name);
    if (place < 0) throw unknownVariable(`attack.${field}`, name, tableNames);
    if (names.indexOf(name) < index) {
      throw new InvalidConfigError('repeated-variable', `attack.${field} names ${name} more than once.`);
    }
    return place;
  });
}

/** Refuses a rule of RAPID for targets of a type that none of them has. */
function refuseRapidRule(settings: AttackSettings, { variables }: TableSchema, targets: readonly number[]): void {
  for (const [field, type] of [
    ['rapidThreshold', 'categorical'],
    ['rapidTolerance', 'continuous'],
  ] as const) {
    if (settings[field] === undefined || targets.some((target) => variables[target]!.type === type)) continue;
    throw new InvalidConfigError('unused-rule', `attack.${field}: it is for ${type} targets, and none of them is. Leave it out.`);
  }
}

/**
 * Finds in a table what is to be measured.
 *
 * @throws InvalidConfigError `no-keys`, `no-target`, `too-many-keys`, `unknown-variable`, `repeated-variable`,
 * `key-and-target`, `unused-rule`, `too-many-subsets`
 */
export function openAttack(settings: AttackSettings, schema: TableSchema, records: number): OpenedAttack {
  if (settings.keys.length === 0) {
    const learned = settings.target.length === 0 ? ', and what they want to learn: --target C,D' : '';
    throw new InvalidConfigError('no-keys', `Name what an intruder knows of a person: --keys A,B${learned}.`);
  }
  if (settings.target.length === 0) {
    throw new InvalidConfigError('no-target', 'Name what an intruder wants to learn: --target C,D.');
  }
  if (settings.keys.length > MOST_KEYS) {
    throw new InvalidConfigError('too-many-keys', `attack.keys: expected ${MOST_KEYS} keys at most.`);
  }
  const keys = placesOf(schema, 'keys', settings.keys);
  const targets = placesOf(schema, 'target', settings.target);
  const both = settings.target.find((name) => settings.keys.includes(name));
  if (both !== undefined) {
    throw new InvalidConfigError(
      'key-and-target',
      `attack.target: ${both} is a key as well, and nothing is left to learn of what is known.`,
    );
  }
  refuseRapidRule(settings, schema, targets);
  const others = [...schema.variables.keys()].filter((v) => !keys.includes(v));
  const [first, second] = settings.linkability ?? [];
  const subsetSize = Math.min(keys.length, settings.subsetSize ?? defaultSubsetSize(keys.length, records));
  if (subsetCount(keys.length, subsetSize) > MOST_SUBSETS) {
    throw new InvalidConfigError(
      'too-many-subsets',
      `attack.subsetSize: ${keys.length} keys have more than ${MOST_SUBSETS} subsets of so many.`,
    );
  }
  return {
    settings,
    keys,
    targets,
    halves: [first ? placesOf(schema, 'linkability', first) : keys, second ? placesOf(schema, 'linkability', second) : others],
    subsetSize,
  };
}
