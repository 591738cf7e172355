import { matches } from '../rights.ts';
import { flatten, ofType, type Synthesized, several } from '../synthesize.ts';

type Json = string | number | boolean | null | { readonly [field: string]: Json } | readonly Json[];

/** Whether a text meets one content filter of EventBridge; undefined where the field is absent. */
function meets(filter: unknown, value: Json | undefined): boolean {
  if (typeof filter === 'string') return filter === value;
  const [[kind, operand]] = Object.entries(filter as object) as [[string, unknown]];
  if (/^(Ref$|Fn::)/.test(kind)) return flatten(filter) === value;
  if (kind === 'exists') return operand === (value !== undefined);
  if (typeof value !== 'string') return false;
  if (kind === 'prefix') return value.startsWith(flatten(operand));
  if (kind === 'wildcard') return matches(flatten(operand), value);
  if (kind === 'anything-but') return !several(operand).some((other) => meets(other, value));
  throw new Error(`no such filter: ${kind}`);
}

/** Whether EventBridge would match an event, or a part of one, with a pattern; tokens of a template stand for their names. */
function patternMatches(pattern: unknown, event: Json | undefined): boolean {
  if (Array.isArray(pattern)) {
    const values = Array.isArray(event) ? (event as readonly Json[]) : [event];
    return values.some((value) => pattern.some((filter) => meets(filter, value)));
  }
  return Object.entries(pattern as object).every(([field, inner]) =>
    field === '$or'
      ? (inner as unknown[]).some((one) => patternMatches(one, event))
      : patternMatches(inner, (event as Record<string, Json> | undefined)?.[field]),
  );
}

/** The rules of a template that an API call recorded by CloudTrail meets, by their logical ids without the hash. */
export function rulesMet(
  environment: Synthesized,
  [service, eventName, requestParameters]: readonly [service: string, eventName: string, requestParameters: Json],
  userIdentity: Json = {},
): string[] {
  const event = {
    source: `aws.${service}`,
    'detail-type': 'AWS API Call via CloudTrail',
    detail: { eventSource: `${service}.amazonaws.com`, eventName, requestParameters, userIdentity },
  };
  return ofType(environment, 'AWS::Events::Rule')
    .filter(([, { Properties }]) => Properties.EventPattern !== undefined && patternMatches(Properties.EventPattern, event))
    .map(([id]) => id.replace(/[0-9A-F]{8}$/, ''));
}
