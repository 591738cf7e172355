import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { fetchNode } from '../../packages/portable/node-executable.ts';
import { cached, fetchPackages } from '../debian-packages.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** A version of Node for some processor, as an npm package carries it. */
export interface OtherNode {
  readonly arch: 'x64' | 'arm64';
  readonly version: string;
  /** SHA-512 of the package, as npm's registry gives it. */
  readonly integrity: string;
}

/** Path of the program. */
const findNode = ({ arch, version, integrity }: OtherNode) =>
  join(fetchNode({ name: `node-linux-${arch}`, version, integrity }, root), 'bin', 'node');

/** Debian's packages with the emulator and the libraries of arm64, and what is needed of each. */
const EMULATOR = {
  'qemu-user-static': './usr/bin/qemu-aarch64-static',
  'libc6-arm64-cross': './usr/aarch64-linux-gnu',
  'libgcc-s1-arm64-cross': './usr/aarch64-linux-gnu',
  'libstdc++6-arm64-cross': './usr/aarch64-linux-gnu',
};

/** The command that runs arm64 programs: the system's, or one in the cache. */
function findEmulator(): string[] {
  const under = (root: string) => [join(root, 'usr/bin/qemu-aarch64-static'), '-L', join(root, 'usr/aarch64-linux-gnu')];
  const isThere = ['/usr/bin/qemu-aarch64-static', '/usr/aarch64-linux-gnu/lib/libstdc++.so.6'].every((path) => existsSync(path));
  return under(isThere ? '/' : cached('arm64-emulator', (staging) => fetchPackages(staging, EMULATOR)));
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
    return node.arch === 'arm64' ? [...findEmulator(), findNode(node)] : [findNode(node)];
  } catch (error) {
    const needs = node.arch === 'arm64' ? `, and the Debian packages ${Object.keys(EMULATOR).join(', ')}` : '';
    throw new Error(`Node ${node.version} for ${node.arch} needs Linux on x64, npm's registry${needs}: ${(error as Error).message}`);
  }
}
