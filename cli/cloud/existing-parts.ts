import { DescribeVpcEndpointsCommand, EC2Client } from '@aws-sdk/client-ec2';
import { GetKeyPolicyCommand, KMSClient } from '@aws-sdk/client-kms';
import { interfaceServices } from '../../shared/contracts/cloud/cloud-environment.ts';
import { ServiceError } from '../../shared/contracts/errors.ts';
import { CLIENT_TIMEOUTS } from '../../shared/storage/client-timeouts.ts';
import { type DeployedResources, type PolicyDocument, readPhysicalNames, type StackPlace } from './deployed-stack.ts';
import { type Check, reach } from './environment-checks.ts';

/** What AWS calls an account in the policy of a key that leaves the rest to the account's own policies. */
const isAccount = (principal: string, account: string) =>
  principal === '*' || principal === account || new RegExp(`^arn:[\\w-]+:iam::${account}:root$`).test(principal);

const several = <Value>(value: Value | readonly Value[] | undefined): readonly Value[] =>
  value === undefined ? [] : Array.isArray(value) ? value : [value as Value];

/** Whether a pattern of IAM lets a text through: a star stands for any characters. */
const matches = (pattern: string, text: string) =>
  new RegExp(`^${pattern.replace(/[.+?^${}()|[\]\\]/g, '\\$&').replaceAll('*', '.*')}$`).test(text);

/** The rights on a key that the policies in a template give to roles, by the logical ids of the roles. */
export function rightsOnKey(resources: DeployedResources, keyArn: string): Map<string, Set<string>> {
  const rights = new Map<string, Set<string>>();
  const refersTo = (id: string) => (one: unknown) => (one as { Ref?: string } | null)?.Ref === id;
  for (const [id, { Properties, Type }] of Object.entries(resources)) {
    if (Type !== 'AWS::IAM::ManagedPolicy') continue;
    const actions = several(Properties?.PolicyDocument?.Statement).flatMap(({ Action, Resource }) =>
      several(Resource).includes(keyArn) ? several(Action) : [],
    );
    if (actions.length === 0) continue;
    const attached = several(Properties?.Roles).flatMap((one) => (one as { Ref?: string }).Ref ?? []);
    const taking = Object.entries(resources).filter(([, role]) => role.Properties?.ManagedPolicyArns?.some(refersTo(id)));
    for (const role of [...attached, ...taking.map(([name]) => name)]) rights.set(role, new Set([...(rights.get(role) ?? []), ...actions]));
  }
  return rights;
}

/** Whether the policy of a key lets a role at an action, by its name or by leaving that to the policies of the account. What it refuses is not looked at. */
export function letsIn(policy: PolicyDocument, role: string, action: string): boolean {
  const account = role.split(':')[4]!;
  return several(policy.Statement).some(({ Action, Condition = {}, Effect, Principal }) => {
    if (Effect !== 'Allow' || !several(Action).some((one) => matches(one, action))) return false;
    const named = Principal === '*' ? ['*'] : several(Principal?.AWS);
    const bound = Object.values(Condition).flatMap((entries) => several(entries['aws:PrincipalArn']));
    if (bound.length > 0 && !bound.some((pattern) => matches(pattern, role))) return false;
    return named.some((principal) => principal === role || isAccount(principal, account));
  });
}

/** Services that use the key of operations, by the settings for which it is named. */
const SERVICES_OF_OPERATIONS = ['logs', 'cloudwatch', 'events'];

/** Where an environment is, and what it was deployed with. */
export interface ExistingParts {
  readonly stack: string;
  readonly place: StackPlace & { readonly region: string };
  readonly settings: Readonly<Record<string, unknown>>;
  readonly resources: DeployedResources;
  /** The ARN of something of the environment, which has its partition and account. */
  readonly arn: string;
}

