import type { z } from 'zod';
import { differs } from '../arrays/checked-npy.ts';
import { checksumDigits } from '../arrays/crc32.ts';
import { ArtifactError, PUT_BACK, RunConflictError } from '../contracts/errors.ts';
import { VERSION } from '../contracts/version.ts';
import type { Store } from '../storage/store.ts';

/** JSON as this project writes it: indented, with a line feed at the end. */
export function encodeJson(value: unknown): Uint8Array {
  return new TextEncoder().encode(`${JSON.stringify(value, null, 2)}\n`);
}

/** The last member of a document that {@link encodeCheckedJson} wrote. */
const CHECKSUM = /"crc32": "([0-9a-f]{8})"\n\}\n$/;
const UNSET = '"crc32": "00000000"\n}\n';

const checksumOf = (text: string) => checksumDigits(new TextEncoder().encode(text.replace(CHECKSUM, UNSET)));

/** As {@link encodeJson}, with a last member `crc32`: the checksum of the document with zeros in its place. */
export function encodeCheckedJson(value: object): Uint8Array {
  const text = new TextDecoder().decode(encodeJson({ ...value, crc32: '00000000' }));
  return new TextEncoder().encode(text.replace(UNSET, UNSET.replace('00000000', checksumOf(text))));
}

/**
 * Compares a document with the checksum that {@link encodeCheckedJson} gave it, if it has one.
 *
 * @returns whether it has one
 * @throws ArtifactError `checksum-differs`
 */
export function assertCheckedJson(bytes: Uint8Array, name: string): boolean {
  const text = new TextDecoder().decode(bytes);
  const noted = CHECKSUM.exec(text)?.[1];
  if (noted !== undefined && noted !== checksumOf(text)) throw differs(name);
  return noted !== undefined;
}

/**
 * Reads an artifact of JSON and checks it against its contract, and against its checksum where it has one.
 *
 * @throws ArtifactError `malformed-artifact`, `checksum-differs`
 */
export async function readJson<T extends z.ZodType>(store: Store, key: string, schema: T): Promise<z.output<T>> {
  const bytes = await store.get(key);
  assertCheckedJson(bytes, key);
  return parseArtifact(bytes, key, schema);
}

/**
 * Reads what {@link encodeCheckedJson} wrote: what steps of a run hand each other, and no person ever writes.
 *
 * @throws ArtifactError `checksum-missing`, `checksum-differs`, `malformed-artifact`
 */
export async function readCheckedJson<T extends z.ZodType>(store: Store, key: string, schema: T): Promise<z.output<T>> {
  const bytes = await store.get(key);
  if (!assertCheckedJson(bytes, key)) {
    throw new ArtifactError('checksum-missing', `${key} is damaged: its checksum is gone. ${PUT_BACK}`);
  }
  return parseArtifact(bytes, key, schema);
}

/** Fields that a message lists at most. */
const LISTED = 5;

/**
 * The document in the bytes of an artifact, by its contract.
 *
 * @throws RunConflictError `other-version` where another version wrote one that this one does not read; ArtifactError `malformed-artifact`
 */
export function parseArtifact<T extends z.ZodType>(bytes: Uint8Array, key: string, schema: T): z.output<T> {
  const text = new TextDecoder().decode(bytes);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new ArtifactError('malformed-artifact', `${key} is damaged: it is not JSON. ${PUT_BACK}`);
  }
  if (CHECKSUM.test(text)) delete (value as { crc32?: string }).crc32;
  const parsed = schema.safeParse(value);
  if (!parsed.success) {
    const written = (value as { version?: unknown } | null)?.version;
    if (typeof written === 'string' && /^\d+\.\d+\.\d+$/.test(written) && written !== VERSION) {
      throw new RunConflictError(
        'other-version',
        `Version ${written} made this run, and this is ${VERSION}, which does not read its files. Use version ${written} for it, or evaluate the table again.`,
      );
    }
    const paths = parsed.error.issues.map((issue) => issue.path.join('.') || '(root)');
    const more = paths.length > LISTED ? ` and ${paths.length - LISTED} more places` : '';
    throw new ArtifactError('malformed-artifact', `${key} is damaged at ${paths.slice(0, LISTED).join(', ')}${more}. ${PUT_BACK}`);
  }
  return parsed.data;
}
