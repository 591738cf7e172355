import { describe, expect, it } from 'vitest';
import { type State, synthesize } from './synthesize.ts';

const cloud = synthesize();
const emulated = synthesize({ engine: 'lambda' });

/** Every state of a workflow by name, those within its map included. */
function allStates({ States }: { States: Record<string, State> }): [string, State][] {
  return Object.entries(States).flatMap(([name, state]) => [
    [name, state] as [string, State],
    ...(state.ItemProcessor === undefined ? [] : allStates(state.ItemProcessor)),
  ]);
}

const tasks = (workflow: { States: Record<string, State> }) =>
  allStates(workflow).filter(([, { Type }]) => Type === 'Task');

describe.each([
  ['in AWS', cloud],
  ['emulated', emulated],
])('the workflow %s', (_place, { workflow }) => {
  it('goes from the plan to the report, and round again when the run is not reproducible yet', () => {
    const { States } = workflow;
    expect(workflow.StartAt).toBe('Plan');
    expect(States.Plan.Next).toBe('IsPlanned');
    expect(States.IsPlanned.Choices).toEqual([
      { Variable: '$.outcome', StringEquals: 'planned', Next: 'Fit' },
    ]);
    expect(States[States.IsPlanned.Default].Type).toBe('Succeed');
    expect([States.Fit.Next, States.Assess.Next]).toEqual(['Assess', 'Aggregate']);
    expect(States.Aggregate.Next).toBe('IsReproducible');
    expect(States.IsReproducible).toMatchObject({
      Choices: [{ Variable: '$.aggregate.outcome', StringEquals: 'next-round', Next: 'NextRound' }],
      Default: 'Report',
    });
    expect(States.NextRound.Next).toBe('Fit');
    expect([States.Report.Next, States.NotifyFinished.Next]).toEqual(['NotifyFinished', 'Finished']);
  });

  it('hands the plan the execution and all of what it was started with', () => {
    expect(workflow.States.Plan.Parameters).toEqual({
      'execution.$': '$$.Execution.Id',
      'input.$': '$',
    });
  });

  it('gives every call a time limit, and the whole another', () => {
    for (const [name, state] of tasks(workflow)) expect(state.TimeoutSeconds, name).toBeGreaterThan(0);
    expect(workflow.TimeoutSeconds).toBe(24 * 3600);
  });

  it('waits for no heartbeat, which neither functions nor watched containers send', () => {
    for (const [name, state] of tasks(workflow)) expect(state, name).not.toHaveProperty('HeartbeatSeconds');
  });

  it('retries with full jitter and a longest pause, and never an error that comes back', () => {
    for (const [name, { Retry, Type }] of allStates(workflow)) {
      if (Type !== 'Task' && Type !== 'Map') continue;
      const retried = Retry.filter(({ MaxAttempts }: State) => MaxAttempts > 0);
      expect(retried.length, name).toBeGreaterThan(0);
      for (const retry of retried) {
        expect(retry, name).toMatchObject({ JitterStrategy: 'FULL', BackoffRate: 2 });
        expect(retry.MaxDelaySeconds, name).toBeGreaterThan(0);
        expect(retry.ErrorEquals, name).not.toContain('States.ALL');
      }
    }
    const [never] = workflow.States.Plan.Retry;
    expect(never).toEqual({
      ErrorEquals: expect.arrayContaining(['InvalidTableError', 'InvalidConfigError', 'NumericalError']),
      MaxAttempts: 0,
    });
  });

  it('retries throttled functions before anything else that it knows of them', () => {
    for (const [name, { Resource, Retry }] of tasks(workflow)) {
      if (!/Function/.test(Resource)) continue;
      const retrier = Retry.findIndex(({ ErrorEquals }: State) =>
        ErrorEquals.includes('Lambda.TooManyRequestsException'),
      );
      const rest = Retry.findIndex(({ ErrorEquals }: State) => ErrorEquals.includes('States.TaskFailed'));
      expect(Retry[retrier].MaxAttempts, name).toBeGreaterThan(5);
      expect(rest, name).toBeGreaterThan(retrier);
    }
  });

  it('catches every error of every step, records it, tells it and fails by its name', () => {
    const { States } = workflow;
    const recordedBy: Record<string, string> = {};
    for (const [name, { Catch, Type }] of Object.entries(States)) {
      if (Type !== 'Task' && Type !== 'Map') continue;
      expect(Catch, name).toHaveLength(1);
      expect(Catch[0].ErrorEquals, name).toEqual(['States.ALL']);
      expect(Catch[0].ResultPath, name).toBe('$.error');
      recordedBy[name] = Catch[0].Next;
    }
    expect(recordedBy).toEqual({
      Plan: 'RecordRefusal',
      Fit: 'RecordFailure',
      Assess: 'RecordFailure',
      Aggregate: 'RecordFailure',
      Report: 'RecordFailure',
      NotifyFinished: 'RecordFailure',
      RecordRefusal: 'FailureNotRecorded',
      RecordFailure: 'FailureNotRecorded',
      NotifyFailure: 'Failed',
    });
    expect(States.RecordFailure.Parameters).toEqual({ 'runId.$': '$.runId', 'error.$': '$.error' });
    expect(States.RecordRefusal.Parameters).toEqual({ 'error.$': '$.error' });
    for (const name of ['RecordFailure', 'RecordRefusal']) {
      expect(States[name]).toMatchObject({ ResultPath: '$.failure', Next: 'NotifyFailure' });
    }
    expect(Object.keys(States.FailureNotRecorded.Parameters.failure)).toEqual(['runId', 'name', 'message']);
    expect(States.NotifyFailure.Next).toBe('Failed');
    expect(States.Failed).toMatchObject({
      Type: 'Fail',
      ErrorPath: '$.failure.name',
      CausePath: '$.failure.message',
    });
  });

  it('tells run ids and outcomes on the topic, nothing else', () => {
    for (const name of ['NotifyFinished', 'NotifyFailure']) {
      const { Message } = workflow.States[name].Parameters;
      expect(Object.keys(Message).sort()).toEqual(['execution.$', 'outcome', 'runId.$']);
    }
  });

  it('maps over the manifest in S3, batch by batch, and tolerates no failure', () => {
    const { Assess } = workflow.States;
    expect(Assess).toMatchObject({
      Type: 'Map',
      MaxConcurrency: 800,
      ResultPath: null,
      ItemReader: {
        Resource: expect.stringMatching(/:states:::s3:getObject$/),
        ReaderConfig: { InputType: 'JSON' },
        Parameters: { Bucket: expect.stringMatching(/^<Runs/), 'Key.$': '$.manifest.key' },
      },
    });
    expect(Assess.ToleratedFailurePercentage ?? 0).toBe(0);
    expect(Assess.ToleratedFailureCount ?? 0).toBe(0);
    expect(Assess).not.toHaveProperty('ItemBatcher');
    expect(Assess).not.toHaveProperty('ResultWriter');
  });

  it('lets a child answer with an empty object, so that many of them fit into a state', () => {
    const { States } = workflow.States.Assess.ItemProcessor;
    expect(States.AssessBatch).toMatchObject({ ResultPath: null, OutputPath: null, End: true });
  });

  it('uses JSONPath throughout', () => {
    expect(workflow.QueryLanguage ?? 'JSONPath').toBe('JSONPath');
    for (const [name, state] of allStates(workflow)) expect(state, name).not.toHaveProperty('QueryLanguage');
  });
});

