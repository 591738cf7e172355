import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { RandomStream } from '../../shared/random/random-stream.ts';
import { fileHashes, filesBelow, type Outcome, synthrisk } from '../run-command.ts';
import type { Job } from './jobs.ts';

/** A job that nothing disturbed: what it leaves, and the keys by which it can be repeated. */
export interface Baseline {
  readonly job: Job;
  readonly directory: string;
  readonly hashes: Readonly<Record<string, string>>;
  readonly milliseconds: number;
  readonly bytes: number;
}

/** What came of a job that was disturbed. */
export interface Verdict {
  /** How often the fault came. */
  readonly faults: number;
  /** What is wrong, or null. */
  readonly mistake: string | null;
}

/** When and for how long, and how the last process ended; in no manifest. */
const OF_THE_MOMENT = /(^|\/)(run\.json|\.lock.*)$|(^|\/)\.tmp\//;

const KEYS = /(^|\/)confidential\/(place|release)-key$/;

const hashesOf = (folder: string) =>
  Object.fromEntries(Object.entries(fileHashes(folder, '')).filter(([path]) => !OF_THE_MOMENT.test(path)));

/** Runs the commands of a job; each that did not end well again, with what is added then, until `run` gives no outcome. */
async function carryOut(
  job: Job,
  out: string,
  run: (args: readonly string[]) => Promise<Outcome>,
  goesOn: (outcome: Outcome) => boolean,
): Promise<Outcome> {
  const commands = job.commands(out);
  let [outcome, again]: [Outcome, boolean] = [{ code: 0, signal: null, stdout: '', stderr: '' }, false];
  for (let next = await commands.next(outcome); !next.done; ) {
    outcome = await run([...next.value, ...(again ? job.again : [])]);
    again = outcome.code !== 0;
    if (again && !goesOn(outcome)) return outcome;
    if (!again) next = await commands.next(outcome);
  }
  return outcome;
}

const plain = (directory: string) => (args: readonly string[]) => synthrisk(directory, args, { keys: 'its-own', process: 'own' });

/** Carries a job out, undisturbed. */
export async function baselineOf(directory: string, job: Job): Promise<Baseline> {
  const out = `whole-${job.name}`;
  const began = performance.now();
  const { code, stderr } = await carryOut(job, out, plain(directory), () => false);
  if (code !== 0 || stderr !== '') throw new Error(`${job.name}: ${code}, ${stderr}`);
  const folder = join(directory, out);
  const bytes = filesBelow(folder).reduce((sum, path) => sum + readFileSync(join(folder, path)).length, 0);
  return { job, directory, hashes: hashesOf(folder), milliseconds: performance.now() - began, bytes };
}

/** A folder with the keys of the undisturbed job alone. */
function prepare({ job, directory, hashes }: Baseline, out: string): void {
  for (const path of Object.keys(hashes).filter((path) => KEYS.test(path))) {
    const copy = join(directory, out, path);
    mkdirSync(dirname(copy), { recursive: true });
    cpSync(join(directory, `whole-${job.name}`, path), copy);
  }
}

/** What is wrong with how a process ended, or null. */
function mistakeOf({ code, signal, stdout, stderr }: Outcome, killed = false): string | null {
  if (/\n\s+at |node:internal|mistake in synthrisk|mistake-in-program/.test(stdout + stderr)) return `a stack: ${stderr}`;
  if (killed && signal === 'SIGKILL') return null;
  if (![0, 2, 3, 4].includes(code ?? -1)) return `exit ${code ?? signal}: ${stderr}`;
  if (code !== 0 && !/^Error: .{10}/m.test(stderr)) return `exit ${code} without a reason: ${stderr}`;
  return null;
}

/** Files of a folder that are not as the undisturbed job left them. */
function wrongFiles({ directory, hashes }: Baseline, out: string, { whole }: { readonly whole: boolean }): string | null {
  const found = hashesOf(join(directory, out));
  const wrong = Object.keys(found).filter((path) => found[path] !== hashes[path]);
  if (wrong.length > 0) return `other bytes in ${wrong.join(', ')}`;
  const absent = whole ? Object.keys(hashes).filter((path) => !(path in found)) : [];
  return absent.length > 0 ? `nothing at ${absent.join(', ')}` : null;
}

/** What is wrong with a job that went on to its end, or null. */
const mistakeInEnd = (baseline: Baseline, out: string, outcome: Outcome) =>
  mistakeOf(outcome) ?? (outcome.code === 0 ? wrongFiles(baseline, out, { whole: true }) : `not resumed: ${outcome.stderr}`);

type Fault = (baseline: Baseline, out: string, random: RandomStream) => Promise<Verdict>;

