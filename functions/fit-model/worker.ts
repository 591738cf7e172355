import { workerData } from 'node:worker_threads';
import { type SharedStop, taskWorker } from '../../shared/pipeline/tasks/task-worker.ts';
import { type S3Location, S3Store } from '../../shared/storage/s3-store.ts';
import { SharedRequests } from '../runtime/shared-requests.ts';

const settings = workerData as S3Location & SharedStop & { readonly requests: SharedArrayBuffer };
const requests = new SharedRequests(settings.requests);

/** Runs one task in this thread, over the bucket. */
export default taskWorker(new S3Store(settings, (kind) => requests.count(kind)), settings);
