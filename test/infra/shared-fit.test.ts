import { describe, expect, it } from 'vitest';
import { flatten, ofType, type State, synthesize } from './synthesize.ts';

const cloud = synthesize({ fargateVcpu: '64' });
const emulated = synthesize({ engine: 'lambda' });
const spot = synthesize({ fitSpot: 'true', fitVcpu: '16', fitMemoryGiB: '32', fargateVcpu: '70' });

const STAGES = ['FitChains', 'FitPairs'] as const;

describe.each([
  ['in AWS', cloud],
  ['emulated', emulated],
])('chains that several tasks share %s', (_place, { workflow }) => {
  it.each(STAGES)('are mapped over by their shares: %s', (name) => {
    const map = workflow.States[name];
    expect(map).toMatchObject({
      Type: 'Map',
      ItemsPath: `$.checked.fit.${name === 'FitChains' ? 'chains' : 'pairs'}`,
      ItemSelector: { 'runId.$': '$.runId', 'round.$': '$.round', 'share.$': '$$.Map.Item.Value' },
      ResultPath: null,
    });
    // A map within the execution, whose children count as its own states.
    expect(map.ItemProcessor.ProcessorConfig.Mode).toBe('INLINE');
    expect(Object.keys(map.ItemProcessor.States)).toEqual([`${name}Share`]);
  });
});

describe('a share of the chains', () => {
  const share = ({ workflow }: typeof cloud, name: string): Record<string, State> => workflow.States[name].ItemProcessor.States;

  it.each(STAGES)('is run by the same revision of the same task as all of them: %s', (name) => {
    const task = share(cloud, name)[`${name}Share`];
    const { Parameters: whole, Retry, TimeoutSeconds } = cloud.workflow.States.Fit;
    const { Overrides: own, ...rest } = task.Parameters;
    const { Overrides: all, ...others } = whole;
    expect(rest).toEqual(others);
    expect([task.Retry, task.TimeoutSeconds]).toEqual([Retry, TimeoutSeconds]);
    expect(own.ContainerOverrides[0].Environment).toEqual([
      ...all.ContainerOverrides[0].Environment,
      { Name: 'SHARE', 'Value.$': 'States.JsonToString($.share)' },
    ]);
    expect(rest.LaunchType).toBe('FARGATE');
  });

  it('takes turns where not all may have their vCPU at once', () => {
    const atOnce = (of: typeof cloud) => STAGES.map((name) => of.workflow.States[name].MaxConcurrency);
    expect(atOnce(cloud)).toEqual([16, 16]);
    expect(atOnce(synthesize())).toEqual([1, 1]);
    expect(atOnce(spot)).toEqual([4, 4]);
  });

  it('is handed to a function where no container fits', () => {
    for (const name of STAGES) {
      expect(share(emulated, name)[`${name}Share`].Parameters).toEqual({
        'runId.$': '$.runId',
        'round.$': '$.round',
        'share.$': '$.share',
      });
    }
  });
});

describe('chains on spare capacity', () => {
  const { States } = spot.workflow;
  const pairs: [string, Record<string, State>][] = [
    ['Fit', States],
    ['FitChainsShare', States.FitChains.ItemProcessor.States],
    ['FitPairsShare', States.FitPairs.ItemProcessor.States],
  ];

  it.each(pairs)('are tried again when it is taken back, and then run on demand: %s', (name, states) => {
    const task = states[name];
    expect(task.Parameters).toMatchObject({ CapacityProviderStrategy: [{ CapacityProvider: 'FARGATE_SPOT', Weight: 1 }] });
    expect(task.Parameters).not.toHaveProperty('LaunchType');
    expect(task.Retry).toEqual([expect.objectContaining({ ErrorEquals: ['States.TaskFailed'], MaxAttempts: 5, JitterStrategy: 'FULL' })]);
    expect(task.Catch[0]).toEqual({ ErrorEquals: ['States.TaskFailed'], ResultPath: null, Next: `${name}OnDemand` });
    const onDemand = states[`${name}OnDemand`];
    expect(onDemand.Parameters.LaunchType).toBe('FARGATE');
    expect(onDemand.Parameters.Overrides).toEqual(task.Parameters.Overrides);
    expect(onDemand.Retry).toEqual(cloud.workflow.States.Fit.Retry);
  });

  it('end where they would on demand, and fail as they would', () => {
    expect([States.Fit.Next, States.FitOnDemand.Next]).toEqual(Array(2).fill('CheckBudgetForBatches'));
    // Of the first what is not a matter of capacity: out of time.
    expect(States.Fit.Catch.map(({ Next }: State) => Next)).toEqual(['FitOnDemand', 'RecordFailure']);
    expect(States.FitOnDemand.Catch.map(({ Next }: State) => Next)).toEqual(['RecordFailure']);
  });

  it('have a cluster that offers it, and no other has', () => {
    const providers = (of: typeof cloud) =>
      ofType(of, 'AWS::ECS::ClusterCapacityProviderAssociations').map(([, { Properties }]) => Properties.CapacityProviders);
    expect(providers(spot)).toEqual([['FARGATE', 'FARGATE_SPOT']]);
    expect(providers(cloud)).toEqual([]);
    expect(flatten(ofType(spot, 'AWS::ECS::TaskDefinition')[0]![1].Properties.Cpu)).toBe('16384');
  });

  it('are not for functions, nor for tasks larger than what all may have', () => {
    expect(() => synthesize({ engine: 'lambda', fitSpot: 'true' })).toThrow(/fitSpot: expected false/);
    expect(() => synthesize({ fitVcpu: '8', fitMemoryGiB: '16', fargateVcpu: '7' })).toThrow(/fargateVcpu: expected 8 at least/);
    expect(() => synthesize({ fitTasks: '41' })).toThrow(/fitTasks: /);
  });
});
