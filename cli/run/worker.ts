import { workerData } from 'node:worker_threads';
import { type SharedStop, taskWorker } from '../../shared/pipeline/tasks/task-worker.ts';
import { FileStore } from '../../shared/storage/file-store.ts';

/** Which folder the tasks of a thread read and write. */
export interface RunFolder {
  readonly directory: string;
  readonly keyPrefix: string;
}

const settings = workerData as RunFolder & SharedStop;

/** Runs one task in this thread, over the run's folder. */
export default taskWorker(new FileStore(settings.directory, settings.keyPrefix), settings);