/** Kills the job at a moment by chance, and again with a chance of seven in ten; then it goes on. */
const kill: Fault = async (baseline, out, random) => {
  const { directory, job, milliseconds } = baseline;
  let [left, faults] = [random.uniform() * milliseconds, 0];
  const mistakes: string[] = [];
  const note = (mistake: string | null) => void (mistake === null || mistakes.push(mistake));
  const outcome = await carryOut(
    job,
    out,
    async (args) => {
      const began = performance.now();
      const outcome = await synthrisk(directory, args, { keys: 'its-own', killAfter: Math.min(left, 1e9) });
      left -= performance.now() - began;
      if (outcome.signal === 'SIGKILL') {
        faults++;
        left = random.uniform() < 0.7 ? random.uniform() * milliseconds : Number.POSITIVE_INFINITY;
        note(wrongFiles(baseline, out, { whole: false }));
      }
      note(mistakeOf(outcome, true));
      return outcome;
    },
    ({ signal }) => signal === 'SIGKILL',
  );
  return { faults, mistake: mistakes[0] ?? mistakeInEnd(baseline, out, outcome) };
};

/** Gives the job up at the first failure; then it goes on without the fault. */
async function failing(
  baseline: Baseline,
  out: string,
  run: (args: readonly string[]) => Promise<Outcome>,
  { saying, mend }: { readonly saying: RegExp; readonly mend: () => void },
): Promise<Verdict> {
  const failed = await carryOut(baseline.job, out, run, () => false);
  const [faults, unsaid] = failed.code === 0 ? [0, false] : [1, !saying.test(failed.stderr)];
  const mistake =
    mistakeOf(failed) ?? (unsaid ? `the reason is not said: ${failed.stderr}` : wrongFiles(baseline, out, { whole: faults === 0 })) ?? null;
  mend();
  if (mistake !== null) return { faults, mistake };
  const { job, directory } = baseline;
  const resumed = await carryOut({ ...job, commands: again(job) }, out, plain(directory), () => false);
  return { faults, mistake: mistakeInEnd(baseline, out, resumed) };
}

/** The commands of a job, each as after a break. */
const again = (job: Job): Job['commands'] =>
  async function* (out) {
    const commands = job.commands(out);
    for (let next = await commands.next(undefined as never); !next.done; ) {
      const outcome: Outcome = yield [...next.value, ...job.again];
      next = await commands.next(outcome);
    }
  };

