import { InvalidConfigError } from './errors.ts';

/** Bytes of a key. */
const KEY_BYTES = 32;

/** Different bytes that a key has at least. Of 32 random ones, fewer come once in 10^13 keys. */
const LEAST_DIFFERENT = 16;

/** A key of 256 random bits from the operating system. */
export function newKey(): Uint8Array {
  return crypto.getRandomValues(new Uint8Array(KEY_BYTES));
}

/** A key as a file holds it: 64 hexadecimal digits and a line feed. */
export function encodeKey(key: Uint8Array): Uint8Array {
  return new TextEncoder().encode(`${hexadecimal(key)}\n`);
}

/** Bytes as hexadecimal digits. */
export function hexadecimal(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/**
 * The key in a file, as {@link encodeKey} writes it.
 *
 * @param name of the file, for the message
 * @throws InvalidConfigError `weak-key` for anything but 64 hexadecimal digits, and for digits that nobody drew at
 * random: the message tells none of them
 */
export function parseKey(bytes: Uint8Array, name: string): Uint8Array {
  const text = new TextDecoder().decode(bytes).trim();
  const key = Uint8Array.from(text.match(/../g) ?? [], (digits) => Number.parseInt(digits, 16));
  if (!/^[0-9a-f]{64}$/i.test(text) || new Set(key).size < LEAST_DIFFERENT) {
    throw new InvalidConfigError(
      'weak-key',
      `${name}: expected a key of ${KEY_BYTES} random bytes, as ${2 * KEY_BYTES} hexadecimal digits. synthrisk makes one for each run (confidential/release-key); otherwise: openssl rand -hex ${KEY_BYTES}.`,
    );
  }
  return key;
}

/** True if two keys are the same. */
export function sameKey(a: Uint8Array, b: Uint8Array): boolean {
  return hexadecimal(a) === hexadecimal(b);
}
