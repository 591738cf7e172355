import type { IRole } from 'aws-cdk-lib/aws-iam';
import { Fn, Stack } from 'aws-cdk-lib/core';

/**
 * What `aws:userid` begins with in a session of a role, with a star for the name of the session. No two roles ever have the
 * same id, so that one that is made anew under the old name is another; and it is a quarter as long as an ARN, which counts
 * in the policy of a bucket.
 */
export function sessionsOf(role: IRole): string {
  const {
    'Fn::GetAtt': [logicalId],
  } = Stack.of(role).resolve(role.roleArn) as { 'Fn::GetAtt': [string, string] };
  return Fn.join('', [Fn.getAtt(logicalId, 'RoleId').toString(), ':*']);
}
