import * as z from 'zod';
import { InvalidConfigError } from './errors.ts';
import { inCommand, inConfig, inList } from './in-command.ts';

const finite = z.number({ error: 'expected a finite number' });

/** The lowest and the highest value that a number can have. */
export const rangeSchema = z.tuple([finite, finite]);

/** Decimals at most: a double has no more digits to rely on. */
const MOST_DECIMALS = 12;

/** Decimals of a number of which none are declared. */
export const DEFAULT_DECIMALS = 0;

/** To how many decimals values are rounded. */
export const decimalsSchema = z.int().min(0).max(MOST_DECIMALS);

/** What a config may declare of a continuous variable beside its range, for a model that has a density of it. */
export const densityFields = {
  scale: z
    .enum(['none', 'log', 'asinh', 'sqrt'])
    .optional()
    .describe('The scale on which the model mixed takes a continuous variable (default: none); negative values have none or asinh'),
  masses: z
    .array(finite)
    .min(1)
    .optional()
    .describe('Of the model mixed: values that many records share, such as 0 or a top code, each with a probability of its own'),
  decimals: decimalsSchema
    .optional()
    .describe('Of the model mixed: decimals that values are rounded to, in the table and in a release (default: 0)'),
  within: z
    .union([z.strictObject({ share: finite.positive() }), z.strictObject({ amount: finite.positive() })])
    .optional()
    .describe(
      'Of the model mixed: how near a guess has to come to the true value to disclose it, a share of that or an amount (default: share 0.1)',
    ),
  cells: z
    .int()
    .min(2)
    .max(1000)
    .optional()
    .describe('Of the model mixed: cells of equal width on the scale that a guess is made among beside the masses (default: 64)'),
};

/** How near a guess has to come to the true value: by a share of it, or by an amount in the variable's unit. */
export type Tolerance = { readonly share: number } | { readonly amount: number };

/** As in the p % rule of business data, with p = 10. */
const WITHIN: Tolerance = { share: 0.1 };

/** Cells of the declared range: chosen once, whatever the table. */
const CELLS = 64;

/** A continuous variable as it is declared. */
export interface ContinuousDeclaration {
  readonly range: readonly [number, number];
  readonly scale: 'none' | 'log' | 'asinh' | 'sqrt';
  readonly masses: readonly number[];
  readonly decimals: number;
  /** The range without masses at its ends: between what values the density is. */
  readonly span: readonly [number, number];
  /** How near an intruder's guess has to come. */
  readonly within: Tolerance;
  /** Cells of equal width on the scale, which an intruder weighs up beside the masses. */
  readonly cells: number;
}

/** What is said of a variable in a config, as far as that makes it a number with a density. */
export interface DensityFields {
  readonly type?: string | undefined;
  readonly drop?: boolean | undefined;
  readonly range?: readonly [number, number] | undefined;
  readonly scale?: ContinuousDeclaration['scale'] | undefined;
  readonly masses?: readonly number[] | undefined;
  readonly decimals?: number | undefined;
  readonly within?: Tolerance | undefined;
  readonly cells?: number | undefined;
}

/** The field that is of densities alone and is set; undefined where none is. */
export const densityField = (fields: DensityFields) =>
  (['scale', 'masses', 'decimals', 'within', 'cells'] as const).find((field) => fields[field] !== undefined);

/** The distance between numbers of so many decimals. */
export const stepOf = (decimals: number) => Number(`1e-${decimals}`);

/** The number with so many decimals that is nearest. */
export const roundedTo = (decimals: number, value: number) => Number(value.toFixed(decimals));

/** What a config says of a continuous variable, to be filled in: nothing of it is found from a table. */
export const DENSITY_FORM = 'range: [LOWEST, HIGHEST], scale: none, masses: [0], decimals: 0';

/** The same with the variable that it is of. */
export const declarationForm = (name: string) => `${inConfig(name)}: { type: continuous, ${DENSITY_FORM} }`;

/** What each part of the form is, for somebody who fills it in. */
export const DECLARE_DENSITY =
  'The range is what its questionnaire or coding allows, never what the table holds; the scale is none, log, asinh or sqrt; masses are values that many share, if there are any.';

/**
 * A continuous variable as a config declares it. Nothing is taken from a table.
 *
 * @throws InvalidConfigError `no-range`, `more-decimals`, `unordered-range`, `repeated-mass`, `mass-outside-range`, `nothing-but-masses`,
 * `scale-of-range`: each names the variable, and says what to write
 */
export function declaredContinuous(name: string, fields: DensityFields): ContinuousDeclaration {
  const refuse = (code: string, why: string) => new InvalidConfigError(code, `variables.${name}: ${why}`, { field: `variables.${name}` });
  const { range, scale = 'none', masses = [], decimals = DEFAULT_DECIMALS, within = WITHIN, cells = CELLS } = fields;
  if (range === undefined) {
    throw refuse(
      'no-range',
      `the model mixed needs the range of a continuous variable. Declare it as variables: { ${declarationForm(name)} }. ${DECLARE_DENSITY} Or group it into bands (--breaks ${inCommand(`${name}=0,10,100`)}), or read it as categories (--categorical ${inList(name)}).`,
    );
  }
  const isRounded = (value: number) => roundedTo(decimals, value) === value;
  if (![...range, ...masses].every(isRounded)) {
    throw refuse(
      'more-decimals',
      `its range or masses have more decimals than the ${decimals} that are declared: write more (decimals), or round them.`,
    );
  }
  if (range[0] >= range[1]) throw refuse('unordered-range', 'expected the lowest value before the highest');
  if (new Set(masses).size < masses.length) throw refuse('repeated-mass', 'a mass is declared more than once');
  if (masses.some((mass) => mass < range[0] || mass > range[1])) {
    throw refuse('mass-outside-range', 'a mass is outside the range: widen the range to hold it, or take the mass out.');
  }
  const span = spanOf(range, masses, decimals);
  if (span[0] >= span[1]) {
    throw refuse('nothing-but-masses', `its masses leave no values for a density: read it as categories (--categorical ${inList(name)}).`);
  }
  if (scale === 'log' && span[0] <= 0) {
    const zero = range[0] === 0 ? `declare masses: [0] where 0 stands for no amount, or use scale: asinh` : 'use scale: asinh';
    throw refuse('scale-of-range', `the scale log has positive values alone, and the range holds others: ${zero}.`);
  }
  if (scale === 'sqrt' && span[0] < 0) {
    throw refuse('scale-of-range', 'the scale sqrt has values from 0 on alone, and the range holds negative ones: use scale: asinh.');
  }
  return { range, scale, masses, decimals, span, within, cells };
}

/** A range without the masses at its ends. */
function spanOf([lowest, highest]: readonly [number, number], masses: readonly number[], decimals: number): [number, number] {
  const step = stepOf(decimals);
  let [low, high] = [lowest, highest];
  while (masses.includes(low)) low = roundedTo(decimals, low + step);
  while (masses.includes(high)) high = roundedTo(decimals, high - step);
  return [low, high];
}
