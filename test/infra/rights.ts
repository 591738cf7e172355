import type { SeenRequest } from '../storage/fake-s3.ts';
import { flatten, ofType, type Resource, type Synthesized, several } from './synthesize.ts';

/** What somebody asks S3 for: an action on an object, or a list of the keys that begin with a prefix. */
export interface Asked {
  readonly action: string;
  /** Null of what is asked of the bucket. */
  readonly key: string | null;
  /** Of a list that names one. */
  readonly prefix?: string;
  /** Value of the tag `approval` of the object that is there. */
  readonly approval?: string | undefined;
  /** Of a put that does not ask that nothing be there. */
  readonly overwrites?: boolean;
  /** Of a put that names a KMS key, or brings a key of its own. */
  readonly encryption?: string;
  readonly ownKey?: boolean;
  /** By a link that is signed. */
  readonly link?: boolean;
  /** Where a step's credentials are used: in the step itself, in another function in its network, or outside of that. */
  readonly from?: 'another function' | 'outside';
}

interface Statement {
  readonly Effect: 'Allow' | 'Deny';
  readonly Action?: string | string[];
  readonly NotAction?: string | string[];
  readonly Resource?: unknown;
  readonly NotResource?: unknown;
  readonly Condition?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

/** Whether a pattern of IAM lets a text through: a star stands for any characters, a question mark for one. */
export function matches(pattern: string, text: string): boolean {
  const escaped = pattern.replace(/[.+^${}()|[\]\\]/g, '\\$&');
  return new RegExp(`^${escaped.replaceAll('*', '.*').replaceAll('?', '.')}$`).test(text);
}

/** The bucket of runs in a template, not that of its log. */
const BUCKET = /^<RunsBucket[^>]*>\/?/;

/** Patterns of keys among resources, the bucket itself as an empty pattern. */
function patternsOf(resources: unknown): string[] {
  return several(resources)
    .map(flatten)
    .flatMap((resource) => (BUCKET.test(resource) ? [resource.replace(BUCKET, '')] : []));
}

/** Whether the values of a condition hold, by the operator; what is asked for over TLS 1.3 is all there is. */
function holds(operator: string, expected: string[], actual: string | undefined): boolean {
  switch (operator) {
    case 'StringLike':
      return actual !== undefined && expected.some((pattern) => matches(pattern, actual));
    case 'StringLikeIfExists':
      return actual === undefined || expected.some((pattern) => matches(pattern, actual));
    case 'StringNotLike':
      return actual === undefined || !expected.some((pattern) => matches(pattern, actual));
    case 'ArnEquals':
    case 'StringEquals':
      return actual !== undefined && expected.includes(actual);
    case 'ArnNotEquals':
    case 'StringNotEquals':
      return actual === undefined || !expected.includes(actual);
    case 'ArnNotLike':
      return actual === undefined || !expected.some((pattern) => matches(pattern, actual));
    case 'Null':
      return (actual === undefined) === (expected[0] === 'true');
    case 'Bool':
      return expected.includes(actual ?? 'true');
    case 'NumericLessThan':
      return Number(actual ?? 1.3) < Number(expected[0]);
    default:
      throw new Error(`no such operator: ${operator}`);
  }
}

/** The rights on the bucket that the templates of an environment give and refuse, as IAM adds them up. */
export class Rights {
  readonly #environment: Synthesized;
  readonly #refusals: readonly Statement[];

  constructor(environment: Synthesized) {
    this.#environment = environment;
    const [, policy] = ofType(environment, 'AWS::S3::BucketPolicy').find(([id]) => id.startsWith('RunsBucket'))!;
    this.#refusals = policy.Properties.PolicyDocument.Statement.filter(({ Effect }: Statement) => Effect === 'Deny');
  }

  /** The endpoint of S3 through which whoever is in the network asks. */
  get #endpoint(): string {
    const [[id]] = ofType(this.#environment, 'AWS::EC2::VPCEndpoint').filter(
      ([, { Properties }]) => Properties.VpcEndpointType === 'Gateway',
    ) as [[string, unknown]];
    return `<${id}>`;
  }

  /** The function whose role it is, if it is a function's. */
  #functionOf(role: string): string | undefined {
    const own = ofType(this.#environment, 'AWS::Lambda::Function').find(([, { Properties }]) => flatten(Properties.Role) === role);
    return own && `arn:aws-us-gov:lambda:us-gov-west-1:111122223333:function:<${own[0]}>:7`;
  }

  /** The one role with this in its id; a role of the account that may do everything, for null. */
  of(name: string | null): (asked: Asked) => boolean {
    if (name === null) return (asked) => this.#may('<administrator>', [{ Effect: 'Allow', Action: '*' }], asked);
    const role = this.#role(name);
    const statements = this.#statementsOf(role);
    return (asked) => this.#may(`<${role[0]}.Arn>`, statements, asked);
  }

