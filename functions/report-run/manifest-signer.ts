import { KMSClient, SignCommand } from '@aws-sdk/client-kms';
import { ServiceError } from '../../shared/contracts/errors.ts';
import { SIGNING_ALGORITHM, signedMessage } from '../../shared/contracts/run/manifest-signature.ts';
import type { SignManifest } from '../../shared/pipeline/life/write-manifest.ts';
import { CLIENT_TIMEOUTS } from '../../shared/storage/client-timeouts.ts';

/** Tries of one request; the SDK waits between them. */
const TRIES = 8;

/**
 * Signs manifests with a key of KMS. What goes there is the SHA-256 of a manifest, which KMS neither keeps nor logs: CloudTrail
 * tells that the key signed, and not what.
 *
 * @param key ARN or alias of the key
 * @param endpoint address of an emulator, in place of AWS
 * @throws ServiceError when KMS refuses or cannot be reached
 */
export function manifestSigner(key: string, endpoint?: string): SignManifest {
  const client = new KMSClient({ maxAttempts: TRIES, requestHandler: CLIENT_TIMEOUTS, ...(endpoint === undefined ? {} : { endpoint }) });
  return async (manifest) => {
    const message = await signedMessage(manifest);
    const sign = new SignCommand({ KeyId: key, MessageType: 'RAW', Message: message, SigningAlgorithm: SIGNING_ALGORITHM });
    const { KeyId, Signature } = await client.send(sign).catch((error: Error) => {
      throw new ServiceError(error.name, `KMS Sign ${key}: ${error.name}.`);
    });
    return { signed: true, algorithm: SIGNING_ALGORITHM, key: KeyId!, signature: Buffer.from(Signature!).toString('base64') };
  };
}
