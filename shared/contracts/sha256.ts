import { hexadecimal } from './secret-key.ts';

/** SHA-256 of bytes, hexadecimal. */
export async function sha256(bytes: Uint8Array<ArrayBufferLike>): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', bytes as Uint8Array<ArrayBuffer>);
  return hexadecimal(new Uint8Array(digest));
}
