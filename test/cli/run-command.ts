import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll } from 'vitest';

const PROGRAM = fileURLToPath(new URL('../../dist/synthrisk.mjs', import.meta.url));

/** Flags of a run of a second or so. */
export const SMALL_FLAGS =
  '--classes 6 --chains 3 --burn-in 10 --draws 4 --thin 2 --paired-chains 2 --paired-draws 4 --paired-thin 1 --jobs 2'.split(
    ' ',
  );

/** What a command came to. */
export interface Outcome {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the built command line in a folder, by this Node or by another command with its first arguments. */
export function synthrisk(
  directory: string,
  args: readonly string[],
  {
    node = [process.execPath],
    nodeFlags = [],
    env = {},
  }: { node?: readonly string[]; nodeFlags?: readonly string[]; env?: Record<string, string> } = {},
): Promise<Outcome> {
  return new Promise((done, fail) => {
    const child = spawn(node[0]!, [...node.slice(1), ...nodeFlags, PROGRAM, ...args], {
      cwd: directory,
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let [stdout, stderr] = ['', ''];
    child.stdout.setEncoding('utf8').on('data', (text) => {
      stdout += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text) => {
      stderr += text;
    });
    child.on('error', fail).on('close', (code, signal) => done({ code, signal, stdout, stderr }));
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

/** SHA-256 of every file below a folder whose path begins with one of these. */
export function fileHashes(directory: string, ...prefixes: string[]): Record<string, string> {
  const paths = filesBelow(directory).filter((path) => prefixes.some((prefix) => path.startsWith(prefix)));
  return Object.fromEntries(
    paths.map((path) => [
      path,
      createHash('sha256')
        .update(readFileSync(join(directory, path)))
        .digest('hex'),
    ]),
  );
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
