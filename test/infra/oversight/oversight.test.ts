import { AwsSolutionsChecks, NIST80053R5Checks } from 'cdk-nag';
import jsonata from 'jsonata';
import { describe, expect, it } from 'vitest';
import { WATCHED_CHANGES } from '../../../infra/oversight/watched-changes.ts';
import { flatten, ofType, several, synthesize } from '../synthesize.ts';
import { rulesMet } from './event-patterns.ts';

const watched = synthesize({ stopDollars: 100, trail: 'all' });

const rules = (prefix: string) => ofType(watched, 'AWS::Events::Rule').filter(([id]) => id.startsWith(prefix));
/** What a role may do, by action. */
const rights = (prefix: string) =>
  ofType(watched, 'AWS::IAM::ManagedPolicy')
    .filter(([id]) => id.startsWith(prefix))
    .flatMap(([, { Properties }]) => several(Properties.PolicyDocument.Statement))
    .map(({ Action, Resource }) => [several(Action).join(), several(Resource).map(flatten).join()]);

describe('alerts on changes', () => {
  const idOf = (type: string, prefix: string) => `<${ofType(watched, type).find(([id]) => id.startsWith(prefix))![0]}>`;
  const bucket = idOf('AWS::S3::Bucket', 'RunsBucket');
  const dataKey = idOf('AWS::KMS::Key', 'KeysData');
  const workflow = idOf('AWS::StepFunctions::StateMachine', 'WorkflowState');
  const endpoint = idOf('AWS::EC2::VPCEndpoint', 'NetworkVpcStorage');
  const ownVpc = idOf('AWS::EC2::VPC', 'NetworkVpc');
  const topic = idOf('AWS::SNS::Topic', 'Notifications');
  const approver = idOf('AWS::IAM::Role', 'PeopleApprover').replace('>', '.Arn>');
  const cluster = idOf('AWS::ECS::Cluster', 'FitCluster');
  const [family, closing] = ofType(watched, 'AWS::ECS::TaskDefinition').map(([, { Properties }]) => Properties.Family as string);
  const taskRole = idOf('AWS::IAM::Role', 'FitTaskRole');
  const repository = flatten(rules('ChangesImage')[0]![1].Properties.EventPattern.detail.requestParameters.repositoryName[0]);
  const policyArn = 'arn:aws:iam::111122223333:policy/synthrisk-dev-PeopleApproverPolicy1-X';

  it.each<[string, Parameters<typeof rulesMet>[1]]>([
    ['Bucket', ['s3', 'PutBucketPolicy', { bucketName: bucket }]],
    ['Bucket', ['s3', 'PutBucketNotification', { bucketName: bucket }]],
    ['Bucket', ['s3', 'DeleteBucketEncryption', { bucketName: bucket }]],
    ['Bucket', ['s3', 'PutBucketPolicy', { bucketName: idOf('AWS::S3::Bucket', 'TrailLog') }]],
    ['Key', ['kms', 'PutKeyPolicy', { keyId: `arn:aws:kms:us-east-1:111122223333:key/${dataKey}` }]],
    ['Key', ['kms', 'CreateGrant', { keyId: dataKey }]],
    ['KeyAlias', ['kms', 'UpdateAlias', { aliasName: 'alias/synthrisk-dev-manifests', targetKeyId: 'another' }]],
    ['Function', ['lambda', 'UpdateFunctionCode20150331v2', { functionName: 'synthrisk-dev-assess-batch' }]],
    ['Function', ['lambda', 'UpdateFunctionConfiguration20150331v2', { functionName: 'a:function:synthrisk-dev-FunctionsPlanRun' }]],
    ['Workflow', ['states', 'UpdateStateMachine', { stateMachineArn: workflow }]],
    ['Workflow', ['states', 'DeleteStateMachine', { stateMachineArn: idOf('AWS::StepFunctions::StateMachine', 'CostStop') }]],
    ['Alias', ['states', 'UpdateStateMachineAlias', { stateMachineAliasArn: `${workflow}:live` }]],
    ['Role', ['iam', 'UpdateAssumeRolePolicy', { roleName: 'synthrisk-dev-PeopleApproverRole1-X' }]],
    ['Session', ['sts', 'AssumeRole', { roleArn: approver }]],
    ['Session', ['sts', 'AssumeRoleWithSAML', { roleArn: approver }]],
    ['Policy', ['iam', 'CreatePolicyVersion', { policyArn }]],
    ['Policy', ['iam', 'SetDefaultPolicyVersion', { policyArn: policyArn.replace('policy/', 'policy/agency/') }]],
    ['Endpoint', ['ec2', 'ModifyVpcEndpoint', { ModifyVpcEndpointRequest: { VpcEndpointId: endpoint } }]],
    ['Endpoint', ['ec2', 'ModifyVpcEndpoint', { vpcEndpointId: endpoint }]],
    ['Endpoint', ['ec2', 'DeleteVpcEndpoints', { DeleteVpcEndpointsRequest: { VpcEndpointId: { tag: 1, content: endpoint } } }]],
    ['Endpoint', ['ec2', 'CreateVpcEndpoint', { CreateVpcEndpointRequest: { VpcId: ownVpc } }]],
    ['Network', ['ec2', 'AttachInternetGateway', { vpcId: ownVpc }]],
    ['Network', ['ec2', 'CreateRoute', { routeTableId: idOf('AWS::EC2::RouteTable', 'Network') }]],
    ['Network', ['ec2', 'ReplaceRouteTableAssociation', { associationId: idOf('AWS::EC2::SubnetRouteTableAssociation', 'Network') }]],
    ['Task', ['ecs', 'RunTask', { cluster, taskDefinition: 'another:1' }]],
    ['Task', ['ecs', 'RunTask', { cluster: 'default', taskDefinition: `${family}:7`, overrides: { containerOverrides: [] } }]],
    ['Task', ['ecs', 'RunTask', { taskDefinition: 'another', overrides: { taskRoleArn: `arn:aws:iam::111122223333:role/${taskRole}` } }]],
    ['Task', ['ecs', 'ExecuteCommand', { cluster: `arn:aws:ecs:us-east-1:111122223333:cluster/${cluster}`, task: 'a' }]],
    ['TaskDefinition', ['ecs', 'RegisterTaskDefinition', { family: 'another', taskRoleArn: taskRole }]],
    ['TaskDefinition', ['ecs', 'RegisterTaskDefinition', { family }]],
    ['TaskDefinition', ['ecs', 'RegisterTaskDefinition', { family: closing }]],
    ['Task', ['ecs', 'RunTask', { cluster: 'default', taskDefinition: `${closing}:7` }]],
    ['TaskDefinition', ['ecs', 'RegisterTaskDefinition', { family: 'another', taskRoleArn: idOf('AWS::IAM::Role', 'FitClosingTaskRole') }]],
    ['Image', ['ecr', 'PutImage', { repositoryName: repository, imageTag: 'a' }]],
    ['Trail', ['cloudtrail', 'StopLogging', { name: 'of-the-account' }]],
    ['Rule', ['events', 'DisableRule', { name: 'synthrisk-dev-ChangesBucket-X' }]],
    ['Rule', ['events', 'RemoveTargets', { rule: 'synthrisk-dev-UploadRule-X' }]],
    ['Topic', ['sns', 'Subscribe', { topicArn: topic }]],
    ['Topic', ['sns', 'Unsubscribe', { subscriptionArn: `${topic}:0a1b` }]],
    ['Alarm', ['monitoring', 'DisableAlarmActions', { alarmNames: ['another', 'synthrisk-dev-AlarmsCost-X'] }]],
  ])('tell of changes of a %s: %j', (name, call) => {
    expect(rulesMet(watched, call)).toEqual([`Changes${name}`]);
    const ofAnother = JSON.parse(
      JSON.stringify(call)
        .replaceAll(/synthrisk(-?)dev/g, 'synthrisk$1test')
        .replaceAll(/<[\w.]+>/g, '<another>'),
    );
    // Trails are watched whosever they are, and all that CDK deploys in an account has one repository.
    if (!['Trail', 'Image'].includes(name)) expect(rulesMet(watched, ofAnother)).toEqual([]);
  });

  it('tell of no task that the workflow runs, and of one that anybody else does', () => {
    const run = ['ecs', 'RunTask', { cluster, taskDefinition: `${family}:1` }] as const;
    const by = (arn: string) => rulesMet(watched, run, { sessionContext: { sessionIssuer: { arn } } });
    expect(by(idOf('AWS::IAM::Role', 'WorkflowWorkflowRole').replace('>', '.Arn>'))).toEqual([]);
    expect(by('arn:aws:iam::111122223333:role/administrator')).toEqual(['ChangesTask']);
  });

  it('tell who and what, never what the call was given, and fit into a rule', () => {
    expect(rules('Changes').map(([id]) => id.replace(/^Changes|[0-9A-F]{8}$/g, ''))).toEqual(Object.keys(WATCHED_CHANGES));
    const functions = ofType(synthesize({ engine: 'lambda' }), 'AWS::Events::Rule').map(([id]) => id);
    expect(functions.filter((id) => /^Changes(Task|Image)/.test(id))).toEqual([]);
    for (const [id, { Properties }] of rules('Changes')) {
      const [target] = Properties.Targets;
      expect(target.Arn.Ref, id).toMatch(/^Notifications/);
      const told = Object.values(target.InputTransformer.InputPathsMap).filter((path) => /requestParameters/.test(String(path)));
      expect(told, id).toEqual(id.startsWith('ChangesSession') ? ['$.detail.requestParameters.roleArn'] : []);
      expect(JSON.stringify(Properties.EventPattern).length, id).toBeLessThan(2048);
    }
  });

  it('are left out where the settings say so', () => {
    const quiet = synthesize({ engine: 'lambda', changeAlerts: 'false' });
    expect(ofType(quiet, 'AWS::Events::Rule').filter(([id]) => id.startsWith('Changes'))).toEqual([]);
  });
});

