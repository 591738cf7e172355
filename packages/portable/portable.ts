import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Zippable, zipSync } from 'fflate';
import { fetchNode } from './node-executable.ts';
import { PLATFORMS, type Platform } from './platforms.ts';

/** A time within what archives can hold, the same for every file, so that an archive can be made twice. */
const TIME = new Date(2000, 0, 1);

const UNIX = 3;

/** How a person begins, on some platform. */
const readMe = (version: string, platform: Platform) => `synthrisk ${version}, ${platform}

Nothing has to be installed, and no rights are needed. In this folder:

    ${platform === 'win-x64' ? 'synthrisk.cmd' : './synthrisk'} example
    ${platform === 'win-x64' ? 'synthrisk.cmd' : './synthrisk'} evaluate household.csv --precision quick
    ${platform === 'win-x64' ? 'synthrisk.cmd' : './synthrisk'} --help

SHA256SUMS has the digest of every other file. Node is in node/, with its licence; those of the packages in the program are in
program/dist/third-party-licenses.txt, and program/dist/sbom.cdx.json lists them.
`;

/** Digests of files, as \`sha256sum --check\` reads them. */
export const sums = (files: Iterable<readonly [string, Uint8Array]>) =>
  [...files].map(([path, bytes]) => `${createHash('sha256').update(bytes).digest('hex')}  ${path}\n`).join('');

/**
 * A folder that runs on a machine with nothing installed, as a ZIP archive: Node of that platform, the program, and a script that
 * starts it. The same version gives the same bytes.
 *
 * @param files files of the program's package, by their paths
 * @param options.level how hard to compress
 */
export function portableFolder(
  platform: Platform,
  version: string,
  files: ReadonlyMap<string, Uint8Array>,
  root: string,
  { level = 6 }: { readonly level?: 3 | 6 } = {},
): Uint8Array {
  const node = fetchNode(PLATFORMS[platform], root);
  const isWindows = platform === 'win-x64';
  const executable = isWindows ? 'node.exe' : 'node';
  const [script, source] = isWindows ? ['synthrisk.cmd', 'synthrisk.cmd'] : ['synthrisk', 'synthrisk.sh'];
  // The package for Windows comes without the licence, which is one for all.
  const license = fetchNode(PLATFORMS['linux-x64'], root);
  const contents = new Map<string, Uint8Array>([
    [script, readFileSync(join(root, 'packages', 'portable', source))],
    ['README.txt', new TextEncoder().encode(readMe(version, platform).replaceAll('\n', isWindows ? '\r\n' : '\n'))],
    [`node/${executable}`, readFileSync(join(node, 'bin', executable))],
    ['node/LICENSE', readFileSync(join(license, 'LICENSE'))],
    ...[...files].map(([path, bytes]) => [`program/${path}`, bytes] as const),
  ]);
  contents.set('SHA256SUMS', new TextEncoder().encode(sums(contents)));
  const programs = new Set([script, `node/${executable}`]);
  const folder = `synthrisk-${version}-${platform}`;
  const zipped: Zippable = {};
  for (const [path, bytes] of contents) {
    const mode = programs.has(path) ? 0o755 : 0o644;
    zipped[`${folder}/${path}`] = [bytes, { os: UNIX, attrs: ((0o100000 | mode) << 16) >>> 0, mtime: TIME }];
  }
  return zipSync(zipped, { level });
}
