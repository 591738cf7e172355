import { type EnvironmentSize, SHARE_FOR_INPUTS } from '../../shared/contracts/cloud/cloud-environment.ts';
import { CLOUD_LIMITS } from '../../shared/contracts/cloud/cloud-prices.ts';
import { ServiceError, StorageError } from '../../shared/contracts/errors.ts';
import { runKeys } from '../../shared/contracts/keys.ts';
import { RUN_ID_DIGITS } from '../../shared/contracts/run/run-id.ts';
import { batchMemory, lookAhead, MOST_BATCHES } from '../../shared/estimate/look-ahead.ts';
import type { PlannedRun } from '../../shared/pipeline/plan/planned-run.ts';
import { formatCount, formatMemory, formatQuantity } from '../../shared/report/words/format-number.ts';
import { answerInWords, isDenied } from '../print/answer-in-words.ts';
import type { AwsEnvironment, FoundEnvironment } from './aws-environment.ts';

/**
 * One thing that a run needs: there, missing, for a person to look up, since no service was asked, or for another role to ask,
 * since this one may not.
 */
export interface Check {
  readonly name: string;
  readonly outcome: 'ok' | 'missing' | 'look-up' | 'not-allowed';
  readonly message: string;
}

/** Who may make a check: every role for people, `Operator` and whoever deploys, or the latter alone. */
type Asker = 'every role' | 'Operator' | 'whoever deploys';

/** A check of which a service said that whoever asks lacks the right, where that right is another's; undefined for any other error. */
export function askedByAnother(name: string, asker: Asker, code: string): Check | undefined {
  if (asker === 'every role' || !isDenied(code)) return undefined;
  const may = asker === 'Operator' ? 'The role Operator and whoever deploys may' : 'Whoever deploys may';
  return { name, outcome: 'not-allowed', message: `Your role may not ask for this. ${may}.` };
}

/** The largest object of one put. */
const MIB = 1024 ** 2;
const LARGEST_UPLOAD_BYTES = 5 * 1024 ** 3;

const check = (name: string, fine: boolean, good: string, bad: string): Check => ({
  name,
  outcome: fine ? 'ok' : 'missing',
  message: fine ? good : bad,
});

/** What a service refuses is missing, unless another role may ask; the refusal says what. */
export async function reach(name: string, asker: Asker, work: () => Promise<Check>): Promise<Check> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof ServiceError || error instanceof StorageError)) throw error;
    return askedByAnother(name, asker, error.code) ?? { name, outcome: 'missing', message: answerInWords(error) };
  }
}

/** A run that there is not: the bucket lets everybody ask for the state of any run, and for nothing else outside of runs. */
const NO_RUN = runKeys('0'.repeat(RUN_ID_DIGITS));

/** What Lambda leaves to functions without a reservation, whoever asks for one. */
const LEAST_UNRESERVED = 100;

/** vCPU that the tasks of a run have at once, unless its upload asks for other tasks. */
function vcpusOfRun({ fargateVcpu, fitTasks, fitVcpu }: EnvironmentSize): number {
  const atOnce = Math.max(1, Math.floor(fargateVcpu / fitVcpu));
  return fitVcpu * (fitTasks === 'auto' ? atOnce : Math.min(atOnce, fitTasks));
}

/** How many runs are under way, and whether one more finds functions free at once: if not, it takes longer. */
async function checkRunsUnderWay(environment: AwsEnvironment, size: EnvironmentSize): Promise<Check> {
  const [runs, unreserved] = await Promise.all([environment.runsUnderWay(), environment.lambdaConcurrency()]);
  const most = size.reservedConcurrency ?? unreserved;
  const wanted = (runs + 1) * size.mapConcurrency;
  const told = `${runs} under way; with one more up to ${formatQuantity(wanted, 'batch', 'batches')} at once`;
  return wanted <= most
    ? { name: 'runs under way', outcome: 'ok', message: `${told}, of ${most}` }
    : {
        name: 'runs under way',
        outcome: 'look-up',
        message: `${told}, and there are functions for ${formatCount(most)}: all of them end, more slowly. Wait, or deploy with less mapConcurrency or more reservedConcurrency.`,
      };
}

