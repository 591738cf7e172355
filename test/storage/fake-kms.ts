import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';

/** A key of KMS that signs: as much of it as the steps and the command line ask for. */
export class FakeKms {
  readonly #keys: { readonly privateKey: KeyObject; readonly publicKey: KeyObject };
  /** What was signed, as text. */
  readonly signed: string[] = [];

  constructor() {
    this.#keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  }

  /** DER of the key's SubjectPublicKeyInfo. */
  get publicKey(): Buffer {
    return this.#keys.publicKey.export({ format: 'der', type: 'spki' });
  }

  /** Answers a request by the name of its action. */
  answer(action: string, input: { readonly KeyId: string; readonly Message?: string }): object {
    const KeyId = `arn:aws:kms:us-east-1:111122223333:key/of-${input.KeyId.replace('alias/', '')}`;
    if (action === 'GetPublicKey') return { KeyId, PublicKey: this.publicKey.toString('base64') };
    if (action !== 'Sign') return { __type: 'UnsupportedOperationException' };
    const message = Buffer.from(input.Message!, 'base64');
    this.signed.push(message.toString());
    const Signature = sign('sha256', message, this.#keys.privateKey).toString('base64');
    return { KeyId, Signature, SigningAlgorithm: 'ECDSA_SHA_256' };
  }
}