describe('the stop of costs', () => {
  const [, machine] = ofType(watched, 'AWS::StepFunctions::StateMachine').find(([id]) => id.startsWith('CostStop'))!;
  const { States, StartAt } = JSON.parse(flatten(machine.Properties.DefinitionString));
  const evaluate = (expression: string, states: object) => jsonata(expression.replace(/^\{% | %\}$/g, '')).evaluate({}, { states });

  it('looks at its alarm first, and lists nothing while that is not on', async () => {
    expect(StartAt).toBe('LookAtAlarm');
    expect(flatten(States.LookAtAlarm.Arguments.AlarmNames[0])).toMatch(/^<AlarmsCostStop/);
    const result = { MetricAlarms: [{ StateValue: 'ALARM' }] };
    expect(await evaluate(States.LookAtAlarm.Output.state, { result })).toBe('ALARM');
    const [{ Condition, Next }] = States.IsTooMuch.Choices;
    expect(Next).toBe('ListToStop');
    expect(await evaluate(Condition, { input: { state: 'ALARM' } })).toBe(true);
    for (const state of ['OK', 'INSUFFICIENT_DATA']) {
      expect(await evaluate(Condition, { input: { state } })).toBe(false);
    }
    expect(States[States.IsTooMuch.Default].Type).toBe('Succeed');
  });

  it.each([0, 1, 2])('stops each of %i executions that are running', async (count) => {
    const running = Array.from({ length: count }, (_, i) => `execution-${i}`);
    const result = { Executions: running.map((ExecutionArn) => ({ ExecutionArn })) };
    const listed = await evaluate(States.ListToStop.Output.running, { result });
    expect([...listed]).toEqual(running);
    expect(States.ListToStop.Arguments.StatusFilter).toBe('RUNNING');
    expect(States.EachRun.ItemProcessor.States.StopRun.Arguments.ExecutionArn).toBe('{% $states.input %}');
  });

  it('may look at that alarm, list this workflow and stop its executions, and nothing else', () => {
    const may = rights('CostStopStopPolicy').filter(([actions]) => !actions!.startsWith('logs:'));
    expect(may).toEqual([
      ['cloudwatch:DescribeAlarms', expect.stringMatching(/^<AlarmsCostStop\w+\.Arn>$/)],
      ['states:ListExecutions', expect.stringMatching(/^<WorkflowStateMachine/)],
      ['states:StopExecution', expect.stringMatching(/:execution:.*:\*$/)],
    ]);
  });

  it('looks every five minutes, and is there only with an amount', () => {
    expect(rules('CostStop')[0]![1].Properties.ScheduleExpression).toBe('rate(5 minutes)');
    const none = synthesize();
    expect(none.text).not.toContain('CostStop');
  });
});

