import { Effect, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import type { IBucket } from 'aws-cdk-lib/aws-s3';

/** Why a refusal names every object. */
const REASON = 'A refusal: it is of every object.';

/**
 * What no role asks of the bucket, whichever key it is about: to put an object that is encrypted with another key than the
 * bucket's, which nobody here could read or would be asked for; and, for people, what is signed into a link, which works for
 * whoever holds the link, from any network. In the policies of the roles, since that of the bucket has no room: it lets nobody else
 * put or read anything.
 */
export function requestRefusals(
  { bucket, key }: { readonly bucket: IBucket; readonly key: IKey },
  { puts, links }: { readonly puts: boolean; readonly links: boolean },
): { statements: PolicyStatement[]; wildcards: Record<string, string> } {
  const everyObject = bucket.arnForObjects('*');
  const refused = (sid: string, actions: string[], conditions: Record<string, Record<string, string>>) =>
    new PolicyStatement({ sid, effect: Effect.DENY, actions, resources: [everyObject], conditions });
  const statements: PolicyStatement[] = [];
  if (puts) {
    statements.push(
      refused('OtherKeys', ['s3:PutObject'], {
        // Without a word on it the bucket's key is taken.
        Null: { 's3:x-amz-server-side-encryption': 'false' },
        StringNotEquals: { 's3:x-amz-server-side-encryption-aws-kms-key-id': key.keyArn },
      }),
      refused('KeysInRequests', ['s3:PutObject'], { Null: { 's3:x-amz-server-side-encryption-customer-algorithm': 'false' } }),
    );
  }
  if (links) {
    statements.push(refused('SignedLinks', ['s3:GetObject', 's3:PutObject'], { StringEquals: { 's3:authType': 'REST-QUERY-STRING' } }));
  }
  return { statements, wildcards: { [everyObject]: REASON } };
}
