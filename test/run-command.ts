import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll } from 'vitest';
import { encodeKey } from '../shared/contracts/secret-key.ts';
import { testKey } from './test-keys.ts';
import { type Call, type Outcome, runWarm } from './warm-commands.ts';

export type { Outcome };

/** The built command line. */
export const PROGRAM = fileURLToPath(new URL('../dist/synthrisk.mjs', import.meta.url));

/** Flags of a run of a few seconds, with utility and a thread for each core. */
export const FLAGS_WITH_UTILITY =
  '--classes 6 --chains 3 --burn-in 10 --draws 4 --thin 2 --paired-chains 2 --paired-draws 4 --paired-thin 1'.split(' ');

/** Flags of a run of a second or so, for tests that look at neither utility nor threads. */
export const SMALL_FLAGS = [...FLAGS_WITH_UTILITY, '--jobs', '1', '--no-utility'];

/** Arguments without those of {@link SMALL_FLAGS} that come again later: the program refuses a flag that is there twice. */
function withoutOverridden(args: readonly string[]): string[] {
  const isOverridden = (at: number) => {
    const own = SMALL_FLAGS.indexOf(args[at]!);
    return own >= 0 && args[at]!.startsWith('--') && SMALL_FLAGS[own + 1] === args[at + 1] && args.includes(args[at]!, at + 1);
  };
  return args.filter((_, at) => !isOverridden(at) && !(at > 0 && isOverridden(at - 1)));
}

/** The error that a command told on standard output with `--json`. */
export function errorOf({ stdout }: Outcome): {
  readonly code: string;
  readonly message: string;
  readonly hint?: string;
  readonly [place: string]: string | number | undefined;
} {
  return JSON.parse(stdout).error;
}

/** Commands that make a key of their own unless they are given one. */
const KEYED = new Set(['evaluate', 'synthesize', 'assess', 'calibrate', 'inherent', 'mask', 'reidentify']);

/** Where no file can be made: a command writes nothing outside of the folders that it was given. */
const NOWHERE = '/dev/null/no-temporary-files';

let keyFolder: string | undefined;

/** A file outside of the folders that tests look into, gone with the process. */
function releaseKeyFile(): string {
  if (keyFolder === undefined) {
    const folder = mkdtempSync(join(tmpdir(), 'synthrisk-key-'));
    process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
    keyFolder = folder;
  }
  const path = join(keyFolder, 'release-key');
  writeOnce(path, testKey(2));
  return path;
}

function writeOnce(path: string, key: Uint8Array): void {
  mkdirSync(dirname(path), { recursive: true });
  if (!existsSync(path)) writeFileSync(path, encodeKey(key));
}

/** Takes back what was written for a command that was refused before it wrote anything. */
function tidyUp(directory: string, args: readonly string[]): void {
  const out = args.indexOf('--out');
  const folder = resolve(directory, out === -1 ? 'synthrisk-runs' : (args[out + 1] ?? ''));
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return;
  const [only, ...others] = filesBelow(folder);
  if (only?.endsWith('place-key') && others.length === 0) rmSync(folder, { recursive: true });
}

/**
 * The arguments of a command with the keys that tests repeat it by: the release key by flag, and that of the place in the
 * folder of the run, where that is not there yet, or in that of all runs.
 */
function withKeys(directory: string, args: readonly string[]): string[] {
  const out = args.indexOf('--out');
  const own = ['--release-key', '--run', '--help'].some((flag) => args.includes(flag));
  const isPlan = args[0] === 'batch' && args[1] === 'plan';
  if (!KEYED.has(args[0]!) && !isPlan) return [...args];
  if (out === -1) writeOnce(join(directory, 'synthrisk-runs/place-key'), testKey(1));
  else {
    const folder = resolve(directory, args[out + 1]!);
    if (!existsSync(folder)) writeOnce(join(folder, 'confidential/place-key'), testKey(1));
  }
  if (own) return [...args];
  return [...args, '--release-key', releaseKeyFile()];
}

/** How a command is run. */
interface Calling {
  readonly node?: readonly string[];
  readonly nodeFlags?: readonly string[];
  readonly env?: Record<string, string>;
  /** Keys that every test repeats, or those that the command makes. */
  readonly keys?: 'of-tests' | 'its-own';
  /** Milliseconds after which it is killed, if it has not ended. */
  readonly killAfter?: number;
  /** A process of its own, where a test looks at what is of one: its memory, its end. Any other may share one with other commands. */
  readonly process?: 'own';
}

