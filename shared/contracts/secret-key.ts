import { InvalidConfigError } from './errors.ts';

const KEY_BYTES = 32;

/** Different bytes that a key has at least. Of 32 random ones, fewer come once in 10^13 keys. */
const LEAST_DIFFERENT = 16;

/** A key of 256 random bits from the operating system. */
export const newKey = (): Uint8Array => crypto.getRandomValues(new Uint8Array(KEY_BYTES));

/** A key as a file holds it: 64 hexadecimal digits and a line feed. */
export const encodeKey = (key: Uint8Array): Uint8Array => new TextEncoder().encode(`${hexadecimal(key)}\n`);

/** Bytes as hexadecimal digits. */
export const hexadecimal = (bytes: Uint8Array): string => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');

/** Whether a text has as many hexadecimal digits as a key. */
export const isKey = (text: string): boolean => /^[0-9a-f]{64}$/i.test(text.trim());

/**
 * The key in a file of some name, as {@link encodeKey} writes it.
 *
 * @throws InvalidConfigError `weak-key` for anything but 64 hexadecimal digits that may be random: it tells none of them
 */
export function parseKey(bytes: Uint8Array, name: string): Uint8Array {
  const text = new TextDecoder().decode(bytes).trim();
  const key = Uint8Array.from(text.match(/../g) ?? [], (digits) => Number.parseInt(digits, 16));
  if (!isKey(text) || new Set(key).size < LEAST_DIFFERENT) {
    throw new InvalidConfigError(
      'weak-key',
      `${name}: expected a key of ${KEY_BYTES} random bytes, as ${2 * KEY_BYTES} hexadecimal digits. synthrisk makes one for each run (confidential/release-key); otherwise: openssl rand -hex ${KEY_BYTES}.`,
    );
  }
  return key;
}

/** True if two keys are the same. */
export const sameKey = (a: Uint8Array, b: Uint8Array): boolean => hexadecimal(a) === hexadecimal(b);
