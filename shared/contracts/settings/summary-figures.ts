import { z } from 'zod';
import { summarySchema } from '../results/summary.ts';
import { didYouMean } from './nearest-name.ts';

const figures = new Map<string, z.ZodNumber>();
const scenarioLists = new Set<string>();

const isNumber = (schema: unknown): boolean =>
  schema instanceof z.ZodNullable || schema instanceof z.ZodOptional
    ? isNumber(schema.unwrap())
    : schema instanceof z.ZodNumber;

/** Notes the numbers of a value and of the objects that it may hold: those of a list, or one of several kinds. */
function note(schema: unknown, path: string): void {
  if (schema instanceof z.ZodNullable || schema instanceof z.ZodOptional) note(schema.unwrap(), path);
  // A list of bare numbers is no figure of its own.
  else if (schema instanceof z.ZodArray && !isNumber(schema.element)) note(schema.element, path);
  else if (schema instanceof z.ZodDiscriminatedUnion) for (const one of schema.options) note(one, path);
  else if (schema instanceof z.ZodNumber && !figures.has(path)) figures.set(path, schema);
  else if (schema instanceof z.ZodObject) {
    if ('scenario' in schema.shape) scenarioLists.add(path);
    for (const [name, field] of Object.entries(schema.shape))
      note(field, path === '' ? name : `${path}.${name}`);
  }
}
// What rules come to is not for other rules.
const { acceptance: _, ...judged } = summarySchema.shape;
for (const [name, field] of Object.entries(judged)) note(field, name);

/**
 * Every number of `summary.json` that an acceptance rule can name, with its schema, in the order of the contract. Names are
 * paths without regard to lists: `attributeRisk.gainBitsMean`.
 */
export const SUMMARY_FIGURES: ReadonlyMap<string, z.ZodNumber> = figures;

/** Paths of lists with an element a scenario, behind which a rule may name one. */
export const SCENARIO_LISTS: ReadonlySet<string> = scenarioLists;

const lastOf = (path: string) => path.slice(path.lastIndexOf('.') + 1);

/** ` (did you mean attributeRisk.gainBitsMean?)`: the figure nearest to a path that is none, also where it lacks its beginning. */
export function suggestFigure(path: string): string {
  const names = [...SUMMARY_FIGURES.keys()];
  const whole = didYouMean(path, names);
  if (whole !== '') return whole;
  // The first, since what a rule is about stands before its parts.
  const ending = names.find((name) => lastOf(name).toLowerCase() === lastOf(path).toLowerCase());
  return ending === undefined ? '' : ` (did you mean ${ending}?)`;
}
