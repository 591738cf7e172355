import { describe, expect, it } from 'vitest';
import { RandomStream } from '../../shared/random/random-stream.ts';
import { type State, synthesize } from './synthesize.ts';

/** How a map and its children go about a function that may be throttled, by the definition of the workflow. */
interface Policy {
  readonly concurrency: number;
  readonly childSeconds: number;
  readonly attempts: number;
  readonly pauses: { readonly first: number; readonly rate: number; readonly most: number };
  readonly leavesOver: boolean;
  readonly waitSeconds: number;
}

const THROTTLED = 'Lambda.TooManyRequestsException';

function policyOf({ States }: { States: Record<string, State> }): Policy {
  const { Assess, WaitForFunctions } = States;
  const child = Assess.ItemProcessor;
  const step = child.States.AssessBatch;
  const retry = step.Retry.find(({ ErrorEquals }: State) => ErrorEquals.includes(THROTTLED));
  return {
    concurrency: Assess.MaxConcurrency,
    childSeconds: child.ProcessorConfig.ExecutionType === 'EXPRESS' ? 300 : 24 * 3600,
    attempts: retry.MaxAttempts,
    pauses: { first: retry.IntervalSeconds, rate: retry.BackoffRate, most: retry.MaxDelaySeconds },
    leavesOver: (step.Catch ?? []).some(({ ErrorEquals }: State) => ErrorEquals.includes(THROTTLED)),
    waitSeconds: WaitForFunctions.Seconds,
  };
}

/** What is next in the simulation: a child that asks for the function, or one that gives it back; or a map that begins. */
interface Event {
  readonly at: number;
  readonly run: number;
  readonly kind: 'ask' | 'done' | 'map';
  readonly batch: number;
  readonly began: number;
  readonly tries: number;
}

/** What became of runs that begin at once: when each ended, or that it failed; and the longest that a child lasted. */
interface Outcome {
  readonly ended: readonly (number | 'failed')[];
  readonly longestChild: number;
  readonly maps: number;
}

/**
 * Plays runs whose batches take `batchSeconds`, over a function of which `free` may be at work at once: every pause is drawn
 * evenly up to its length, as full jitter has it.
 */
function play(policy: Policy, runs: number, batches: number, batchSeconds: number, free: number, seed: number): Outcome {
  const random = new RandomStream(seed, 'throttles');
  const queue: Event[] = [];
  const push = (event: Event) => {
    let [low, high] = [0, queue.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (queue[middle]!.at > event.at) low = middle + 1;
      else high = middle;
    }
    queue.splice(low, 0, event);
  };
  const state = Array.from({ length: runs }, () => ({
    missing: Array.from({ length: batches }, (_, i) => i),
    waiting: [] as number[],
    children: 0,
    left: [] as number[],
    ended: null as number | 'failed' | null,
  }));
  let [busy, longestChild, maps] = [0, 0, 0];
  const nextChildren = (run: number, at: number) => {
    const own = state[run]!;
    while (own.children < policy.concurrency && own.waiting.length > 0) {
      own.children++;
      push({ at, run, kind: 'ask', batch: own.waiting.pop()!, began: at, tries: 0 });
    }
    if (own.children > 0) return;
    own.missing = own.left;
    if (own.missing.length === 0) own.ended = at;
    else push({ at: at + policy.waitSeconds, run, kind: 'map', batch: 0, began: 0, tries: 0 });
  };
  const endChild = (run: number, at: number, began: number) => {
    longestChild = Math.max(longestChild, at - began);
    state[run]!.children--;
    nextChildren(run, at);
  };
  for (let run = 0; run < runs; run++) push({ at: 0, run, kind: 'map', batch: 0, began: 0, tries: 0 });
  while (queue.length > 0) {
    const event = queue.pop()!;
    const { at, batch, began, kind, run, tries } = event;
    const own = state[run]!;
    if (kind === 'done') busy--;
    if (own.ended !== null) continue;
    if (kind === 'map') {
      maps++;
      own.waiting = [...own.missing];
      own.left = [];
      nextChildren(run, at);
    } else if (kind === 'done') {
      endChild(run, at, began);
    } else if (at - began > policy.childSeconds) {
      own.ended = 'failed';
    } else if (busy < free) {
      busy++;
      push({ ...event, at: at + batchSeconds, kind: 'done' });
    } else if (tries < policy.attempts) {
      const { first, most, rate } = policy.pauses;
      const pause = random.uniform() * Math.min(most, first * rate ** tries);
      push({ ...event, at: at + pause, tries: tries + 1 });
    } else if (policy.leavesOver) {
      own.left.push(batch);
      endChild(run, at, began);
    } else {
      own.ended = 'failed';
    }
  }
  return { ended: state.map(({ ended }) => ended!), longestChild, maps };
}

