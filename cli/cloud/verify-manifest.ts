import { createPublicKey, verify } from 'node:crypto';
import { parseArtifact, readJson } from '../../shared/artifacts/stored-json.ts';
import { ArtifactError } from '../../shared/contracts/errors.ts';
import { manifestSignatureSchema, signedMessage } from '../../shared/contracts/run/manifest-signature.ts';
import { type Manifest, manifestSchema } from '../../shared/contracts/run/run-state.ts';
import type { Store } from '../../shared/storage/store.ts';

/** A manifest to verify: its key and that of its signature, and the run that it has to be of. */
export interface SignedManifest {
  readonly runId: string;
  readonly manifest: string;
  readonly signature: string;
}

/** A manifest that is what the environment's key signed. */
export interface VerifiedManifest {
  readonly manifest: Manifest;
  readonly bytes: Uint8Array;
  /** Of the signature as it is stored; null where a manifest without one was allowed. */
  readonly signature: Uint8Array | null;
}

/**
 * Reads a manifest, and holds it to its signature by the key of the environment.
 *
 * @param publicKey DER of the key's SubjectPublicKeyInfo; null lets a manifest pass that nobody signed, and asks no key
 * @throws ArtifactError `manifest-unsigned`, `manifest-forged`, `manifest-of-another-run`
 */
export async function verifyManifest(
  store: Store,
  { manifest: key, runId, signature: signatureKey }: SignedManifest,
  publicKey: Uint8Array | null,
): Promise<VerifiedManifest> {
  const bytes = await store.get(key);
  const isThere = (await store.head(signatureKey)) !== null;
  const signature = isThere ? await readJson(store, signatureKey, manifestSignatureSchema) : null;
  if (publicKey !== null) {
    if (!signature?.signed) {
      throw new ArtifactError(
        'manifest-unsigned',
        `Nobody signed ${key}. Of a run that finished before its environment had a key, --allow-unsigned takes it as it is.`,
      );
    }
    const spki = createPublicKey({ key: Buffer.from(publicKey), format: 'der', type: 'spki' });
    const message = await signedMessage(bytes);
    if (!verify('sha256', message, spki, Buffer.from(signature.signature, 'base64'))) {
      throw new ArtifactError(
        'manifest-forged',
        `${key} is not what the key of the environment signed: what it describes may not be the results of the run.`,
      );
    }
  }
  const manifest = parseArtifact(bytes, key, manifestSchema);
  if (manifest.runId !== runId) {
    throw new ArtifactError('manifest-of-another-run', `${key} is not the manifest of the run ${runId}.`);
  }
  return { manifest, bytes, signature: isThere ? await store.get(signatureKey) : null };
}