const mount = (...args: readonly string[]) => {
  const { status, stderr } = spawnSync('mount', args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
};

/** Has a disk of its own for a folder, of a size that is in the end enough. */
async function onDisk(folder: string, kibibytes: number, work: (remount: (options: string) => void) => Promise<Verdict>): Promise<Verdict> {
  mkdirSync(folder);
  mount('-t', 'tmpfs', '-o', `size=${kibibytes}k,mode=700`, 'tmpfs', folder);
  try {
    return await work((options) => mount('-o', `remount,${options}`, folder));
  } finally {
    spawnSync('umount', [folder]);
  }
}

/** A disk that is full at some byte of the job. */
const fullDisk: Fault = async (baseline, out, random) => {
  const folder = join(baseline.directory, out);
  const kibibytes = 40 + random.below(Math.ceil(baseline.bytes / 1024));
  return onDisk(folder, kibibytes, (remount) => {
    prepare(baseline, out);
    return failing(baseline, out, plain(baseline.directory), { saying: /disk is full/, mend: () => remount('size=64m') });
  });
};

/** A disk that is made read-only between the job's beginning and its end. */
const readOnly: Fault = async (baseline, out, random) => {
  const { directory, job, milliseconds } = baseline;
  return onDisk(join(directory, out), 65_536, async (remount) => {
    prepare(baseline, out);
    const killAfter = random.uniform() * milliseconds;
    await carryOut(
      job,
      out,
      (args) => synthrisk(directory, args, { keys: 'its-own', killAfter }),
      () => false,
    );
    remount('ro');
    const run = (args: readonly string[]) => synthrisk(directory, [...args, ...job.again], { keys: 'its-own', process: 'own' });
    return failing(baseline, out, run, { saying: /read-only/, mend: () => remount('rw') });
  });
};

/** A limit of the system on the size of a file. */
const smallFiles: Fault = async (baseline, out, random) => {
  prepare(baseline, out);
  const node = ['sh', '-c', `trap '' XFSZ; ulimit -f ${1 + random.below(200)}; exec "$0" "$@"`, process.execPath];
  const run = (args: readonly string[]) => synthrisk(baseline.directory, args, { keys: 'its-own', node });
  return failing(baseline, out, run, { saying: /larger than a file may be/, mend: () => undefined });
};

/** Two processes that are given the same commands, one a little later. */
const two: Fault = async (baseline, out, random) => {
  prepare(baseline, out);
  const { directory, job, milliseconds } = baseline;
  const first = carryOut(job, out, plain(directory), () => false);
  await new Promise((done) => setTimeout(done, random.uniform() ** 2 * milliseconds));
  const outcomes = await Promise.all([first, carryOut({ ...job, commands: again(job) }, out, plain(directory), () => false)]);
  const mistakes = outcomes.map((outcome) => mistakeOf(outcome));
  const unsaid = outcomes.find(({ code, stderr }) => code !== 0 && !/at work on|same moment|tasks are not done|Add --resume/.test(stderr));
  const mistake = mistakes.find((mistake) => mistake !== null) ?? (unsaid ? `the reason is not said: ${unsaid.stderr}` : null);
  if (mistake !== null) return { faults: 1, mistake };
  const last = await carryOut({ ...job, commands: again(job) }, out, plain(directory), () => false);
  return { faults: 1, mistake: mistakeInEnd(baseline, out, last) };
};

/** Changes, shortens or empties a file. */
function decay(path: string, random: RandomStream): string {
  const bytes = readFileSync(path);
  const place = random.below(Math.max(1, bytes.length));
  const how = random.below(4);
  if (how === 0) truncateSync(path, place);
  else if (how === 1) writeFileSync(path, '');
  else {
    bytes[place]! ^= 1 << random.below(8);
    writeFileSync(path, bytes);
  }
  return how === 0 ? `cut at ${place}` : how === 1 ? 'emptied' : `a bit of byte ${place}`;
}

/**
 * A file that a job left when it was killed, or finished, is another when it goes on. Nothing that follows from it may be
 * wrong; where it is noticed, the file is named, and without it the job goes on.
 */
const decayed: Fault = async (baseline, out, random) => {
  prepare(baseline, out);
  const { directory, job, milliseconds, hashes } = baseline;
  const folder = join(directory, out);
  const killAfter = (0.3 + 0.8 * random.uniform()) * milliseconds;
  await carryOut(
    job,
    out,
    (args) => synthrisk(directory, args, { keys: 'its-own', killAfter }),
    () => false,
  );
  const files = filesBelow(folder).filter((path) => !/\.lock|\.tmp\//.test(path));
  if (files.length === 0) return { faults: 0, mistake: null };
  const path = files[random.below(files.length)]!;
  // Before there is a plan, whatever key lies there is that of the run.
  if (KEYS.test(path) && !files.some((file) => file.endsWith('/plan.json'))) return { faults: 0, mistake: null };
  const was = readFileSync(join(folder, path));
  const change = `${path}: ${decay(join(folder, path), random)}`;
  if (was.equals(readFileSync(join(folder, path)))) return { faults: 0, mistake: null };
  const outcome = await carryOut({ ...job, commands: again(job) }, out, plain(directory), () => false);
  const mistake = mistakeOf(outcome);
  if (mistake !== null) return { faults: 1, mistake: `${change}: ${mistake}` };
  const found = hashesOf(folder);
  const wrong = Object.keys(found).filter((name) => name !== path && found[name] !== hashes[name]);
  if (wrong.length > 0) return { faults: 1, mistake: `${change}: code ${outcome.code}, other bytes in ${wrong.join(', ')}` };
  if (outcome.code === 0) return { faults: 1, mistake: null };
  const name = path.split('/').slice(-2).join('/');
  const isNamed = outcome.stderr.includes(path.split('/').at(-1)!);
  if (!isNamed && !KEYS.test(path)) return { faults: 1, mistake: `${change}: ${name} is not named: ${outcome.stderr}` };
  writeFileSync(join(folder, path), was);
  const resumed = await carryOut({ ...job, commands: again(job) }, out, plain(directory), () => false);
  const end = mistakeInEnd(baseline, out, resumed);
  return { faults: 1, mistake: end && `${change}, put back: ${end}` };
};

/** Whether this process may mount disks. */
export function canMount(): boolean {
  return process.platform === 'linux' && process.getuid?.() === 0 && spawnSync('unshare', ['-m', 'true']).status === 0;
}

/** What may come over a job, by name. */
export const FAULTS: Readonly<Record<string, Fault>> = {
  kill: async (baseline, out, random) => {
    prepare(baseline, out);
    return kill(baseline, out, random);
  },
  'full-disk': fullDisk,
  'small-files': smallFiles,
  'read-only': readOnly,
  two,
  decay: decayed,
};

/** Meets a job with a fault in a folder that is gone afterwards, unless something is wrong. */
export async function met(baseline: Baseline, fault: string, number: number, random: RandomStream): Promise<Verdict> {
  const out = `${fault}-${baseline.job.name}-${number}`;
  const verdict = await FAULTS[fault]!(baseline, out, random);
  const folder = join(baseline.directory, out);
  if (verdict.mistake === null && existsSync(folder)) rmSync(folder, { recursive: true });
  return verdict;
}