describe('the trail', () => {
  it('has each request to an object of the runs, and management events where it is asked for them', () => {
    const trail = ofType(watched, 'AWS::CloudTrail::Trail')[0]![1].Properties;
    expect(trail).toMatchObject({ IsLogging: true, EnableLogFileValidation: true });
    const resources = trail.EventSelectors.flatMap(
      ({ DataResources }: { DataResources?: { Values: unknown[] }[] }) => DataResources?.flatMap(({ Values }) => Values.map(flatten)) ?? [],
    );
    expect(resources).toEqual([expect.stringMatching(/^<RunsBucket\w+\.Arn>\/$/)]);
    const managed = trail.EventSelectors.some((one: { IncludeManagementEvents?: boolean }) => one.IncludeManagementEvents);
    expect(managed).toBe(true);
    // Reads among them: taking a role is one.
    expect(JSON.stringify(trail.EventSelectors)).toContain('"ReadWriteType":"All"');
    const data = synthesize({ engine: 'lambda', trail: 'data' });
    const selectors = ofType(data, 'AWS::CloudTrail::Trail')[0]![1].Properties.EventSelectors;
    expect(JSON.stringify(selectors)).not.toContain('"IncludeManagementEvents":true');
  });

  it('is read by the reader of the confidential alone', () => {
    const [, policy] = ofType(watched, 'AWS::S3::BucketPolicy').find(([id]) => id.startsWith('TrailLog'))!;
    const refusal = policy.Properties.PolicyDocument.Statement.find(({ Sid }: { Sid?: string }) => Sid === 'OnlyTheReader');
    expect(refusal).toMatchObject({ Effect: 'Deny', Action: 's3:GetObject*' });
    expect(JSON.stringify(refusal.Condition)).toContain('PeopleConfidentialReader');
    expect(policy.DeletionPolicy).toBe('Retain');
  });
});

it.each([() => new NIST80053R5Checks(), () => new AwsSolutionsChecks()])(
  'nothing of it is found by cdk-nag that is not acknowledged (%#)',
  (checks) => {
    const { violations } = checks().validateScope(watched.app);
    const found = violations.map(({ ruleName, violatingResources }) => [
      ruleName,
      violatingResources.map(({ constructPath }) => constructPath),
    ]);
    expect(found).toEqual([]);
  },
);
