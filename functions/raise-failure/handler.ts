import { raiseInputSchema } from '../../shared/contracts/cloud/workflow.ts';
import { nameError } from '../runtime/name-error.ts';
import { parseInput } from '../runtime/parse-input.ts';
import { thrownError } from '../runtime/thrown-error.ts';

/** Names that Step Functions keeps to itself: no function may end with one of them. */
const RESERVED = /^States\./;

/** Reads what the failure and the execution are. Throws as every function does. */
function readInput(event: unknown) {
  try {
    return parseInput(raiseInputSchema, event);
  } catch (error) {
    throw thrownError(nameError(error).report);
  }
}

/**
 * `raise-failure`: ends an execution with the error that was recorded, by its name. An execution that has been redriven
 * since comes by once more, and is let go on. It reaches neither the bucket nor anything else.
 */
export async function handler(event: unknown): Promise<Record<string, never>> {
  const { failure, execution } = readInput(event);
  if (execution.RedriveCount > failure.redrives) return {};
  throw thrownError({ ...failure, name: failure.name.replace(RESERVED, '') });
}
