import { AwsSolutionsChecks, NIST80053R5Checks } from 'cdk-nag';
import { describe, expect, it } from 'vitest';
import { EXISTING_PARTS } from './existing-settings.ts';
import { synthesize } from './synthesize.ts';

describe.each([
  ['in AWS', synthesize(), 'synthrisk-dev'],
  ['emulated', synthesize({ engine: 'lambda' }), 'synthrisk-dev'],
  ['in parts that were there before', synthesize(EXISTING_PARTS), 'synthrisk-prod'],
  [
    'with chains on spare capacity and functions that are reserved',
    synthesize({ fitSpot: 'true', reservedConcurrency: '800' }),
    'synthrisk-dev',
  ],
])('an environment %s', (_place, { app, messages }, name) => {
  const stack = app.node.findChild(name);
  const acknowledged = stack.node
    .findAll()
    .flatMap((construct) => construct.node.metadata)
    .flatMap(({ data }) => (typeof data === 'object' && data !== null ? Object.entries(data) : []))
    .filter(([rule]) => /(NIST|AwsSolutions)/.test(rule));

  it.each([
    ['NIST 800-53 rev 5', () => new NIST80053R5Checks()],
    ['AWS Solutions', () => new AwsSolutionsChecks()],
  ])('has no finding of %s that is not acknowledged', (_pack, checks) => {
    const { violations } = checks().validateScope(app);
    expect(
      violations.map(({ ruleName, violatingResources }) => [ruleName, violatingResources.map(({ constructPath }) => constructPath)]),
    ).toEqual([]);
  });

  it('gives a reason for each finding that is acknowledged, and names wildcards one by one', () => {
    expect(acknowledged.length).toBeGreaterThan(10);
    for (const [rule, reason] of acknowledged) {
      expect(String(reason).length, rule).toBeGreaterThan(25);
      if (rule.includes('IAM5')) expect(rule).toMatch(/IAM5\[(Resource|Action)::.+\]$/);
    }
    expect(acknowledged.filter(([rule]) => /IAM4|Action::/.test(rule))).toEqual([]);
  });

  it('acknowledges on constructs, never for the whole stack', () => {
    const whole = stack.node.metadata.map(({ data }) => JSON.stringify(data));
    expect(whole.filter((text) => /NIST|AwsSolutions/.test(text))).toEqual([]);
  });

  it('has no warning and no error of CDK', () => {
    // Of parts that were there CDK does not know where they are, nor their route tables, and needs neither.
    const unknown = /noSubnetRouteTableId|ruleUnresolvedEnvironment/;
    expect(messages.filter((text) => name !== 'synthrisk-prod' || !unknown.test(text))).toEqual([]);
  });
});