async function checkKey(setting: 'dataKeyArn' | 'operationsKeyArn', parts: ExistingParts): Promise<Check> {
  const { place, resources, settings, stack } = parts;
  const [, partition, , , account] = parts.arn.split(':');
  const keyArn = String(settings[setting]);
  const kms = new KMSClient({ requestHandler: CLIENT_TIMEOUTS, ...place });
  const answer = await kms.send(new GetKeyPolicyCommand({ KeyId: keyArn })).catch((error: Error) => {
    throw new ServiceError(error.name, `KMS GetKeyPolicy ${keyArn}: ${error.name}.`);
  });
  const policy = JSON.parse(answer.Policy!) as PolicyDocument;
  const names = await readPhysicalNames(stack, place);
  const shutOut = [...rightsOnKey(resources, keyArn)].flatMap(([id, actions]) => {
    const arn = `arn:${partition}:iam::${account}:role${String(settings.rolePath ?? '/')}${names.get(id) ?? id}`;
    const lacking = [...actions].filter((action) => !letsIn(policy, arn, action));
    return lacking.length === 0 ? [] : [`${arn} (${lacking.join(', ')})`];
  });
  if (setting === 'operationsKeyArn') {
    const services = several(policy.Statement).flatMap(({ Effect, Principal }) =>
      Effect === 'Allow' && typeof Principal === 'object' ? several(Principal.Service) : [],
    );
    shutOut.push(...SERVICES_OF_OPERATIONS.filter((service) => !services.some((one) => one.startsWith(`${service}.`))));
  }
  return shutOut.length === 0
    ? { name: setting, outcome: 'ok', message: 'its policy lets in all who use it' }
    : { name: setting, outcome: 'missing', message: `Its policy does not let in ${shutOut.join('; ')}. Its owner has to add them.` };
}

async function checkEndpoints({ place, settings }: ExistingParts): Promise<Check> {
  const name = 'endpoints';
  const ec2 = new EC2Client({ requestHandler: CLIENT_TIMEOUTS, ...place });
  const request = new DescribeVpcEndpointsCommand({ Filters: [{ Name: 'vpc-id', Values: [String(settings.vpcId)] }], MaxResults: 1000 });
  const { VpcEndpoints = [] } = await ec2.send(request).catch((error: Error) => {
    throw new ServiceError(error.name, `EC2 DescribeVpcEndpoints: ${error.name}.`);
  });
  const working = (type: string, service: string) =>
    VpcEndpoints.some(
      ({ PrivateDnsEnabled, ServiceName = '', State, VpcEndpointType }) =>
        State?.toLowerCase() === 'available' &&
        VpcEndpointType === type &&
        ServiceName.endsWith(`.${place.region}.${service}`) &&
        (type === 'Gateway' || PrivateDnsEnabled === true),
    );
  const wanted = interfaceServices(settings.engine === 'lambda' ? 'lambda' : 'fargate');
  const missing = [...wanted.filter((service) => !working('Interface', service)), ...(working('Gateway', 's3') ? [] : ['s3 (gateway)'])];
  return missing.length === 0
    ? { name, outcome: 'ok', message: `${settings.vpcId} has those for ${wanted.join(', ')} and S3` }
    : {
        name,
        outcome: 'missing',
        message: `${settings.vpcId} has no endpoint that works, with private DNS, for ${missing.join(', ')}. Without it a run fails after its work is done and paid for.`,
      };
}

/** Looks at the keys and the network that were there before an environment: whether they let in, and reach, what it needs. */
export async function checkExistingParts(parts: ExistingParts): Promise<Check[]> {
  const { settings } = parts;
  const keys = (['dataKeyArn', 'operationsKeyArn'] as const).filter((name) => typeof settings[name] === 'string');
  const checks = keys.map((name) => reach(name, 'whoever deploys', () => checkKey(name, parts)));
  if (typeof settings.vpcId === 'string') checks.push(reach('endpoints', 'whoever deploys', () => checkEndpoints(parts)));
  return Promise.all(checks);
}
