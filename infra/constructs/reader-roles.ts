import { AccountRootPrincipal, AnyPrincipal, Effect, type IRole, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import type { IBucket } from 'aws-cdk-lib/aws-s3';
import { Construct } from 'constructs';
import { scopedRole } from './scoped-role.ts';
import { INCOMING_KEYS, OPEN_KEYS, RELEASE_KEYS, RESULT_KEYS, STATUS_KEYS } from './step-access.ts';

/**
 * Roles for people, whom the account allows to take them: to upload tables, to read what discloses, and to read the
 * release. Nobody else in the account reads what discloses, administrators included: the bucket refuses every
 * principal but the workflow's own steps and the reader of the confidential, and does so for all keys that are not known to
 * be harmless. Tables and draws are read by the steps alone.
 */
export class ReaderRoles extends Construct {
  readonly submitter: IRole;
  readonly confidentialReader: IRole;
  readonly releaseReader: IRole;

  constructor(
    scope: Construct,
    id: string,
    props: { readonly bucket: IBucket; readonly key: IKey; readonly steps: readonly IRole[] },
  ) {
    super(scope, id);
    const { bucket, key, steps } = props;
    const person = (
      name: string,
      description: string,
      { read, write = [] }: { read: readonly string[]; write?: readonly string[] },
    ) => {
      const objects = (patterns: readonly string[]) =>
        patterns.map((pattern) => bucket.arnForObjects(pattern));
      const statements = [
        new PolicyStatement({ sid: 'Read', actions: ['s3:GetObject'], resources: objects(read) }),
        new PolicyStatement({ sid: 'List', actions: ['s3:ListBucket'], resources: [bucket.bucketArn] }),
        new PolicyStatement({ sid: 'Decrypt', actions: ['kms:Decrypt'], resources: [key.keyArn] }),
      ];
      if (write.length > 0) {
        statements.push(
          new PolicyStatement({ sid: 'Write', actions: ['s3:PutObject'], resources: objects(write) }),
          new PolicyStatement({ sid: 'Encrypt', actions: ['kms:GenerateDataKey'], resources: [key.keyArn] }),
        );
      }
      return scopedRole(this, name, {
        principal: new AccountRootPrincipal(),
        description,
        statements,
        wildcards: Object.fromEntries(
          objects([...read, ...write]).map((resource) => [
            resource,
            'Objects of this kind, of any run or upload: it is what the role is for.',
          ]),
        ),
      });
    };
    this.submitter = person('Submitter', 'Uploads tables, and reads what became of them', {
      read: STATUS_KEYS,
      write: INCOMING_KEYS,
    });
    this.confidentialReader = person('ConfidentialReader', 'Reads results that disclose', {
      read: [...RESULT_KEYS, ...RELEASE_KEYS, ...STATUS_KEYS],
    });
    this.releaseReader = person('ReleaseReader', 'Reads synthetic datasets, and how runs are doing', {
      read: [...RELEASE_KEYS, ...STATUS_KEYS],
    });
    bucket.addToResourcePolicy(
      new PolicyStatement({
        sid: 'OnlyItsReaders',
        effect: Effect.DENY,
        principals: [new AnyPrincipal()],
        actions: ['s3:GetObject', 's3:GetObjectVersion'],
        notResources: OPEN_KEYS.map((pattern) => bucket.arnForObjects(pattern)),
        conditions: {
          ArnNotEquals: {
            'aws:PrincipalArn': [...steps, this.confidentialReader].map((role) => role.roleArn),
          },
        },
      }),
    );
  }
}
