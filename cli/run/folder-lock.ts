import { promises as fs, readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import * as z from 'zod';
import { RunConflictError } from '../../shared/contracts/errors.ts';

/** Name of the lock in a folder: no key of a store begins so. */
const LOCK = '.lock';

/** How often the holder of a lock says that it is alive. */
const BEAT_SECONDS = 30;
/** A holder on another machine that has been silent for so long is at an end. */
const SILENT_SECONDS = 600;

const holderSchema = z.strictObject({
  /** Of this lock alone. */
  token: z.uuid(),
  host: z.string(),
  /** Which start of the machine, and which numbering of processes; null where the system tells neither. */
  boot: z.string().nullable(),
  processes: z.string().nullable(),
  pid: z.int(),
  /** When the process began, as the system counts it, so that another of the same number is none. */
  started: z.string().nullable(),
});

/** Who has a lock. */
type Holder = z.output<typeof holderSchema>;

/** A lock that is held. */
export interface FolderLock {
  /** Gives it back. */
  release(): Promise<void>;
}

/** What a read gives, or null where the system has no such file. */
function orNull(read: () => string): string | null {
  try {
    return read();
  } catch {
    return null;
  }
}

/** When a process began, in ticks since the machine's start; null where the system does not tell. */
function startOf(pid: number): string | null {
  const status = orNull(() => readFileSync(`/proc/${pid}/stat`, 'utf8'));
  // Behind the name in brackets, which may hold anything; field 22 of all.
  return status?.slice(status.lastIndexOf(')') + 2).split(' ')[19] ?? null;
}

function thisProcess(): Holder {
  return {
    token: globalThis.crypto.randomUUID(),
    host: hostname(),
    boot: orNull(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()),
    processes: orNull(() => readlinkSync('/proc/self/ns/pid')),
    pid: process.pid,
    started: startOf(process.pid),
  };
}

const hasCode = (error: unknown, code: string) => (error as NodeJS.ErrnoException).code === code;

/** Whether a process of this machine is there. */
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // Somebody else's.
    return hasCode(error, 'EPERM');
  }
}

/**
 * Whether the holder of a lock is at an end. On this machine its process tells: it is gone, or another has its number, or the
 * machine has started since. Of another machine, on a disk that both have, the time of its last sign of life tells,
 * compared with that of a file written now: one clock, that of the disk.
 */
async function isStale(path: string, holder: Holder, me: Holder, now: string): Promise<boolean> {
  if (holder.host === me.host && holder.processes === me.processes) {
    if (holder.boot !== me.boot) return true;
    if (!isAlive(holder.pid)) return true;
    const started = startOf(holder.pid);
    return holder.started !== null && started !== null && holder.started !== started;
  }
  const [lock, clock] = await Promise.all([fs.stat(path), fs.stat(now)]);
  return clock.mtimeMs - lock.mtimeMs > SILENT_SECONDS * 1000;
}

/** Who has the lock at a path; null when nobody has, or its file is not whole. */
async function readHolder(path: string): Promise<Holder | null> {
  const text = await fs.readFile(path, 'utf8').catch((error) => {
    if (hasCode(error, 'ENOENT')) return null;
    throw error;
  });
  if (text === null) return null;
  const parsed = holderSchema.safeParse(parseOrNull(text));
  if (!parsed.success) {
    throw new RunConflictError('malformed-lock', `${path} is no lock of synthrisk: remove it if nobody works here.`);
  }
  return parsed.data;
}

function parseOrNull(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function held(directory: string, { host, pid }: Holder, me: Holder): RunConflictError {
  const where = host === me.host ? '' : `, on ${host}`;
  return new RunConflictError('run-under-way', `Another process (${pid}${where}) is at work on ${directory}. Wait until it has ended.`);
}

/**
 * Puts `own` at a path, in place of the file of a holder who is at an end. Of several that find the same holder at an end, one
 * comes to replace it: the one who has the lock on replacing it, which is a lock like any other.
 *
 * @param own a file with the holder `me`
 * @throws RunConflictError `run-under-way`
 */
async function take(directory: string, path: string, own: string, me: Holder): Promise<void> {
  try {
    await fs.link(own, path);
    return;
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw error;
  }
  const holder = await readHolder(path);
  // It was given back in between.
  if (holder === null) return take(directory, path, own, me);
  if (!(await isStale(path, holder, me, own))) throw held(directory, holder, me);
  const replacing = `${path}-${holder.token}`;
  await take(directory, replacing, own, me);
  try {
    const still = await readHolder(path);
    if (still === null || still.token !== holder.token) throw held(directory, still ?? holder, me);
    const copy = `${own}-copy`;
    await fs.copyFile(own, copy);
    await fs.rename(copy, path);
  } finally {
    await fs.rm(replacing, { force: true });
  }
}

/** Writes a file's first byte anew, again and again, whatever else the process does: the disk's clock notes when. */
const BEAT = `
  const { openSync, write } = require('node:fs');
  const { workerData } = require('node:worker_threads');
  const file = openSync(workerData.path, 'r+');
  setInterval(() => write(file, '{', 0, () => undefined), workerData.milliseconds);
`;

/**
 * Takes the lock of a folder, which is made if need be. A lock whose holder is at an end, killed or by a restart of the
 * machine, is taken over.
 *
 * @throws RunConflictError `run-under-way` when another process has it
 */
export async function lockFolder(directory: string): Promise<FolderLock> {
  await fs.mkdir(directory, { recursive: true, mode: 0o700 });
  const me = thisProcess();
  const path = join(directory, LOCK);
  const own = `${path}-${me.token}`;
  await fs.writeFile(own, `${JSON.stringify(me)}\n`, { flag: 'wx', mode: 0o600 });
  try {
    await take(directory, path, own, me);
  } finally {
    await fs.rm(own, { force: true });
  }
  const beat = new Worker(BEAT, { eval: true, workerData: { path, milliseconds: BEAT_SECONDS * 1000 } });
  beat.unref();
  return {
    async release() {
      await beat.terminate();
      if ((await readHolder(path))?.token === me.token) await fs.rm(path, { force: true });
    },
  };
}

/** Whether an entry of a folder is of its lock. */
export const isLockEntry = (name: string) => name === LOCK || name.startsWith(`${LOCK}-`);
