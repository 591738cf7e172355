import { InvalidConfigError } from '../../../shared/contracts/errors.ts';
import { PLACE_KEY, runKeys } from '../../../shared/contracts/keys.ts';
import type { RunState } from '../../../shared/contracts/run/run-state.ts';
import { readRunState } from '../../../shared/pipeline/life/run-state.ts';
import { FileStore } from '../../../shared/storage/file-store.ts';
import type { S3Location } from '../../../shared/storage/s3-store.ts';
import type { Store } from '../../../shared/storage/store.ts';
import { lockFolder } from '../../run/folder-lock.ts';
import { readFolderState } from '../../run/open-run.ts';
import type { RunFolder } from '../../run/worker.ts';

/** Where the tasks of a run read and write: a folder, or a bucket. */
export interface RunPlace {
  readonly store: Store;
  readonly state: RunState;
  /** What a thread is that carries tasks out, and what it is started with. */
  readonly worker: URL;
  readonly settings: RunFolder | S3Location;
  /** Keeps others from closing the run at the same time, and what ends that; in a bucket they would write the same bytes. */
  readonly lock: () => Promise<{ release(): Promise<void> }>;
}

const BUCKET = /^s3:\/\/([^/]+)(?:\/([^/]+))?\/?$/;

/** The bucket and the id of the run that an address names; undefined for a folder. */
function inBucket(place: string): { readonly bucket: string; readonly runId: string | undefined } | undefined {
  if (!place.startsWith('s3://')) return undefined;
  const [, bucket, runId] = BUCKET.exec(place) ?? [];
  if (bucket === undefined)
    throw new InvalidConfigError('malformed-address', `${place}: expected s3://BUCKET, and of a run s3://BUCKET/RUN`);
  return { bucket, runId };
}

/** The bucket that `--out` names for a run that is to be planned; undefined for a folder. */
export function bucketToPlanIn(out: string | undefined): string | undefined {
  const named = out === undefined ? undefined : inBucket(out);
  if (named?.runId === undefined) return named?.bucket;
  throw new InvalidConfigError(
    'malformed-address',
    `${out}: expected the bucket alone, s3://${named.bucket}; the run gets its own id there.`,
  );
}

/** A bucket of S3, or of what speaks as it does: where that is and who asks is found as the tools of AWS find it. */
export async function openBucket(bucket: string): Promise<{ readonly store: Store; readonly location: S3Location }> {
  const { S3Store } = await import('../../../shared/storage/s3-store.ts');
  const endpoint = process.env.AWS_ENDPOINT_URL_S3 || process.env.AWS_ENDPOINT_URL;
  const location: S3Location = { bucket, ...(endpoint ? { endpoint } : {}) };
  const store = new S3Store(location);
  try {
    await store.head(PLACE_KEY);
  } catch (error) {
    // What the client itself lacks is no error of the service, and has no name of ours.
    const lacks = error instanceof Error && (error.name === 'CredentialsProviderError' || /^Region /.test(error.message));
    if (!lacks) throw error;
    throw new InvalidConfigError(
      'no-credentials',
      `s3://${bucket}: no region or no credentials were found. Set AWS_REGION and AWS_PROFILE, or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY; of another store than that of AWS also AWS_ENDPOINT_URL.`,
    );
  }
  return { store, location };
}

/**
 * Opens the place of a run, finished or not.
 *
 * @param place its folder, or `s3://BUCKET/RUN`
 * @throws InvalidConfigError `no-run`, `malformed-address`
 */
export async function openPlace(place: string): Promise<RunPlace> {
  const named = inBucket(place);
  if (named === undefined) {
    const state = await readFolderState(place);
    const { root: keyPrefix } = runKeys(state.runId);
    const settings = { directory: place, keyPrefix };
    const worker = new URL('./worker.mjs', import.meta.url);
    return { store: new FileStore(place, keyPrefix), state, worker, settings, lock: () => lockFolder(place) };
  }
  const { store, location } = await openBucket(named.bucket);
  const state = named.runId === undefined ? null : await readRunState(store, named.runId);
  if (state === null) throw new InvalidConfigError('no-run', `${place} is no run: batch plan prints the address of one, s3://BUCKET/RUN.`);
  const worker = new URL('./bucket-worker.mjs', import.meta.url);
  return { store, state, worker, settings: location, lock: async () => ({ release: async () => undefined }) };
}
