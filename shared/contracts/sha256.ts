import { sha256 as hash } from '@noble/hashes/sha2.js';
import { hexadecimal } from './secret-key.ts';

/** SHA-256 of bytes, hexadecimal. */
export async function sha256(bytes: Uint8Array<ArrayBufferLike>): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', bytes as Uint8Array<ArrayBuffer>);
  return hexadecimal(new Uint8Array(digest));
}

/** The same of bytes that come piece by piece, at a fraction of the speed. */
export async function sha256OfPieces(pieces: AsyncIterable<Uint8Array>): Promise<string> {
  const digest = hash.create();
  for await (const piece of pieces) digest.update(piece);
  return hexadecimal(digest.digest());
}
