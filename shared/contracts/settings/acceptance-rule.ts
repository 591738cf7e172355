import { z } from 'zod';
import { InvalidConfigError } from '../errors.ts';
import { type Summary, summarySchema } from '../results/summary.ts';

const OPERATORS = {
  '<=': (value: number, bound: number) => value <= bound,
  '<': (value: number, bound: number) => value < bound,
  '>=': (value: number, bound: number) => value >= bound,
  '>': (value: number, bound: number) => value > bound,
};

/** An acceptance rule: a figure of the summary compared with a number. */
export interface AcceptanceRule {
  readonly rule: string;
  readonly path: readonly string[];
  readonly operator: keyof typeof OPERATORS;
  readonly bound: number;
}

const example = 'write it as "attributeRisk.truthRankedFirstShare <= 0.05"';

/**
 * Parses a rule such as `attributeRisk.truthRankedFirstShare <= 0.05`.
 *
 * @param number of the rule, from 1: what messages call it, since its text may hold anything
 * @throws InvalidConfigError when it is not of that form, or names no number of the summary
 */
export function parseAcceptanceRule(rule: string, number: number): AcceptanceRule {
  const match = /^\s*([A-Za-z.]+)\s*(<=|>=|<|>)\s*(-?[\d.]+(?:e-?\d+)?)\s*$/.exec(rule);
  const bound = Number(match?.[3]);
  if (!match || !Number.isFinite(bound)) {
    throw new InvalidConfigError('malformed-rule', `Acceptance rule ${number} cannot be read; ${example}.`);
  }
  const path = match[1]!.split('.');
  let schema: unknown = summarySchema;
  for (const name of path) {
    if (schema instanceof z.ZodArray) schema = schema.element;
    if (schema instanceof z.ZodNullable || schema instanceof z.ZodOptional) schema = schema.unwrap();
    // What a measure has where it applies; where it does not, the value is undefined.
    if (schema instanceof z.ZodDiscriminatedUnion) {
      schema = schema.options.find(
        (option) => option instanceof z.ZodObject && Object.hasOwn(option.shape, name),
      );
    }
    schema = schema instanceof z.ZodObject ? schema.shape[name] : undefined;
  }
  if (schema instanceof z.ZodNullable || schema instanceof z.ZodOptional) schema = schema.unwrap();
  if (!(schema instanceof z.ZodNumber)) {
    throw new InvalidConfigError(
      'unknown-figure',
      `Acceptance rule ${number} names no number of summary.json; ${example}.`,
    );
  }
  return { rule, path, operator: match[2] as AcceptanceRule['operator'], bound };
}

/**
 * Applies a rule to a summary. Where the path crosses a list, every element must meet the rule and the value
 * is that of the worst; an undefined value (null, an empty list, a measure that does not apply) does not meet it.
 */
export function applyAcceptanceRule(rule: AcceptanceRule, summary: Summary): Summary['acceptance'][number] {
  let values: unknown[] = [summary];
  for (const name of rule.path) {
    values = values.flat().map((value) => (value as Record<string, unknown> | null | undefined)?.[name]);
  }
  const numbers = values.flat().filter((value) => typeof value === 'number');
  if (numbers.length === 0 || numbers.length < values.flat().length) {
    return { rule: rule.rule, value: null, met: false };
  }
  const worst = rule.operator.startsWith('<') ? Math.max(...numbers) : Math.min(...numbers);
  return { rule: rule.rule, value: worst, met: OPERATORS[rule.operator](worst, rule.bound) };
}
