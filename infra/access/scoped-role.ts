import { type IPrincipal, type IRole, ManagedPolicy, type PolicyStatement, Role } from 'aws-cdk-lib/aws-iam';
import { Stack } from 'aws-cdk-lib/core';
import { flattenCfnReference } from 'cdk-nag/lib/utils/flatten-cfn-reference.js';
import type { Construct } from 'constructs';
import { acknowledge } from './acknowledge.ts';

/** Who may take a role, and all that it may do. */
export interface ScopedRoleProps {
  readonly principal: IPrincipal;
  readonly description: string;
  readonly statements: readonly PolicyStatement[];
  /** Resources in the statements that hold a wildcard, each with its reason. */
  readonly wildcards?: Readonly<Record<string, string>>;
}

/**
 * A role with one policy of its own that is written out in full: CDK's grants, which are wider than needed, do not
 * reach it. Whatever is given the role depends on the policy, which is there first.
 */
export function scopedRole(scope: Construct, id: string, props: ScopedRoleProps): IRole {
  const { description, principal } = props;
  const policy = scopedPolicy(scope, `${id}Policy`, props);
  const role = new Role(scope, `${id}Role`, { assumedBy: principal, description, managedPolicies: [policy] });
  return role.withoutPolicyUpdates();
}

/** A policy that roles are given; see {@link scopedRole}. */
export function scopedPolicy(
  scope: Construct,
  id: string,
  props: Omit<ScopedRoleProps, 'principal'> & { readonly roles?: IRole[] },
): ManagedPolicy {
  const { description, roles = [], statements, wildcards = {} } = props;
  const policy = new ManagedPolicy(scope, id, { description, roles, statements: [...statements] });
  const nameOf = (resource: string) => flattenCfnReference(Stack.of(scope).resolve(resource));
  acknowledge(
    policy,
    Object.fromEntries(Object.entries(wildcards).map(([resource, reason]) => [`AwsSolutions-IAM5[Resource::${nameOf(resource)}]`, reason])),
  );
  return policy;
}
