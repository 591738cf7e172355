import type { z } from 'zod';
import { ArtifactError } from '../contracts/errors.ts';
import type { Store } from '../storage/store.ts';

/** JSON as this project writes it: indented, with a line feed at the end. */
export function encodeJson(value: unknown): Uint8Array {
  return new TextEncoder().encode(`${JSON.stringify(value, null, 2)}\n`);
}

/** Reads an artifact of JSON and checks it against its contract. Throws ArtifactError `malformed-artifact`. */
export async function readJson<T extends z.ZodType>(
  store: Store,
  key: string,
  schema: T,
): Promise<z.output<T>> {
  const text = new TextDecoder().decode(await store.get(key));
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new ArtifactError('malformed-artifact', `${key} is not JSON: ${(error as Error).name}`);
  }
  const parsed = schema.safeParse(value);
  if (!parsed.success) {
    const paths = parsed.error.issues.map((issue) => issue.path.join('.') || '(root)');
    throw new ArtifactError('malformed-artifact', `${key} does not fit its contract at ${paths.join(', ')}`);
  }
  return parsed.data;
}
