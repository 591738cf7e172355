import { AnyPrincipal, Effect, type IRole, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { Key, KeySpec, KeyUsage } from 'aws-cdk-lib/aws-kms';
import { RemovalPolicy, Stack } from 'aws-cdk-lib/core';
import type { Construct } from 'constructs';
import { environmentNames } from '../../shared/contracts/cloud/cloud-environment.ts';
import type { Settings } from '../settings.ts';

/**
 * The key that signs manifests, by the name of its alias. One role signs with it, administrators do not; it cannot be rotated, as
 * no asymmetric key of KMS can, and it is kept when the stack is deleted, since signatures are to be verified after that.
 *
 * The right to sign is given here alone: a policy of the role that named the key would be there only after the key, whose
 * policy names the role.
 */
export function signingKey(
  scope: Construct,
  id: string,
  { settings, signer }: { readonly settings: Settings; readonly signer: IRole },
): Key {
  const key = new Key(scope, id, {
    description: `${Stack.of(scope).stackName}: signs the manifests of runs`,
    keySpec: KeySpec.ECC_NIST_P256,
    keyUsage: KeyUsage.SIGN_VERIFY,
    alias: environmentNames(settings.environment, settings.namePrefix).signingKey,
    removalPolicy: RemovalPolicy.RETAIN,
  });
  key.addToResourcePolicy(new PolicyStatement({ sid: 'Sign', principals: [signer], actions: ['kms:Sign'], resources: ['*'] }));
  key.addToResourcePolicy(
    new PolicyStatement({
      sid: 'NobodyElseSigns',
      effect: Effect.DENY,
      principals: [new AnyPrincipal()],
      actions: ['kms:Sign', 'kms:CreateGrant'],
      resources: ['*'],
      conditions: { ArnNotEquals: { 'aws:PrincipalArn': [signer.roleArn] } },
    }),
  );
  return key;
}
