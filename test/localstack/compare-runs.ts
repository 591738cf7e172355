import { expect } from 'vitest';
import { configSchema } from '../../shared/contracts/config/config.ts';
import type { RunRequest } from '../../shared/pipeline/plan/planned-run.ts';
import { hashesBelow, runInMemory } from '../pipeline/small-run.ts';
import { TEST_KEYS } from '../test-keys.ts';
import { type Execution, store } from './emulated-stack.ts';

/** All but who signed the manifests: a laptop signs nothing. */
const unsigned = (hashes: Record<string, string>) =>
  Object.fromEntries(Object.entries(hashes).filter(([path]) => !path.endsWith('manifest.signature.json')));

/** What a laptop leaves of a run, by path. */
export async function laptopHashes(
  table: Uint8Array,
  settings: object,
  files: Pick<RunRequest, 'structuralZeros'> = {},
): Promise<Record<string, string>> {
  const config = configSchema.parse(settings);
  const { store: laptop, plan } = await runInMemory({ ...TEST_KEYS, ...files, purpose: 'evaluate', config, table });
  const hashes = await hashesBelow(laptop, plan, '');
  expect(Object.keys(hashes)).toEqual(expect.arrayContaining(['manifest.json', 'confidential/release-key']));
  return unsigned(hashes);
}

/** What the run in the bucket left, but what tells of time and place. */
export async function bucketHashes(runId: string): Promise<Record<string, string>> {
  const { 'run.json': _, 'lock.json': __, 'confidential/plan-predicted.json': ___, ...hashes } = await hashesBelow(store, { runId }, '');
  return Object.fromEntries(Object.entries(unsigned(hashes)).filter(([path]) => !path.startsWith('tasks/')));
}

/** Expects that an execution has succeeded, and tells why where it has not. */
export function succeeded({ status, error, cause }: Execution): void {
  expect({ status, error, cause }).toEqual({ status: 'SUCCEEDED', error: undefined, cause: undefined });
}
