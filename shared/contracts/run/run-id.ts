import { hexadecimal } from '../secret-key.ts';

/** Hexadecimal digits of a run id. */
export const RUN_ID_DIGITS = 16;

/**
 * The id of a run: HMAC-SHA-256 of what it is of and how it is done, under the key of the place where it is kept. The
 * same request has the same id there, and to whoever lacks the key an id tells nothing of the table.
 *
 * @param identity whatever can change a result, but the release key; JSON
 */
export async function keyedRunId(placeKey: Uint8Array, identity: Uint8Array): Promise<string> {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const key = await crypto.subtle.importKey('raw', placeKey as Uint8Array<ArrayBuffer>, algorithm, false, ['sign']);
  const mac = await crypto.subtle.sign(algorithm.name, key, identity as Uint8Array<ArrayBuffer>);
  return hexadecimal(new Uint8Array(mac)).slice(0, RUN_ID_DIGITS);
}
