import { z } from 'zod';
import { meaningByName } from '../meaning-by-name.ts';
import { summarySchema } from '../results/summary.ts';
import { didYouMean } from './nearest-name.ts';

/** A number of `summary.json`, and what it means. */
interface SummaryFigure {
  readonly schema: z.ZodNumber;
  readonly meaning: string | null;
}

const figures = new Map<string, SummaryFigure>();
const scenarioLists = new Set<string>();

const lastOf = (path: string) => path.slice(path.lastIndexOf('.') + 1);

const isNumber = (schema: unknown): boolean =>
  schema instanceof z.ZodNullable || schema instanceof z.ZodOptional ? isNumber(schema.unwrap()) : schema instanceof z.ZodNumber;

/**
 * Notes the numbers of a value and of the objects that it may hold: those of a list, or one of several kinds.
 *
 * @param said what a schema around it says that it means
 */
function note(schema: unknown, path: string, said?: string): void {
  if (schema instanceof z.ZodNullable || schema instanceof z.ZodOptional) {
    note(schema.unwrap(), path, said ?? schema.description);
  }
  // A list of bare numbers is no figure of its own.
  else if (schema instanceof z.ZodArray && !isNumber(schema.element)) note(schema.element, path);
  else if (schema instanceof z.ZodDiscriminatedUnion) for (const one of schema.options) note(one, path);
  else if (schema instanceof z.ZodNumber && !figures.has(path)) {
    const meaning = said ?? schema.description ?? meaningByName(lastOf(path), []);
    figures.set(path, { schema, meaning });
  } else if (schema instanceof z.ZodObject) {
    if ('scenario' in schema.shape) scenarioLists.add(path);
    for (const [name, field] of Object.entries(schema.shape)) note(field, path === '' ? name : `${path}.${name}`);
  }
}
// What rules come to is not for other rules.
const { acceptance: _, ...judged } = summarySchema.shape;
for (const [name, field] of Object.entries(judged)) note(field, name);

/**
 * Every number of `summary.json` that an acceptance rule can name, with its schema and meaning, in the order of the contract. Names are
 * paths without regard to lists: `attributeRisk.gainBitsMean`.
 */
export const SUMMARY_FIGURES: ReadonlyMap<string, SummaryFigure> = figures;

/** Paths of lists with an element a scenario, behind which a rule may name one. */
export const SCENARIO_LISTS: ReadonlySet<string> = scenarioLists;

/** ` (did you mean attributeRisk.gainBitsMean?)`: the figure nearest to a path that is none, also where it lacks its beginning. */
export function suggestFigure(path: string): string {
  const names = [...SUMMARY_FIGURES.keys()];
  const whole = didYouMean(path, names);
  if (whole !== '') return whole;
  // The first, since what a rule is about stands before its parts.
  const ending = names.find((name) => lastOf(name).toLowerCase() === lastOf(path).toLowerCase());
  return ending === undefined ? '' : ` (did you mean ${ending}?)`;
}
