import { Validations } from 'aws-cdk-lib/core';
import type { IConstruct } from 'constructs';

/**
 * Acknowledges findings of cdk-nag on a construct and what is in it: rule by rule, each with the reason why the rule
 * does not fit. A rule with several findings (`AwsSolutions-IAM5[Resource::*]`) is acknowledged by exact finding.
 */
export function acknowledge(construct: IConstruct, reasons: Readonly<Record<string, string>>): void {
  const validations = Validations.of(construct);
  for (const [id, reason] of Object.entries(reasons)) validations.acknowledge({ id, reason });
}
