import { CfnManagedPolicy, CfnRole, ManagedPolicy, PermissionsBoundary } from 'aws-cdk-lib/aws-iam';
import { Aspects, type Stack, Tags } from 'aws-cdk-lib/core';
import type { Settings } from '../settings.ts';

/**
 * What an agency asks of everything in its accounts: tags, a permissions boundary and a path of every role. The settings
 * are written into the template, where the next deployment finds them.
 */
export function applyAgencyRules(stack: Stack, settings: Settings): void {
  const { permissionsBoundaryArn, rolePath, tags } = settings;
  stack.templateOptions.metadata = { ...stack.templateOptions.metadata, SynthriskSettings: { ...settings } };
  for (const [name, value] of Object.entries(tags)) Tags.of(stack).add(name, value);
  if (permissionsBoundaryArn !== undefined) {
    const boundary = ManagedPolicy.fromManagedPolicyArn(stack, 'Boundary', permissionsBoundaryArn);
    PermissionsBoundary.of(stack).apply(boundary);
  }
  if (rolePath !== '/') {
    Aspects.of(stack).add({
      visit(node) {
        if (node instanceof CfnRole || node instanceof CfnManagedPolicy) node.path = rolePath;
      },
    });
  }
}