describe('the workflow in AWS', () => {
  it('fits in a container task in the isolated subnets, and waits for its end', () => {
    expect(cloud.workflow.States.Fit).toMatchObject({
      Resource: expect.stringMatching(/ecs:runTask\.sync$/),
      TimeoutSeconds: 12 * 3600,
      ResultPath: null,
      Parameters: {
        LaunchType: 'FARGATE',
        NetworkConfiguration: {
          AwsvpcConfiguration: {
            Subnets: [expect.stringMatching(/isolatedSubnet1/), expect.stringMatching(/isolatedSubnet2/)],
          },
        },
        Overrides: {
          ContainerOverrides: [
            {
              Name: 'fit-model',
              Environment: [
                { Name: 'RUN_ID', 'Value.$': '$.runId' },
                { Name: 'ROUND', 'Value.$': "States.Format('{}', $.round)" },
              ],
            },
          ],
        },
      },
    });
  });

  it('retries a container that stopped, and not one whose time is up', () => {
    const errors = cloud.workflow.States.Fit.Retry.flatMap(({ ErrorEquals }: State) => ErrorEquals);
    expect(errors).toContain('States.TaskFailed');
    expect(errors).not.toContain('States.Timeout');
  });

  it('has Express children, whose three attempts fit into five minutes', () => {
    const { ProcessorConfig, States } = cloud.workflow.States.Assess.ItemProcessor;
    expect(ProcessorConfig).toEqual({ Mode: 'DISTRIBUTED', ExecutionType: 'EXPRESS' });
    const [, , unexpected] = States.AssessBatch.Retry;
    const attempts = 1 + unexpected.MaxAttempts;
    const { Timeout } = cloud.resources[idOfFunction('assess-batch')]!.Properties;
    expect(attempts * Timeout + unexpected.MaxAttempts * unexpected.MaxDelaySeconds).toBeLessThanOrEqual(300);
  });

  function idOfFunction(folder: string): string {
    return Object.entries(cloud.resources).find(([, { Properties }]) =>
      Properties?.Description?.endsWith(` ${folder}`),
    )![0];
  }
});

describe('the workflow emulated', () => {
  it('fits in a function, since there is no container', () => {
    expect(emulated.workflow.States.Fit).toMatchObject({
      Resource: expect.stringMatching(/FitModel/),
      Parameters: { 'runId.$': '$.runId', 'round.$': '$.round' },
      ResultPath: null,
    });
    expect(emulated.text).not.toMatch(/ecs/i);
  });

  it('has Standard children', () => {
    expect(emulated.workflow.States.Assess.ItemProcessor.ProcessorConfig.ExecutionType).toBe('STANDARD');
  });
});
