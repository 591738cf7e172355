import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** What was fetched stays here; git ignores it. */
const CACHE = fileURLToPath(new URL('../../.cache/other-nodes', import.meta.url));

/** A version of Node for some processor, as an npm package carries it. */
export interface OtherNode {
  readonly arch: 'x64' | 'arm64';
  readonly version: string;
  /** SHA-512 of the package, as npm's registry gives it. */
  readonly integrity: string;
}

/** Runs a command quietly, and throws one line when it fails. */
function run(command: string, args: readonly string[], cwd?: string): string {
  try {
    return execFileSync(command, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  } catch (error) {
    const { stderr, message } = error as Error & { stderr?: string };
    const reason = stderr?.trim().split('\n').at(-1) || message;
    throw new Error(`${command} ${args.at(-1)} failed: ${reason}`);
  }
}

/** Fills a folder of the cache unless it is there: whole or not at all, so that an interruption leaves no half. */
function cached(name: string, fill: (folder: string) => void): string {
  const folder = join(CACHE, name);
  if (existsSync(folder)) return folder;
  mkdirSync(CACHE, { recursive: true });
  const staging = mkdtempSync(join(CACHE, 'unfinished-'));
  try {
    fill(staging);
    renameSync(staging, folder);
  } finally {
    rmSync(staging, { recursive: true, force: true });
  }
  return folder;
}

/** Path of the program, fetched from npm's registry when it is not in the cache. */
function fetchNode({ arch, version, integrity }: OtherNode): string {
  const name = `node-linux-${arch}`;
  const folder = cached(`${name}-${version}`, (staging) => {
    run('npm', ['pack', '--silent', '--ignore-scripts', `${name}@${version}`], staging);
    const file = join(staging, `${name}-${version}.tgz`);
    const found = `sha512-${createHash('sha512').update(readFileSync(file)).digest('base64')}`;
    if (found !== integrity) throw new Error(`${name} ${version} is not the package that was expected`);
    run('tar', ['-xzf', file, '--strip-components=1', 'package/bin/node'], staging);
    rmSync(file);
  });
  return join(folder, 'bin', 'node');
}

/** Debian's packages with the emulator and the libraries of arm64, and what is needed of each. */
const EMULATOR = {
  'qemu-user-static': './usr/bin/qemu-aarch64-static',
  'libc6-arm64-cross': './usr/aarch64-linux-gnu',
  'libgcc-s1-arm64-cross': './usr/aarch64-linux-gnu',
  'libstdc++6-arm64-cross': './usr/aarch64-linux-gnu',
};

/** Unpacks the emulator into a folder with package lists of its own, for which nobody need be root. */
function fetchEmulator(staging: string): void {
  const apt = join(staging, 'apt');
  for (const folder of ['lists/partial', 'cache/archives/partial', 'packages']) {
    mkdirSync(join(apt, folder), { recursive: true });
  }
  const options = [
    `Dir::State::lists=${join(apt, 'lists')}`,
    `Dir::Cache=${join(apt, 'cache')}`,
    'APT::Sandbox::User=',
  ].flatMap((option) => ['-o', option]);
  const packages = join(apt, 'packages');
  run('apt-get', [...options, 'update']);
  run('apt-get', [...options, 'download', ...Object.keys(EMULATOR)], packages);
  for (const [name, member] of Object.entries(EMULATOR)) {
    const file = readdirSync(packages).find((one) => one.startsWith(`${name}_`))!;
    const unpack = 'dpkg-deb --fsys-tarfile "$1" | tar -x -C "$2" "$3"';
    run('sh', ['-c', unpack, 'sh', join(packages, file), staging, member]);
  }
  rmSync(apt, { recursive: true });
}

/** The command that runs arm64 programs: the system's, or one in the cache. */
function findEmulator(): string[] {
  const under = (root: string) => [
    join(root, 'usr/bin/qemu-aarch64-static'),
    '-L',
    join(root, 'usr/aarch64-linux-gnu'),
  ];
  const isThere = ['/usr/bin/qemu-aarch64-static', '/usr/aarch64-linux-gnu/lib/libstdc++.so.6'].every(
    (path) => existsSync(path),
  );
  return under(isThere ? '/' : cached('arm64-emulator', fetchEmulator));
}

/**
 * The command and its first arguments that run another Node on this machine, which must be Linux on x64. What it
 * lacks is fetched once.
 *
 * @throws Error that says in one line what is missing
 */
export function commandOf(node: OtherNode): string[] {
  try {
    if (process.platform !== 'linux' || process.arch !== 'x64') throw new Error('this machine is another');
    return node.arch === 'arm64' ? [...findEmulator(), fetchNode(node)] : [fetchNode(node)];
  } catch (error) {
    const needs =
      node.arch === 'arm64' ? `, and the Debian packages ${Object.keys(EMULATOR).join(', ')}` : '';
    throw new Error(
      `Node ${node.version} for ${node.arch} needs Linux on x64, npm's registry${needs}: ${(error as Error).message}`,
    );
  }
}
