import { InvalidArgumentError } from 'commander';
import { parse } from 'csv-parse/sync';
import * as z from 'zod';
import { FIT_TASKS_EXPECTED } from '../../shared/contracts/cloud/cloud-environment.ts';
import { fitTasksSchema } from '../../shared/contracts/cloud/workflow.ts';
import { lineOfText } from '../../shared/contracts/config/config.ts';
import { count, positiveInteger } from '../../shared/contracts/number-schemas.ts';
import { budgetDollarsSchema } from '../../shared/contracts/run/usage.ts';

/** Sizes of a container task in vCPU, whole ones. */
const FARGATE_VCPUS = [1, 2, 4, 8, 16];

/** Reads an amount of dollars that a person typed. */
export function dollarAmount(text: string): number {
  const parsed = budgetDollarsSchema.safeParse(text.trim() === '' ? Number.NaN : Number(text));
  if (!parsed.success) throw new InvalidArgumentError('expected dollars, more than 0');
  return parsed.data;
}

/** A number that may have decimals and a sign. */
export function decimalNumber(text: string): number {
  const value = Number(text);
  if (text.trim() === '' || !Number.isFinite(value)) throw new InvalidArgumentError('expected a number');
  return value;
}

/** Reads a number that a field of the config takes, and says which ones it takes as its schema has them. */
export const numberOf =
  (schema: z.ZodType<number>) =>
  (text: string): number => {
    const takes = z.toJSONSchema(schema);
    const value = takes.type === 'integer' && !/^\d+$/.test(text) ? Number.NaN : Number(text.trim() === '' ? Number.NaN : text);
    if (!schema.safeParse(value).success) throw new InvalidArgumentError(`expected ${inWords(takes, value)}`);
    return value;
  };

/** Which numbers a schema takes: `a whole number from 2`, `a number above 0 and below 1`. */
function inWords({ type, minimum, exclusiveMinimum, maximum, exclusiveMaximum }: z.core.JSONSchema.BaseSchema, value: number): string {
  const isWhole = type === 'integer';
  const least = isWhole && exclusiveMinimum !== undefined ? Number(exclusiveMinimum) + 1 : minimum;
  // That whole numbers are those which a double holds concerns nobody who has not written a larger one.
  const most = maximum === Number.MAX_SAFE_INTEGER && !(value > maximum) ? undefined : maximum;
  const from = least === undefined ? (exclusiveMinimum === undefined ? [] : [`above ${exclusiveMinimum}`]) : [`from ${least}`];
  const to = most === undefined ? (exclusiveMaximum === undefined ? [] : [`below ${exclusiveMaximum}`]) : [`at most ${most}`];
  return [isWhole ? 'a whole number' : 'a number', [...from, ...to].join(' and ')].join(' ').trim();
}

/** A whole number from 0. */
export const wholeNumber = numberOf(count);

/** A whole number from 1. */
export const positiveNumber = numberOf(positiveInteger);

/** A whole number of vCPU that Fargate offers. */
export function containerVcpus(text: string): number {
  const vcpus = positiveNumber(text);
  if (!FARGATE_VCPUS.includes(vcpus)) throw new InvalidArgumentError(`expected one of ${FARGATE_VCPUS.join(', ')}`);
  return vcpus;
}

/** How many tasks share chains: `auto`, or so many. */
export function fitTasks(text: string): number | 'auto' {
  const parsed = fitTasksSchema.safeParse(text === 'auto' ? text : positiveNumber(text));
  if (!parsed.success) throw new InvalidArgumentError(FIT_TASKS_EXPECTED);
  return parsed.data;
}

/** A name that people know somebody by. */
export function personName(text: string): string {
  const { data, error } = lineOfText.safeParse(text);
  if (data === undefined) throw new InvalidArgumentError(error!.issues[0]!.message);
  return data;
}

/**
 * Names between commas, `A,B`: one that holds a comma stands in double quotes, as in CSV.
 *
 * @param before those that the same flag has named so far
 */
export function names(text: string, before?: readonly string[]): string[] {
  const named = namesIn(text);
  if (named.length === 0 || named.includes('')) {
    throw new InvalidArgumentError('expected names between commas, none of them empty, and in double quotes those that hold a comma');
  }
  return [...(before ?? []), ...named];
}

function namesIn(text: string): string[] {
  try {
    return parse(text, { relaxQuotes: true, trim: true }).flat();
  } catch {
    return [];
  }
}
