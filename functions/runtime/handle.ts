import type { z } from 'zod';
import { InvalidConfigError } from '../../shared/contracts/errors.ts';
import { runOfDraws } from '../../shared/contracts/keys.ts';
import { CachingStore } from '../../shared/storage/caching-store.ts';
import { S3Store } from '../../shared/storage/s3-store.ts';
import type { Store } from '../../shared/storage/store.ts';
import { type Environment, readEnvironment } from './environment.ts';
import { nameError } from './name-error.ts';

/** What a step works with, the same for all calls of one environment. */
export interface Runtime {
  readonly environment: Environment;
  readonly store: Store;
}

/** The contract of a step's payloads. */
interface Contract<Input extends z.ZodType, Output extends z.ZodType> {
  readonly input: Input;
  readonly output: Output;
}

let runtime: Runtime | undefined;

/** Opened with the first call, and kept for those that follow. */
function openRuntime(): Runtime {
  const environment = readEnvironment();
  const store = new S3Store(environment.location);
  return { environment, store: new CachingStore(store, runOfDraws, environment.drawsCacheBytes) };
}

function parseInput<Input extends z.ZodType>(schema: Input, event: unknown): z.output<Input> {
  const parsed = schema.safeParse(event);
  if (parsed.success) return parsed.data;
  const paths = parsed.error.issues.map(({ path }) => path.join('.') || '(root)');
  throw new InvalidConfigError(
    'malformed-input',
    `The input does not fit its contract at ${paths.join(', ')}.`,
  );
}

/**
 * Makes the handler of a Lambda function: checks the input, does the work over the bucket and checks the output.
 * What it throws has the name of the error, on which Step Functions matches, and the message `code: message`.
 */
export function handle<Input extends z.ZodType, Output extends z.ZodType>(
  contract: Contract<Input, Output>,
  work: (input: z.output<Input>, runtime: Runtime) => Promise<z.input<Output>>,
): (event: unknown) => Promise<z.output<Output>> {
  return async (event) => {
    try {
      const input = parseInput(contract.input, event);
      runtime ??= openRuntime();
      return contract.output.parse(await work(input, runtime));
    } catch (error) {
      const { name, code, message } = nameError(error);
      // Without its stack: Lambda would put it into the log and the answer, and it begins with the message.
      throw Object.assign(new Error(`${code}: ${message}`), { name, stack: '' });
    }
  };
}
