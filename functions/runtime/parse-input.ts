import type { z } from 'zod';
import { InvalidConfigError } from '../../shared/contracts/errors.ts';

/** What a function is handed, by its contract. Throws InvalidConfigError naming each field that does not fit. */
export function parseInput<Input extends z.ZodType>(schema: Input, event: unknown): z.output<Input> {
  const parsed = schema.safeParse(event);
  if (parsed.success) return parsed.data;
  const paths = parsed.error.issues.map(({ path }) => path.join('.') || '(root)');
  throw new InvalidConfigError('malformed-input', `The input does not fit its contract at ${paths.join(', ')}.`);
}