const express = policyOf(synthesize().workflow);
const standard = policyOf(synthesize({ mapType: 'STANDARD' }).workflow);
const SEEDS = Array.from({ length: 20 }, (_, i) => i + 1);
const allEnd = ({ ended }: Outcome) => ended.every((end) => end !== 'failed' && end < 24 * 3600);

describe('runs that share functions', () => {
  it('leave batches over in Express children, and wait in Standard ones', () => {
    expect([express.leavesOver, standard.leavesOver]).toEqual([true, false]);
    expect([express.childSeconds, standard.childSeconds]).toEqual([300, 86_400]);
  });

  it.each([
    ['two of the defaults, all of the account', 2, 1000],
    ['two of the defaults, where others have half of the account', 2, 500],
    ['two of the defaults, under a cap of one of them', 2, 400],
    ['one, where others leave it a tenth', 1, 100],
    ['three, where others leave them a twentieth', 3, 80],
  ])('end, 20 times of 20: %s', (_name, runs, free) => {
    for (const seed of SEEDS) {
      for (const policy of [express, standard]) {
        const outcome = play(policy, runs, 700, 30, free, seed);
        expect(allEnd(outcome), JSON.stringify(outcome)).toBe(true);
      }
    }
  });

  it('end an Express child before its five minutes are up, the longest call and the longest pauses included', () => {
    const { first, most, rate } = express.pauses;
    let pauses = 0;
    for (let k = 0; k < express.attempts; k++) pauses += Math.min(most, first * rate ** k);
    const call = synthesize().workflow.States.Assess.ItemProcessor.States.AssessBatch.TimeoutSeconds;
    expect(pauses + call).toBeLessThanOrEqual(300);
    expect(express.attempts).toBeGreaterThan(5);
    const { longestChild, maps } = play(express, 2, 700, 90, 100, 1);
    expect(longestChild).toBeLessThanOrEqual(300);
    expect(maps).toBeGreaterThan(2);
  });

  it('would fail 20 times of 20 if a child that is throttled to its end failed its run', () => {
    const before = { ...express, leavesOver: false };
    for (const seed of SEEDS) expect(allEnd(play(before, 2, 700, 90, 100, seed))).toBe(false);
  });

  it('keep the history of an execution below its 25,000 events, if it waits for a day', () => {
    // Of the map and the wait, a choice and a call: 4, 2, 2 and 5.
    expect(((24 * 3600) / express.waitSeconds) * 13).toBeLessThan(20_000);
  });
});

describe('reservedConcurrency', () => {
  it('caps the function that assesses, and no other', () => {
    const { resources } = synthesize({ reservedConcurrency: '600' });
    const reserved = Object.values(resources)
      .filter(({ Type }) => Type === 'AWS::Lambda::Function')
      .map(({ Properties }) => [Properties.FunctionName, Properties.ReservedConcurrentExecutions]);
    expect(reserved.filter(([, value]) => value !== undefined)).toEqual([['synthrisk-dev-assess-batch', 600]]);
    expect(synthesize().text).not.toContain('ReservedConcurrentExecutions');
  });

  it('is refused below what one run takes', () => {
    expect(() => synthesize({ reservedConcurrency: '399' })).toThrow(/reservedConcurrency: .*mapConcurrency/);
  });
});
