import { describe, expect, it } from 'vitest';
import { flatten, ofType, several, synthesize } from './synthesize.ts';

const ROLE = 'arn:aws:iam::111122223333:role/statistics';
const CENTER = 'arn:aws:iam::111122223333:role/aws-reserved/sso.amazonaws.com/*AWSReservedSSO_Statistics_????????????????';

interface Statement {
  readonly Sid?: string;
  readonly Effect: string;
  readonly Action: string | string[];
  readonly Principal: { readonly AWS: unknown };
  readonly Condition?: Record<string, Record<string, unknown>>;
}

/** The trust of each role for people, by the name of the role. */
function trusts(context: Record<string, unknown>): Record<string, Statement[]> {
  const roles = ofType(synthesize({ engine: 'lambda', ...context }), 'AWS::IAM::Role').filter(([id]) => id.startsWith('People'));
  return Object.fromEntries(
    roles.map(([id, { Properties }]) => [/People(\w+)Role/.exec(id)![1]!, Properties.AssumeRolePolicyDocument.Statement]),
  );
}

const allows = (statements: Statement[]) => statements.filter(({ Effect }) => Effect === 'Allow');

describe('roles for people', () => {
  it('are for nobody unless settings name somebody: never for whoever is in the account', () => {
    const found = trusts({});
    expect(Object.keys(found).sort()).toEqual(['Approver', 'ConfidentialReader', 'Operator', 'Purger', 'ReleaseReader', 'Submitter']);
    for (const statements of Object.values(found)) {
      expect(statements).toEqual([{ Sid: 'Nobody', Effect: 'Deny', Principal: { AWS: '*' }, Action: 'sts:AssumeRole' }]);
    }
  });

  it('are each for its own principals, or for those of all roles', () => {
    const found = trusts({ peopleArns: [ROLE], approverArns: [`${ROLE}-board`], purgerArns: 'nobody' });
    const named = (role: string) => allows(found[role]!).flatMap(({ Principal }) => several(Principal.AWS).map(flatten));
    expect(named('Submitter')).toEqual([ROLE]);
    expect(named('Approver')).toEqual([`${ROLE}-board`]);
    expect(named('Purger')).toEqual([]);
  });

  it('name roles of Identity Center by a pattern below the path that is its own', () => {
    const [statement, ...others] = allows(trusts({ peopleArns: [CENTER] }).Approver!);
    expect(others).toEqual([]);
    expect(statement).toMatchObject({
      Principal: { AWS: 'arn:aws:iam::111122223333:root' },
      Condition: { ArnLike: { 'aws:PrincipalArn': [CENTER] } },
    });
  });

  it('ask for tags, a second factor and a network where that is set', () => {
    const set = { peopleArns: [ROLE], peopleTags: 'unit=disclosure', peopleMfa: 'true', peopleSources: '203.0.113.0/24,vpce-0a' };
    const [allowed, refused, ...others] = trusts(set).ConfidentialReader!;
    expect(others).toEqual([]);
    expect(allowed!.Condition).toEqual({
      StringEquals: { 'aws:PrincipalTag/unit': 'disclosure' },
      Bool: { 'aws:MultiFactorAuthPresent': 'true' },
    });
    const elsewhere = { NotIpAddress: { 'aws:SourceIp': ['203.0.113.0/24'] }, StringNotEquals: { 'aws:SourceVpce': ['vpce-0a'] } };
    expect(refused).toMatchObject({ Effect: 'Deny', Principal: { AWS: '*' }, Condition: elsewhere });
    // What a session does is held to the network too.
    const policies = ofType(synthesize({ engine: 'lambda', ...set }), 'AWS::IAM::ManagedPolicy').filter(([id]) => id.startsWith('People'));
    expect(policies).toHaveLength(6);
    for (const [id, { Properties }] of policies) {
      const [denied, ...others] = Properties.PolicyDocument.Statement.filter(({ Sid }: Statement) => Sid === 'OnlyFromSources');
      expect(others).toEqual([]);
      expect(denied, id).toEqual(
        expect.objectContaining({
          Effect: 'Deny',
          Action: '*',
          Resource: '*',
          Condition: { ...elsewhere, Bool: { 'aws:ViaAWSService': 'false' } },
        }),
      );
    }
  });

  it('are told of on the topic whenever somebody takes one', () => {
    const environment = synthesize({ engine: 'lambda' });
    const [rule] = ofType(environment, 'AWS::Events::Rule').filter(([id]) => id.startsWith('ChangesSession'));
    // Taking a role is a read to CloudTrail, of which a rule that is enabled and no more hears nothing.
    expect(rule![1].Properties.State).toBe('ENABLED_WITH_ALL_CLOUDTRAIL_MANAGEMENT_EVENTS');
    expect(rule![1].Properties.EventPattern.detail.requestParameters.roleArn.map(flatten)).toHaveLength(6);
  });
});