  /** What a role may ask of services other than S3, by the names of rights; everything, for null. */
  calls(name: string | null): (action: string) => boolean {
    if (name === null) return () => true;
    const allowed = new Set(this.#statementsOf(this.#role(name)).flatMap(({ Action }) => several(Action ?? [])));
    return (action) => allowed.has(action);
  }

  #role(name: string): [string, Resource] {
    const roles = ofType(this.#environment, 'AWS::IAM::Role').filter(([id]) => id.includes(name));
    if (roles.length !== 1) throw new Error(`${roles.length} roles have ${name} in their names`);
    return roles[0]!;
  }

  #statementsOf([, role]: [string, Resource]): Statement[] {
    const policies = role.Properties.ManagedPolicyArns.map(({ Ref }: { Ref: string }) => Ref);
    return ofType(this.#environment, 'AWS::IAM::ManagedPolicy')
      .filter(([policy]) => policies.includes(policy))
      .flatMap(([, { Properties }]) => several<Statement>(Properties.PolicyDocument.Statement));
  }

  #may(principal: string, allowing: readonly Statement[], asked: Asked): boolean {
    const meets = (statement: Statement) => this.#meets(statement, principal, asked);
    const [allowed, refused] = ['Allow', 'Deny'].map((effect) => allowing.filter(({ Effect }) => Effect === effect));
    return allowed!.some(meets) && !refused!.some(meets) && !this.#refusals.some(meets);
  }

  #meets({ Action, Condition = {}, NotAction, NotResource, Resource }: Statement, principal: string, asked: Asked): boolean {
    const { action, approval, encryption, from, key, link, overwrites, ownKey, prefix } = asked;
    const names = (actions: string | string[]) => several(actions).some((one) => matches(one, action));
    if (Action !== undefined && !names(Action)) return false;
    if (NotAction !== undefined && names(NotAction)) return false;
    // What is asked of the bucket is about the bucket alone, and no part of its objects.
    const about = (resources: unknown) => patternsOf(resources).some((pattern) => (key === null ? pattern === '' : matches(pattern, key)));
    // Objects are no part of what a statement excepts that excepts objects.
    if (NotResource !== undefined && (key === null || about(NotResource))) return false;
    if (Resource !== undefined && !about(Resource)) return false;
    const context: Record<string, string | undefined> = {
      's3:prefix': prefix,
      's3:authType': link ? 'REST-QUERY-STRING' : 'REST-HEADER',
      's3:x-amz-server-side-encryption': encryption === undefined ? undefined : 'aws:kms',
      's3:x-amz-server-side-encryption-aws-kms-key-id': encryption,
      's3:x-amz-server-side-encryption-customer-algorithm': ownKey ? 'AES256' : undefined,
      's3:if-none-match': overwrites ? undefined : '*',
      's3:ExistingObjectTag/approval': approval,
      'aws:userid': principal.replace('.Arn>', '.RoleId>:someone'),
      'aws:SourceVpce': from === 'outside' ? undefined : this.#endpoint,
      'lambda:SourceFunctionArn': from === undefined ? this.#functionOf(principal) : '<Another.Arn>',
    };
    return Object.entries(Condition).every(([operator, entries]) =>
      Object.entries(entries).every(([name, values]) =>
        holds(
          operator,
          several(values).map((value) => (typeof value === 'object' ? flatten(value) : String(value))),
          context[name],
        ),
      ),
    );
  }
}

/** What S3 asks the rights for when it gets a request. */
export function rightsAsked({ deleted, headers, key, method, prefix, tagging, version, way }: SeenRequest): Asked[] {
  if (way === 'versions') return [{ action: 's3:ListBucketVersions', key: null, prefix: prefix ?? '' }];
  if (way === 'tagging') return [{ action: 's3:PutObjectTagging', key }];
  if (way === 'delete') return deleted!.map((gone) => ({ action: 's3:DeleteObjectVersion', key: gone }));
  if (prefix !== null) return [{ action: 's3:ListBucket', key: null, prefix }];
  const approval = new URLSearchParams(tagging).get('approval') ?? undefined;
  if (version !== undefined) return [{ action: 's3:GetObjectVersion', key }];
  if (method !== 'PUT') return [{ action: 's3:GetObject', key, approval }];
  const put = { action: 's3:PutObject', key, overwrites: headers['if-none-match'] === undefined };
  return headers['x-amz-tagging'] === undefined ? [put] : [put, { action: 's3:PutObjectTagging', key }];
}

/** What S3 asks before it says of an object that it is not there, and not that it is forbidden. */
export const TO_HEAR_OF_ABSENCE: Asked = { action: 's3:ListBucket', key: null };
