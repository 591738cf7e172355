import { describe, expect, it } from 'vitest';
import type { Task } from '../../../shared/contracts/run/plan.ts';
import { fitShares, shareOf, stagesOf } from '../../../shared/pipeline/life/run-round.ts';

const base = (chain: number): Task => ({ step: 'fit', runId: 'run', chain });
const pair = (dataset: number, chain: number): Task => ({ step: 'pair', runId: 'run', dataset, chain });
const synthesize: Task = { step: 'synthesize', runId: 'run', chain: 1 };

/** Five chains that need no others, and four that go on from datasets. */
const stages = stagesOf({
  fit: [base(1), base(2), base(3), base(4)],
  synthesize: [synthesize],
  augment: [pair(1, 1), pair(1, 2), pair(2, 1), pair(2, 2)],
  assess: [{ step: 'assess', runId: 'run', round: 1, batch: 1 }],
});

describe('the shares of tasks that run chains side by side', () => {
  it('have first what needs no dataset, and then what goes on from one', () => {
    expect(shareOf(stages, { stage: 1, task: 1, of: 1 })).toEqual([base(1), base(2), base(3), base(4), synthesize]);
    expect(shareOf(stages, { stage: 2, task: 1, of: 1 })).toEqual(stages[1]);
    expect(stages[1]).toHaveLength(4);
  });

  it('take chains in turn', () => {
    expect(shareOf(stages, { stage: 1, task: 1, of: 2 })).toEqual([base(1), base(3), synthesize]);
    expect(shareOf(stages, { stage: 1, task: 2, of: 2 })).toEqual([base(2), base(4)]);
    expect(shareOf(stages, { stage: 2, task: 3, of: 3 })).toEqual([pair(2, 1)]);
  });

  it('are as many as are asked for', () => {
    expect(fitShares(stages, 2, 1)).toEqual([
      [
        { stage: 1, task: 1, of: 2 },
        { stage: 1, task: 2, of: 2 },
      ],
      [
        { stage: 2, task: 1, of: 2 },
        { stage: 2, task: 2, of: 2 },
      ],
    ]);
  });

  it('are fewer where that leaves threads without a chain', () => {
    // Five chains keep three tasks of two threads busy, and four keep two of them.
    const [first, second] = fitShares(stages, 10, 2);
    expect(first.map(({ of }) => of)).toEqual([3, 3, 3]);
    expect(second.map(({ task }) => task)).toEqual([1, 2]);
    expect(fitShares([[base(1)], []], 3, 4)).toEqual([[{ stage: 1, task: 1, of: 1 }], []]);
  });
});
