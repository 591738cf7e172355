import * as z from 'zod';
import { sha256 } from '../sha256.ts';

/** How KMS names the algorithm: ECDSA on the curve of the key, P-256, over SHA-256. */
export const SIGNING_ALGORITHM = 'ECDSA_SHA_256';

/** What is signed of a manifest: its SHA-256 as 64 hexadecimal digits, since KMS takes no more than 4 KiB. */
export async function signedMessage(manifest: Uint8Array): Promise<Uint8Array> {
  return new TextEncoder().encode(await sha256(manifest));
}

/**
 * `manifest.signature.json` beside a manifest: a signature of {@link signedMessage} (ECDSA on P-256 over SHA-256, DER in base64, as AWS KMS
 * makes them), or that nobody signed it, as on a laptop.
 */
export const manifestSignatureSchema = z.discriminatedUnion('signed', [
  z.strictObject({
    signed: z.literal(true).describe('Whether somebody signed.'),
    algorithm: z.literal(SIGNING_ALGORITHM).describe('ECDSA on P-256 over SHA-256, as KMS names it.'),
    key: z.string().min(1).describe('ARN of the key.'),
    signature: z.base64().describe('DER, base64.'),
  }),
  z.strictObject({ signed: z.literal(false), why: z.string().describe('Why nobody did.') }),
]);

/** Who signed a manifest, or that nobody did. */
export type ManifestSignature = z.infer<typeof manifestSignatureSchema>;
