import { AnyPrincipal, ArnPrincipal, Effect, type PolicyDocument, PolicyStatement, PrincipalBase } from 'aws-cdk-lib/aws-iam';
import type { Settings } from '../../shared/contracts/cloud/environment-settings.ts';
import { isPattern, type PersonRole, principalsOf } from '../../shared/contracts/cloud/people-principals.ts';

/** What a session is opened with: who somebody is, and tags of it, stay with those who bring them along. */
const ASSUME = ['sts:AssumeRole', 'sts:SetSourceIdentity', 'sts:TagSession'];

/** Conditions that are true of a request that comes from none of the networks that are named; null where none is. */
function fromElsewhere({ peopleSources = [] }: Settings): Record<string, Record<string, string[]>> | null {
  const endpoints = peopleSources.filter((source) => source.startsWith('vpce-'));
  const addresses = peopleSources.filter((source) => !source.startsWith('vpce-'));
  if (peopleSources.length === 0) return null;
  return {
    ...(addresses.length > 0 && { NotIpAddress: { 'aws:SourceIp': addresses } }),
    ...(endpoints.length > 0 && { StringNotEquals: { 'aws:SourceVpce': endpoints } }),
  };
}

/** What refuses the sessions of a role everything outside of the networks that are named; what AWS asks on their behalf comes from AWS. */
export function onlyFromSources(settings: Settings): PolicyStatement[] {
  const elsewhere = fromElsewhere(settings);
  if (elsewhere === null) return [];
  const conditions = { ...elsewhere, Bool: { 'aws:ViaAWSService': 'false' } };
  return [new PolicyStatement({ sid: 'OnlyFromSources', effect: Effect.DENY, actions: ['*'], resources: ['*'], conditions })];
}

/**
 * Who may take a role for people: the principals that the settings name, and nobody by being in the account. A role or user is named
 * itself, so that one that is made anew under its name is another. Those of IAM Identity Center are named by a pattern where their names
 * change: their path is AWS's own, and their own policies have to allow it as well.
 */
export class PeopleTrust extends PrincipalBase {
  readonly #statements: readonly PolicyStatement[];

  constructor(settings: Settings, role: PersonRole) {
    super();
    const { peopleMfa, peopleTags } = settings;
    const asked = {
      ...(peopleMfa && { Bool: { 'aws:MultiFactorAuthPresent': 'true' } }),
      ...(Object.keys(peopleTags).length > 0 && {
        StringEquals: Object.fromEntries(Object.entries(peopleTags).map(([name, value]) => [`aws:PrincipalTag/${name}`, value])),
      }),
    };
    const arns = principalsOf(settings, role);
    const named = arns.filter((arn) => !isPattern(arn));
    const patterns = arns.filter(isPattern);
    const accounts = [...new Set(patterns.map((arn) => arn.split(':').slice(0, 5).join(':')))];
    const elsewhere = fromElsewhere(settings);
    this.#statements = [
      ...(named.length === 0
        ? []
        : [
            new PolicyStatement({
              sid: 'Named',
              actions: ASSUME,
              principals: named.map((arn) => new ArnPrincipal(arn)),
              conditions: asked,
            }),
          ]),
      ...accounts.map(
        (account, place) =>
          new PolicyStatement({
            sid: `IdentityCenter${place + 1}`,
            actions: ASSUME,
            principals: [new ArnPrincipal(`${account}:root`)],
            conditions: { ...asked, ArnLike: { 'aws:PrincipalArn': patterns.filter((arn) => arn.startsWith(`${account}:`)) } },
          }),
      ),
      ...(arns.length === 0 ? [refused('Nobody', {})] : []),
      ...(elsewhere === null ? [] : [refused('OnlyFromSources', elsewhere)]),
    ];
  }

  override get policyFragment(): never {
    throw new Error('It is the trust of a role, and no principal of a policy.');
  }

  /** See `PrincipalBase`. */
  override addToAssumeRolePolicy(document: PolicyDocument): void {
    document.addStatements(...this.#statements);
  }

  /** See `PrincipalBase`. */
  override dedupeString(): undefined {
    return undefined;
  }
}

const refused = (sid: string, conditions: Record<string, Record<string, string[]>>) =>
  new PolicyStatement({ sid, effect: Effect.DENY, principals: [new AnyPrincipal()], actions: ['sts:AssumeRole'], conditions });
