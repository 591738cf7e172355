import { AwsSolutionsChecks, NIST80053R5Checks } from 'cdk-nag';
import jsonata from 'jsonata';
import { describe, expect, it } from 'vitest';
import { flatten, ofType, several, synthesize } from './synthesize.ts';

const watched = synthesize({ stopDollars: 100, trail: 'all' });

const rules = (prefix: string) => ofType(watched, 'AWS::Events::Rule').filter(([id]) => id.startsWith(prefix));
/** What a role may do, by action. */
const rights = (prefix: string) =>
  ofType(watched, 'AWS::IAM::ManagedPolicy')
    .filter(([id]) => id.startsWith(prefix))
    .flatMap(([, { Properties }]) => several(Properties.PolicyDocument.Statement))
    .map(({ Action, Resource }) => [several(Action).join(), several(Resource).map(flatten).join()]);

describe('alerts on changes', () => {
  it.each([
    ['Bucket', 's3', 'PutBucketPolicy', 'bucketName'],
    ['Key', 'kms', 'PutKeyPolicy', 'keyId'],
    ['Function', 'lambda', 'UpdateFunctionCode', 'functionName'],
    ['Workflow', 'states', 'UpdateStateMachine', 'stateMachineArn'],
    ['Alias', 'states', 'UpdateStateMachineAlias', 'stateMachineAliasArn'],
    ['Role', 'iam', 'UpdateAssumeRolePolicy', 'roleName'],
  ])('tell of changes of a %s, and of this environment alone', (name, service, call, parameter) => {
    const [[, { Properties }], ...others] = rules(`Changes${name}`) as [ReturnType<typeof rules>[number]];
    expect(others).toEqual([]);
    const { detail, source, 'detail-type': type } = Properties.EventPattern;
    expect([source, type]).toEqual([[`aws.${service}`], ['AWS API Call via CloudTrail']]);
    expect(detail.eventSource).toEqual([`${service}.amazonaws.com`]);
    expect(detail.eventName).toContainEqual({ prefix: call });
    expect(Object.keys(detail.requestParameters)).toEqual([parameter]);
    expect(JSON.stringify(detail.requestParameters)).toMatch(/RunsBucket|KeysData|synthrisk-dev-|WorkflowState/);
    const [target] = Properties.Targets;
    expect(target.Arn.Ref).toMatch(/^Notifications/);
    // Who and what, never what the call was given.
    expect(JSON.stringify(target.InputTransformer.InputPathsMap)).not.toContain('requestParameters');
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
