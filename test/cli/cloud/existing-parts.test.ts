import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { DeployedResources } from '../../../cli/cloud/deployed-stack.ts';
import { checkExistingParts, letsIn, rightsOnKey } from '../../../cli/cloud/existing-parts.ts';
import { interfaceServices } from '../../../shared/contracts/cloud/cloud-environment.ts';
import { DATA, EXISTING_PARTS, OPERATIONS } from '../../infra/existing-settings.ts';
import { synthesize } from '../../infra/synthesize.ts';

const resources = synthesize(EXISTING_PARTS).resources as DeployedResources;
const ACCOUNT = 'arn:aws-us-gov:iam::111122223333:root';

/** The policy of each key, and the services of endpoints that there are; null of a service that refuses. */
let policies: Record<string, object | null>;
let services: string[] | null;
let server: Server;
let endpoint: string;

beforeAll(async () => {
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'test');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'test');
  server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    if (request.headers['x-amz-target']?.toString().endsWith('.GetKeyPolicy')) {
      const policy = policies[JSON.parse(body).KeyId];
      response.writeHead(policy ? 200 : 400, { 'content-type': 'application/x-amz-json-1.1' });
      response.end(JSON.stringify(policy ? { Policy: JSON.stringify(policy) } : { __type: 'AccessDeniedException' }));
      return;
    }
    const asked = new URLSearchParams(body);
    const action = asked.get('Action')!;
    response.writeHead(services === null ? 403 : 200, { 'content-type': 'text/xml' });
    if (action === 'DescribeVpcEndpoints' && services === null) {
      response.end('<Response><Errors><Error><Code>UnauthorizedOperation</Code></Error></Errors></Response>');
    } else if (action === 'DescribeVpcEndpoints') {
      // Those of its own network alone.
      expect([asked.get('Filter.1.Name'), asked.get('Filter.1.Value.1')]).toEqual(['vpc-id', EXISTING_PARTS.vpcId]);
      const item = (name: string) =>
        `<item><serviceName>com.amazonaws.us-gov-west-1.${name}</serviceName><state>available</state><vpcEndpointType>${name === 's3' ? 'Gateway' : 'Interface'}</vpcEndpointType><privateDnsEnabled>${name !== 's3'}</privateDnsEnabled></item>`;
      response.end(
        `<DescribeVpcEndpointsResponse><vpcEndpointSet>${services!.map(item).join('')}</vpcEndpointSet></DescribeVpcEndpointsResponse>`,
      );
    } else {
      const members = Object.keys(resources).map(
        (id) => `<member><LogicalResourceId>${id}</LogicalResourceId><PhysicalResourceId>named-${id}</PhysicalResourceId></member>`,
      );
      response.end(
        `<ListStackResourcesResponse><ListStackResourcesResult><StackResourceSummaries>${members.join('')}</StackResourceSummaries></ListStackResourcesResult></ListStackResourcesResponse>`,
      );
    }
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => new Promise((done) => server.close(done)));

const allow = (Principal: object, Action: string | string[] = 'kms:*') => ({ Effect: 'Allow', Principal, Action, Resource: '*' });
const byService = (name: string) => allow({ Service: `${name}.amazonaws.com` }, ['kms:Decrypt', 'kms:GenerateDataKey*']);

beforeEach(() => {
  policies = {
    [DATA]: { Statement: [allow({ AWS: ACCOUNT })] },
    [OPERATIONS]: { Statement: [allow({ AWS: '111122223333' }), ...['logs.us-gov-west-1', 'cloudwatch', 'events'].map(byService)] },
  };
  services = [...interfaceServices('fargate'), 's3'];
});

async function outcomes() {
  const checks = await checkExistingParts({
    ...{ stack: 'agency-stats-prod', place: { region: 'us-gov-west-1', endpoint }, settings: EXISTING_PARTS, resources },
    arn: 'arn:aws-us-gov:states:us-gov-west-1:111122223333:stateMachine:agency-stats-prod',
  });
  return Object.fromEntries(checks.map(({ name, ...check }) => [name, check]));
}

describe('checkExistingParts()', () => {
  it('finds keys that leave the rest to the account, and all endpoints', async () => {
    const found = await outcomes();
    expect(Object.values(found).map(({ outcome }) => outcome)).toEqual(['ok', 'ok', 'ok']);
  });

  it.each(interfaceServices('fargate'))('misses an endpoint of %s, and says what that costs', async (service) => {
    services = services!.filter((one) => one !== service);
    const { endpoints } = await outcomes();
    expect(endpoints).toMatchObject({ outcome: 'missing', message: expect.stringContaining(`for ${service}. Without it a run fails`) });
  });

  it('misses each role that the policy of a key names not, with what it lacks', async () => {
    const users = [...rightsOnKey(resources, DATA).keys()].map((id) => `arn:aws-us-gov:iam::111122223333:role/agency/named-${id}`);
    expect(users.length).toBeGreaterThan(12);
    policies[DATA] = { Statement: [allow({ AWS: users }, ['kms:Decrypt', 'kms:GenerateDataKey*'])] };
    expect((await outcomes()).dataKeyArn).toMatchObject({ outcome: 'ok' });
    const isWorkflow = (arn: string) => /WorkflowWorkflowRole/.test(arn);
    policies[DATA] = {
      Statement: [
        allow({ AWS: users.filter((arn) => !isWorkflow(arn)) }, 'kms:Decrypt'),
        allow({ AWS: users.filter((arn) => !/Approver/.test(arn)) }, 'kms:GenerateDataKey'),
      ],
    };
    const { message, outcome } = (await outcomes()).dataKeyArn!;
    expect(outcome).toBe('missing');
    expect(message).toMatch(/role\/agency\/named-WorkflowWorkflowRole\w+ \(kms:Decrypt\)/);
    expect(message).toMatch(/PeopleApproverRole\w+ \(kms:GenerateDataKey\)/);
    expect(message.match(/arn:/g)).toHaveLength(2);
  });

  it('misses a service that the key of operations shuts out', async () => {
    policies[OPERATIONS] = { Statement: [allow({ AWS: ACCOUNT }), byService('logs.us-gov-west-1'), byService('events')] };
    expect((await outcomes()).operationsKeyArn).toMatchObject({ outcome: 'missing', message: expect.stringContaining('cloudwatch') });
  });

  it('says that whoever deploys may ask, where a service refuses', async () => {
    policies = { [DATA]: null, [OPERATIONS]: null };
    services = null;
    for (const [name, check] of Object.entries(await outcomes())) expect(check.outcome, name).toBe('not-allowed');
  });
});

describe('letsIn()', () => {
  const role = 'arn:aws:iam::111122223333:role/agency/a';

  it('goes by who is named, and by the account where its policies decide', () => {
    const may = (...Statement: object[]) => letsIn({ Statement } as never, role, 'kms:Decrypt');
    expect(may(allow({ AWS: role }, 'kms:Decrypt'))).toBe(true);
    expect(may(allow({ AWS: `${role}b` }, 'kms:Decrypt'))).toBe(false);
    expect(may(allow({ AWS: 'arn:aws:iam::444455556666:root' }))).toBe(false);
    expect(may({ ...allow({ AWS: role }), Effect: 'Deny' })).toBe(false);
    const among = (pattern: string) => ({ ...allow({ AWS: '*' }), Condition: { ArnLike: { 'aws:PrincipalArn': [pattern] } } });
    expect(may(among('arn:aws:iam::111122223333:role/agency/*'))).toBe(true);
    expect(may(among('arn:aws:iam::111122223333:role/others/*'))).toBe(false);
  });
});
