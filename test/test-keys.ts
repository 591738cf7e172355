import type { RunRequest } from '../shared/pipeline/plan/planned-run.ts';

/** A key that is no secret, and different for every number. */
export const testKey = (number: number) => Uint8Array.from({ length: 32 }, (_, i) => (7 * i + number) % 256);

/** Keys of a run that a test can repeat. */
export const TEST_KEYS: Pick<RunRequest, 'placeKey' | 'releaseKey'> = { placeKey: testKey(1), releaseKey: async () => testKey(2) };