/** Runs the built command line in a folder, by this Node or by another command with its first arguments. */
export async function synthrisk(directory: string, typed: readonly string[], how: Calling = {}): Promise<Outcome> {
  const args = withoutOverridden(typed);
  const given = how.keys === 'its-own' ? args : withKeys(directory, args);
  const { node, nodeFlags, killAfter, process: which } = how;
  const needsOwn = which === 'own' || node !== undefined || nodeFlags !== undefined || killAfter !== undefined;
  const env = { ...process.env, TMPDIR: NOWHERE, ...how.env };
  const call = { program: PROGRAM, directory: resolve(directory), args: given, env };
  const outcome = (needsOwn ? null : await runWarm(call)) ?? (await runCold(call, how));
  if (given !== args && outcome.code === 2) tidyUp(directory, args);
  return outcome;
}

/** Runs it in a process of its own. */
function runCold({ directory, args, env }: Call, { node = [process.execPath], nodeFlags = [], killAfter }: Calling): Promise<Outcome> {
  return new Promise((done, fail) => {
    const child = spawn(node[0]!, [...node.slice(1), ...nodeFlags, PROGRAM, ...args], {
      cwd: directory,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const timer = killAfter === undefined ? undefined : setTimeout(() => child.kill('SIGKILL'), killAfter);
    let [stdout, stderr] = ['', ''];
    child.stdout.setEncoding('utf8').on('data', (text) => {
      stdout += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text) => {
      stderr += text;
    });
    child.on('error', fail).on('close', (code, signal) => {
      clearTimeout(timer);
      done({ code, signal, stdout, stderr });
    });
  });
}

/** A folder of its own for a test file, removed after its tests. */
export function temporaryFolder(): string {
  const directory = mkdtempSync(join(tmpdir(), 'synthrisk-cli-'));
  afterAll(() => rmSync(directory, { recursive: true }));
  return directory;
}

/** Paths of all files below a folder, with slashes, sorted; none when it is not there. */
export function filesBelow(directory: string): string[] {
  if (!existsSync(directory)) return [];
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(directory, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .sort();
}

/** What tells of the place of a run and of its batches, and differs where its results are the same. */
const OF_THE_PLACE = /(^|\/)confidential\/(plan\.json|manifest\.json|release-key|place-key)$/;

/**
 * SHA-256 of every file below a folder whose path begins with one of these; those of its results alone, unless the whole
 * folder is asked for.
 */
export function fileHashes(directory: string, ...prefixes: string[]): Record<string, string> {
  const paths = filesBelow(directory).filter((path) =>
    prefixes.some((prefix) => path.startsWith(prefix) && !(prefix !== '' && OF_THE_PLACE.test(path))),
  );
  return Object.fromEntries(
    paths.map((path) => [
      path,
      createHash('sha256')
        .update(readFileSync(join(directory, path)))
        .digest('hex'),
    ]),
  );
}

/** Hashes of all files that the manifest of everything lists in the folder of a run. */
export function listedFiles(directory: string): Record<string, string> {
  const unlisted = /^run\.json$|^manifest(\.signature)?\.json$|(^|\/)confidential\/(manifest(\.signature)?\.json|place-key|release-key)$/;
  return Object.fromEntries(Object.entries(fileHashes(directory, '')).filter(([path]) => !unlisted.test(path)));
}

/** Hashes that a manifest in the folder of a run lists, by path. */
export function manifestOf(directory: string, path: string): Record<string, string> {
  const { artifacts } = JSON.parse(readFileSync(join(directory, path), 'utf8')) as { artifacts: Record<string, { sha256: string }> };
  return Object.fromEntries(Object.entries(artifacts).map(([listed, { sha256 }]) => [listed, sha256]));
}

/** Hash and time of the last change of every file below a folder. */
export function fileStates(directory: string): Record<string, string> {
  return Object.fromEntries(
    Object.entries(fileHashes(directory, '')).map(([path, hash]) => [
      path,
      `${hash} ${statSync(join(directory, path), { bigint: true }).mtimeNs}`,
    ]),
  );
}
