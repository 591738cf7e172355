import * as z from 'zod';
import { childType } from '../../shared/contracts/cloud/cloud-environment.ts';
import { runIdSchema } from '../../shared/contracts/cloud/workflow.ts';
import { runOfInputs, runOfReleaseKey } from '../../shared/contracts/keys.ts';
import type { RequestCount, StepName } from '../../shared/contracts/run/usage.ts';
import { requireOwnCode } from '../../shared/pipeline/life/run-state.ts';
import { CachingStore } from '../../shared/storage/caching-store.ts';
import { S3Store } from '../../shared/storage/s3-store.ts';
import type { Store } from '../../shared/storage/store.ts';
import { accountRun } from './account-run.ts';
import { type Environment, parseEnvironment, readEnvironment } from './environment.ts';
import { nameError } from './name-error.ts';
import { parseInput } from './parse-input.ts';
import { thrownError } from './thrown-error.ts';
import { UsageMeter } from './usage-meter.ts';

/** What a step works with, the same for all calls of one environment. */
export interface Runtime {
  readonly environment: Environment;
  readonly store: CachingStore;
  /** The bucket itself, which keeps versions and knows when objects were put. */
  readonly bucket: S3Store;
}

/** What a function is: the contract of its payloads, and how its use of AWS is accounted for. */
interface FunctionContract<Input extends z.ZodType, Output extends z.ZodType> {
  readonly step: StepName;
  readonly input: Input;
  readonly output: Output;
  /** Adds up what the whole run has used, after each call. */
  readonly accounts?: true;
  /** What comes after that, where a call has done its work. */
  readonly closing?: (store: Store, runId: string) => Promise<void>;
}

/** From the start of this process until its program was there, which Lambda bills as well. */
const startSeconds = performance.now() / 1000;

/** These take, or record the failure of, a run whatever its code: planning holds it to the code itself. */
const OF_ANY_CODE: readonly StepName[] = ['plan-run', 'record-failure'];

/** What Lambda itself says in every environment. */
const lambdaSchema = z.object({ AWS_LAMBDA_FUNCTION_MEMORY_SIZE: z.coerce.number().positive() });

/** The run that a payload is about, if it says so. */
const runSchema = z.object({ runId: runIdSchema });

/** Opened with the first call, and kept for those that follow. */
function openRuntime(step: StepName): Runtime & { readonly meter: UsageMeter } {
  const environment = readEnvironment();
  const { AWS_LAMBDA_FUNCTION_MEMORY_SIZE: memoryMiB } = parseEnvironment(lambdaSchema);
  const requests: RequestCount = { reads: 0, writes: 0 };
  const store = new S3Store(environment.location, (kind) => requests[kind]++);
  const { inputsCacheBytes, size } = environment;
  const children = step === 'assess-batch' ? { children: childType(size) } : {};
  return {
    environment,
    bucket: store,
    store: new CachingStore(store, runOfInputs, runOfReleaseKey, inputsCacheBytes),
    meter: new UsageMeter({ step, memoryMiB, ...children }, requests),
  };
}

/**
 * Makes the handler of a Lambda function: checks the input, does the work over the bucket, checks the output, and notes
 * what the call has used for the run that it is about.
 */
export function handle<Input extends z.ZodType, Output extends z.ZodType>(
  { accounts, closing, input: inputSchema, output: outputSchema, step }: FunctionContract<Input, Output>,
  work: (input: z.output<Input>, runtime: Runtime) => Promise<z.input<Output>>,
): (event: unknown) => Promise<z.output<Output>> {
  let runtime: ReturnType<typeof openRuntime> | undefined;
  /** Runs that are known to have begun with this code, which never changes. */
  const ownRuns = new Set<string>();
  return async (event) => {
    const started = performance.now();
    const first = runtime === undefined;
    const noteUse = async (payload: unknown, close?: typeof closing) => {
      const of = runSchema.safeParse(payload);
      if (!of.success || runtime === undefined) return;
      const { meter, store } = runtime;
      const seconds = (first ? startSeconds : 0) + (performance.now() - started) / 1000;
      await meter.note(store, of.data.runId, { calls: 1, seconds });
      if (accounts) await accountRun(store, of.data.runId);
      await close?.(store, of.data.runId);
    };
    try {
      const input = parseInput(inputSchema, event);
      runtime ??= openRuntime(step);
      runtime.store.renew();
      let output: z.output<Output>;
      try {
        const of = runSchema.safeParse(input).data;
        if (of !== undefined && !OF_ANY_CODE.includes(step) && !ownRuns.has(of.runId)) {
          await requireOwnCode(runtime.store, of.runId, runtime.environment.code);
          ownRuns.add(of.runId);
        }
        output = outputSchema.parse(await work(input, runtime));
      } catch (error) {
        runtime.store.clear();
        // A note that cannot be written either changes nothing about why the work failed.
        await noteUse(input).catch((unwritten) => nameError(unwritten));
        throw error;
      }
      await noteUse(output, closing);
      return output;
    } catch (error) {
      throw thrownError(nameError(error).report);
    }
  };
}
