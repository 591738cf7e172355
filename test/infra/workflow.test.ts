import { describe, expect, it } from 'vitest';
import { usageNoteSchema } from '../../shared/contracts/run/usage.ts';
import { runUsed } from '../../shared/cost/run-used.ts';
import { ofType, type State, synthesize } from './synthesize.ts';

const cloud = synthesize();
const emulated = synthesize({ engine: 'lambda' });

/** Every state of a workflow by name, those within its map included. */
function allStates({ States }: { States: Record<string, State> }): [string, State][] {
  return Object.entries(States).flatMap(([name, state]) => [
    [name, state] as [string, State],
    ...(state.ItemProcessor === undefined ? [] : allStates(state.ItemProcessor)),
  ]);
}

const tasks = (workflow: { States: Record<string, State> }) => allStates(workflow).filter(([, { Type }]) => Type === 'Task');

describe.each([
  ['in AWS', cloud],
  ['emulated', emulated],
])('the workflow %s', (_place, { workflow }) => {
  it('goes from the plan to the report, and round again when the run is not reproducible yet', () => {
    const { States } = workflow;
    expect(workflow.StartAt).toBe('Plan');
    expect(States.Plan.Next).toBe('IsPlanned');
    expect(States.IsPlanned.Choices).toEqual([{ Variable: '$.outcome', StringEquals: 'planned', Next: 'CheckBudgetForChains' }]);
    expect(States[States.IsPlanned.Default].Type).toBe('Succeed');
    expect(States.CheckBudgetForChains.Next).toBe('IsFitShared');
    expect(States.IsFitShared).toMatchObject({
      Choices: [{ Variable: '$.checked.fit.tasks', NumericGreaterThan: 1, Next: 'FitChains' }],
      Default: 'Fit',
    });
    const path = ['FitChains', 'FitPairs', 'CheckBudgetForBatches', 'HasBatches'];
    expect(path.slice(0, -1).map((name) => States[name].Next)).toEqual(path.slice(1));
    expect(States.Fit.Next).toBe('CheckBudgetForBatches');
    expect([States.Assess.Next, States.Aggregate.Next]).toEqual(['Aggregate', 'IsReproducible']);
    expect(States.IsReproducible).toMatchObject({
      Choices: [
        { Variable: '$.aggregate.outcome', StringEquals: 'left-over', Next: 'WaitForFunctions' },
        { Variable: '$.aggregate.outcome', StringEquals: 'next-round', Next: 'NextRound' },
        ...(workflow === cloud.workflow ? [{ Variable: '$.aggregate.outcome', StringEquals: 'close-in-task', Next: 'Close' }] : []),
      ],
      Default: 'Report',
    });
    expect(States.NextRound.Next).toBe('CheckBudgetForChains');
    expect(States.WaitForFunctions.Next).toBe('Assess');
    expect([States.Report.Next, States.NotifyFinished.Next]).toEqual(['NotifyFinished', 'Finished']);
  });

  it('hands the plan the execution and all of what it was started with', () => {
    expect(workflow.States.Plan.Parameters).toEqual({ 'execution.$': '$$.Execution.Id', 'input.$': '$' });
  });

  it('asks whether the budget suffices before the chains and before the batches of each round', () => {
    for (const [name, before] of [
      ['CheckBudgetForChains', 'chains'],
      ['CheckBudgetForBatches', 'batches'],
    ] as const) {
      expect(workflow.States[name]).toMatchObject({
        Resource: expect.stringMatching(/CheckBudget/),
        Parameters: { 'runId.$': '$.runId', 'round.$': '$.round', before },
        ResultPath: '$.checked',
      });
    }
  });

  it('maps over nothing where there is nothing to map over', () => {
    expect(workflow.States.CheckBudgetForBatches.Next).toBe('HasBatches');
    expect(workflow.States.HasBatches).toMatchObject({
      Choices: [{ Variable: '$.checked.tasks', NumericGreaterThan: 0, Next: 'Assess' }],
      Default: 'Aggregate',
    });
  });

  it('has as many transitions as are counted with the calls of a run', () => {
    const { States } = workflow;
    const way: string[] = [];
    for (let name = 'Plan'; name !== undefined; ) {
      way.push(name);
      const { Choices, Default, Next } = States[name];
      name = Choices && !['IsReproducible', 'IsFitShared'].includes(name) ? Choices[0].Next : (Next ?? Default);
    }
    const calls = { 'plan-run': 1, 'check-budget': 2, 'fit-model': 1, 'aggregate-run': 1, 'report-run': 1 };
    const note = { memoryMiB: 1024, seconds: 1, cpuSeconds: 1, peakMemoryMiB: 1, reads: 0, writes: 0 };
    const notes = Object.entries(calls).map(([step, count]) => usageNoteSchema.parse({ ...note, step, calls: count }));
    expect(runUsed(notes, '').stateTransitions).toBe(way.length);
  });

  it('ends in a step that fails, and resumes the run when it is redriven', () => {
    const { States } = workflow;
    const execution = { 'execution.$': '$$.Execution' };
    expect(States.RaiseFailure).toMatchObject({ Parameters: { 'failure.$': '$.failure', ...execution }, ResultPath: null, Next: 'Resume' });
    expect(States.RaiseFailure).not.toHaveProperty('Catch');
    const retried = States.RaiseFailure.Retry.flatMap(({ ErrorEquals }: State) => ErrorEquals);
    for (const error of retried) expect(error).toMatch(/^Lambda\./);
    expect(States.Resume).toMatchObject({
      Resource: States.Plan.Resource,
      Parameters: { 'execution.$': '$$.Execution.Id', input: { 'runId.$': '$.runId', resume: true } },
      Next: 'IsPlanned',
    });
    expect(States.RecordFailure.Parameters).toMatchObject(execution);
  });

  it('gives every call a time limit, and the whole another', () => {
    for (const [name, state] of tasks(workflow)) expect(state.TimeoutSeconds, name).toBeGreaterThan(0);
    expect(workflow.TimeoutSeconds).toBe(24 * 3600);
  });

  it('waits for no heartbeat: only what holds a task token can send one, and nothing here does', () => {
    for (const [name, { Resource }] of tasks(workflow)) expect(Resource, name).not.toMatch(/waitForTaskToken/);
    for (const [name, state] of tasks(workflow)) expect(state, name).not.toHaveProperty('HeartbeatSeconds');
  });

  it('retries with full jitter and a longest pause, and never an error that comes back', () => {
    for (const [name, { ItemReader, Retry, Type }] of allStates(workflow)) {
      // A map over what the state itself holds has nothing to fail with but its tasks.
      if (Type !== 'Task' && ItemReader === undefined) continue;
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
      if (!/Function/.test(Resource) || name === 'RaiseFailure') continue;
      const retrier = Retry.findIndex(({ ErrorEquals }: State) => ErrorEquals.includes('Lambda.TooManyRequestsException'));
      const rest = Retry.findIndex(({ ErrorEquals }: State) => ErrorEquals.includes('States.TaskFailed'));
      expect(rest, name).toBeGreaterThan(retrier);
      const { MaxAttempts, MaxDelaySeconds } = Retry[retrier];
      // An Express child leaves its batch over before its five minutes are up: throttles.test.ts.
      if (name === 'AssessBatch' && workflow === cloud.workflow) continue;
      // Pauses are half as long as the longest in the mean: together as long as a run may last.
      const seconds = (MaxAttempts * MaxDelaySeconds) / 2;
      expect(seconds, name).toBeGreaterThanOrEqual(24 * 3600);
      expect(seconds, name).toBeLessThan(1.1 * 24 * 3600);
      // Each is four events or so of the 25,000 that the history of an execution holds.
      expect(MaxAttempts, name).toBeLessThanOrEqual(3000);
    }
  });

  it('catches every error of every step, records it, tells it and fails by its name', () => {
    const { States } = workflow;
    const recordedBy: Record<string, string> = {};
    for (const [name, { Catch, Type }] of Object.entries(States)) {
      if ((Type !== 'Task' && Type !== 'Map') || name === 'RaiseFailure') continue;
      expect(Catch, name).toHaveLength(1);
      expect(Catch[0].ErrorEquals, name).toEqual(['States.ALL']);
      expect(Catch[0].ResultPath, name).toBe('$.error');
      recordedBy[name] = Catch[0].Next;
    }
    expect(recordedBy).toEqual({
      Plan: 'RecordRefusal',
      CheckBudgetForChains: 'RecordFailure',
      CheckBudgetForBatches: 'RecordFailure',
      Resume: 'RecordFailure',
      Fit: 'RecordFailure',
      FitChains: 'RecordFailure',
      FitPairs: 'RecordFailure',
      Assess: 'RecordFailure',
      Aggregate: 'RecordFailure',
      ...(workflow === cloud.workflow ? { Close: 'RecordFailure', Closed: 'RecordFailure' } : {}),
      Report: 'RecordFailure',
      NotifyFinished: 'RecordFailure',
      RecordRefusal: 'FailureNotRecorded',
      RecordFailure: 'FailureNotRecorded',
      NotifyRefusal: 'Failed',
      NotifyFailure: 'RaiseFailure',
    });
    const caught = { 'error.$': '$.error', 'execution.$': '$$.Execution' };
    expect(States.RecordFailure.Parameters).toEqual({ 'runId.$': '$.runId', ...caught });
    expect(States.RecordRefusal.Parameters).toEqual({ 'input.$': '$$.Execution.Input', ...caught });
    for (const [name, next] of [
      ['RecordFailure', 'NotifyFailure'],
      ['RecordRefusal', 'NotifyRefusal'],
    ] as const) {
      expect(States[name]).toMatchObject({ ResultPath: '$.failure', Next: next });
    }
    expect(Object.keys(States.FailureNotRecorded.Parameters.failure)).toEqual(['runId', 'name', 'message']);
    expect(States.NotifyFailure.Next).toBe('RaiseFailure');
    expect(States.NotifyRefusal.Next).toBe('Failed');
    expect(States.Failed).toMatchObject({ Type: 'Fail', ErrorPath: '$.failure.name', CausePath: '$.failure.message' });
  });

  it('tells run ids and outcomes on the topic, nothing else', () => {
    for (const name of ['NotifyFinished', 'NotifyFailure', 'NotifyRefusal']) {
      const { Message } = workflow.States[name].Parameters;
      expect(Object.keys(Message).sort()).toEqual(['execution.$', 'outcome', 'runId.$']);
    }
  });

  it('maps over the manifest in S3, batch by batch, and tolerates no failure', () => {
    const { Assess } = workflow.States;
    expect(Assess).toMatchObject({
      Type: 'Map',
      MaxConcurrency: 400,
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
          AwsvpcConfiguration: { Subnets: [expect.stringMatching(/isolatedSubnet1/), expect.stringMatching(/isolatedSubnet2/)] },
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

  it('closes a large run in a task of its own, of which a function tells afterwards what it came to', () => {
    const { Close, Closed } = cloud.workflow.States;
    expect(Close).toMatchObject({
      Resource: expect.stringMatching(/ecs:runTask\.sync$/),
      TimeoutSeconds: 12 * 3600,
      ResultPath: null,
      Parameters: { Overrides: { ContainerOverrides: [{ Name: 'close-run' }] } },
      Next: 'Closed',
    });
    expect(Closed).toMatchObject({
      Resource: expect.stringMatching(/AggregateRun/),
      Parameters: { 'runId.$': '$.runId', 'round.$': '$.round', closed: true },
      ResultPath: '$.aggregate',
      Next: 'IsReproducible',
    });
    const [, { Properties }] = ofType(cloud, 'AWS::ECS::TaskDefinition').find(([id]) => /Closing/.test(id))!;
    expect(Properties).toMatchObject({ Cpu: '4096', Memory: '30720' });
    expect(Properties.ContainerDefinitions[0]).toMatchObject({
      EntryPoint: ['node', '--max-old-space-size=15360', 'close.mjs'],
      ReadonlyRootFilesystem: true,
      User: '65534:65534',
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
    return Object.entries(cloud.resources).find(([, { Properties }]) => Properties?.Description?.endsWith(` ${folder}`))![0];
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
