import { workerData } from 'piscina';
import { type SharedProgress, taskWorker } from '../../shared/pipeline/task-worker.ts';
import { type S3Location, S3Store } from '../../shared/storage/s3-store.ts';

const settings = workerData as S3Location & SharedProgress;

/** Runs one task in this thread, over the bucket. */
export default taskWorker(new S3Store(settings), settings);
