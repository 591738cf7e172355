import { workerData } from 'node:worker_threads';
import { type SharedStop, taskWorker } from '../../../shared/pipeline/tasks/task-worker.ts';
import { type S3Location, S3Store } from '../../../shared/storage/s3-store.ts';

const settings = workerData as S3Location & SharedStop;

/** Runs one task in this thread, over the run's bucket. A file of its own, since the client of S3 is as large as all else. */
export default taskWorker(new S3Store(settings), settings);
