import { PRICES_DATE } from '../contracts/cloud/cloud-prices.ts';
import { CLOUD_STEPS, type CloudStep, type StepName, type UsageNote, type Used } from '../contracts/run/usage.ts';
import { CLOUD_ASSUMPTIONS } from './cloud-assumptions.ts';
import { type CostItem, priceUsage } from './price-usage.ts';

/**
 * The step of the estimate to which what a function does belongs, and the state transitions that go with a call, by the
 * workflow's definition: the call, and the states that come between it and the next one. With the chains the choice or the pass
 * before them, and the choice whether they are shared; with the aggregation the choice whether there are batches, the map and the
 * choice after it; with the report and a failure the notification and the end. Of a batch: the start of its child.
 */
const STEPS: Readonly<Record<StepName, readonly [step: CloudStep, transitions: number]>> = {
  'plan-run': ['plan', 1],
  'check-budget': ['plan', 1],
  'fit-model': ['fit', 3],
  'assess-batch': ['assess', 1],
  'aggregate-run': ['aggregate', 4],
  'report-run': ['report', 3],
  'record-failure': ['report', 3],
};

const MIB_A_GIB = 1024;

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

/** State transitions of a note's calls: a Standard child has one more, its own step. */
function transitionsOf({ calls, children, step }: UsageNote): number {
  return calls * (STEPS[step][1] + (children === 'standard' ? 1 : 0));
}

function priceNote(note: UsageNote): CostItem[] {
  const { calls, children, memoryMiB, reads, seconds, step, vcpus, writes } = note;
  const gib = memoryMiB / MIB_A_GIB;
  return priceUsage(STEPS[step][0], {
    ...(vcpus === undefined
      ? { lambda: { calls, gibSeconds: seconds * gib }, logBytes: calls * CLOUD_ASSUMPTIONS.logBytesPerCall }
      : { fargate: { vcpus, gib, seconds } }),
    ...(children === 'express' ? { express: { children: calls, seconds } } : {}),
    transitions: transitionsOf(note),
    s3: { reads, writes },
    keyRequests: (reads + writes) * CLOUD_ASSUMPTIONS.keyRequestsPerRequest,
  });
}

/** Time and memory of each step that has noted something. */
function bySteps(notes: readonly UsageNote[]): Used['bySteps'] {
  const ofStep = (step: CloudStep) => notes.filter((note) => STEPS[note.step][0] === step);
  const entries = CLOUD_STEPS.map((step) => [step, ofStep(step)] as const).filter(([, own]) => own.length > 0);
  return Object.fromEntries(
    entries.map(([step, own]) => [
      step,
      {
        seconds: sum(own.map(({ seconds }) => seconds)),
        cpuSeconds: sum(own.map(({ cpuSeconds }) => cpuSeconds)),
        peakMemoryMiB: Math.max(...own.map(({ peakMemoryMiB }) => peakMemoryMiB)),
      },
    ]),
  );
}

/**
 * What a run has used and cost by its notes. Calls, their time, and requests to S3 were counted; state transitions, the
 * requests to the key and the bytes of logs follow from them by the model. A call that was ended from outside, out of time
 * or memory, has noted nothing and is not in it; nor is the time that Fargate takes to fetch the container's image.
 *
 * @param at when, as a date and time of ISO 8601
 */
export function runUsed(notes: readonly UsageNote[], at: string): Used {
  const items = notes.flatMap(priceNote);
  const dollarsByStep: Record<string, number> = {};
  for (const { dollars, step } of items) dollarsByStep[step] = (dollarsByStep[step] ?? 0) + dollars;
  const total = (of: (note: UsageNote) => number) => sum(notes.map(of));
  const gibSeconds = ({ memoryMiB, seconds }: UsageNote) => (seconds * memoryMiB) / MIB_A_GIB;
  return {
    pricesDate: PRICES_DATE,
    at,
    dollars: sum(items.map(({ dollars }) => dollars)),
    dollarsByStep,
    bySteps: bySteps(notes),
    containerVcpuSeconds: total(({ seconds, vcpus = 0 }) => seconds * vcpus),
    containerGiBSeconds: total((note) => (note.vcpus === undefined ? 0 : gibSeconds(note))),
    containerCpuSeconds: total(({ cpuSeconds, vcpus }) => (vcpus === undefined ? 0 : cpuSeconds)),
    lambdaCalls: total(({ calls, vcpus }) => (vcpus === undefined ? calls : 0)),
    lambdaGiBSeconds: total((note) => (note.vcpus === undefined ? gibSeconds(note) : 0)),
    lambdaCpuSeconds: total(({ cpuSeconds, vcpus }) => (vcpus === undefined ? cpuSeconds : 0)),
    s3Reads: total(({ reads }) => reads),
    s3Writes: total(({ writes }) => writes),
    stateTransitions: total(transitionsOf),
    expressChildren: total(({ calls, children }) => (children === 'express' ? calls : 0)),
  };
}