/** Whether an environment answers and its account's quotas let it run as it is set. */
export async function checkEnvironment(
  environment: AwsEnvironment,
  found: FoundEnvironment,
  batches: number | undefined,
): Promise<Check[]> {
  const { size } = found;
  const checks = [
    await reach('bucket', 'every role', async () => {
      await (await environment.store()).head(NO_RUN.run);
      return { name: 'bucket', outcome: 'ok', message: `${found.bucket} answers` };
    }),
    await reach('workflow', 'Operator', async () =>
      check(
        'workflow',
        await environment.workflowIsActive(),
        'takes executions',
        'There is no workflow of that name. Deploy the environment anew.',
      ),
    ),
  ];
  if (size === null) {
    const message = 'The environment does not tell its size: deploy it with this version.';
    return [...checks, { name: 'size', outcome: 'missing', message }];
  }
  const wanted = Math.min(size.mapConcurrency, batches ?? Number.POSITIVE_INFINITY);
  const { reservedConcurrency: reserved } = size;
  checks.push(
    await reach('Lambda concurrency', 'Operator', async () => {
      const allowed = await environment.lambdaConcurrency();
      // A reservation is refused that leaves the others less than these, so that one that is there is the environment's own.
      if (reserved !== undefined) {
        return check(
          'Lambda concurrency',
          allowed >= LEAST_UNRESERVED,
          `${reserved} at once are reserved for all runs, ${wanted} wanted by one; ${allowed} left to other functions`,
          `${reserved} at once are reserved for all runs, and ${allowed} left to other functions, of which planning and reporting are some: ask for more concurrent executions.`,
        );
      }
      return check(
        'Lambda concurrency',
        allowed >= wanted,
        `${allowed} at once in the account, ${wanted} wanted`,
        `The account allows ${allowed} concurrent executions, and ${wanted} are wanted. Ask for at least ${wanted + 100} (Service Quotas, AWS Lambda, Concurrent executions), or deploy with --setting mapConcurrency=${Math.max(1, allowed - 100)}.`,
      );
    }),
  );
  checks.push(await reach('runs under way', 'Operator', () => checkRunsUnderWay(environment, size)));
  if (size.engine === 'fargate') {
    const vcpus = vcpusOfRun(size);
    const enough = vcpus <= CLOUD_LIMITS.fargateVcpus;
    checks.push({
      name: 'Fargate vCPU',
      outcome: enough ? 'ok' : 'look-up',
      message: enough
        ? `${vcpus} wanted by a run; an account has ${CLOUD_LIMITS.fargateVcpus} or more unless others use them (not asked for)`
        : `${vcpus} wanted by a run, and an account has ${CLOUD_LIMITS.fargateVcpus} at first. See that it has ${vcpus} for each run at once (Service Quotas, AWS Fargate, On-Demand vCPU resource count; Spot has its own).`,
    });
  }
  return checks;
}

/**
 * Whether a table fits the environment: its upload, its batches, the memory of the function that assesses them, and what is
 * found ahead, as planning in the environment looks for it.
 */
export function checkTable(planned: PlannedRun, tableBytes: number, found: FoundEnvironment): Check[] {
  const ahead = found.size && lookAhead(planned, found.size);
  const cut = ahead?.batches ?? planned.plan.batches;
  const batches = cut.length;
  const { free, needed } = batchMemory({ ...planned, plan: { ...planned.plan, batches: cut } }, found.assessMemoryMiB);
  return [
    check(
      'upload',
      tableBytes <= LARGEST_UPLOAD_BYTES,
      formatMemory(tableBytes / MIB),
      `${formatMemory(tableBytes / MIB)}, and an upload has ${formatMemory(LARGEST_UPLOAD_BYTES / MIB)} at most. Parquet is smaller than CSV.`,
    ),
    check(
      'payload',
      batches <= MOST_BATCHES,
      formatQuantity(batches, 'batch', 'batches'),
      `${formatQuantity(batches, 'batch', 'batches')}, whose answers do not fit into the 256 KiB of a state: ${MOST_BATCHES} do. Deploy with a larger --setting batchSize.`,
    ),
    check(
      'memory',
      needed <= free,
      `a batch takes about ${needed} MiB of the ${free} that the cache leaves it`,
      `A batch takes about ${needed} MiB, and the cache leaves it ${free}. Deploy with --setting assessMemoryMiB=${Math.ceil(needed / (1 - SHARE_FOR_INPUTS))} (10,240 at most) or a smaller batchSize. Accounts that are new may have to ask for functions of more than 3,008 MiB.`,
    ),
    ...(ahead?.obstacles.map(({ code, message }): Check => ({ name: code, outcome: 'missing', message })) ?? []),
  ];
}
