// Builds what is released: npm run packages -- --help
import { execFileSync } from 'node:child_process';
import { createPrivateKey, sign } from 'node:crypto';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Command, InvalidArgumentError } from 'commander';
import { VERSION } from '../shared/contracts/version.ts';
import { PLATFORMS, type Platform } from './portable/platforms.ts';
import { portableFolder, sums } from './portable/portable.ts';
import { releaseNotes } from './release-notes.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const KINDS = ['npm', 'page', 'portable', 'r', 'python', 'image'] as const;
type Kind = (typeof KINDS)[number];

interface Flags {
  readonly out: string;
  readonly platform: readonly Platform[];
  readonly baseImage?: string;
  readonly builder: string;
  readonly sign?: string;
  readonly tag?: string;
}

/** Runs a program and gives what it prints; what it complains of reaches the terminal. */
const run = (command: string, args: readonly string[], cwd = root) =>
  execFileSync(command, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] }).trim();

/** Refuses a release from anything but a clean clone at the tag of its version. */
function requireTag(tag: string): void {
  const refuse = (why: string): never => program.error(`${why} Leave --tag out to build without a release.\n`);
  if (tag !== `v${VERSION}`) refuse(`This is version ${VERSION}, whose tag is v${VERSION}.`);
  if (!run('git', ['tag', '--points-at', 'HEAD']).split('\n').includes(tag)) refuse(`The commit here has no tag ${tag}.`);
  if (run('git', ['status', '--porcelain']) !== '') refuse('Something has changed since the commit.');
}

/** The files of the package that `npm pack` makes, by their paths in it. */
function packedFiles(archive: string): Map<string, Uint8Array> {
  const folder = mkdtempSync(join(tmpdir(), 'synthrisk-packed-'));
  try {
    run('tar', ['-xzf', archive, '-C', folder, '--strip-components=1']);
    const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    const paths = files.map(({ name, parentPath }) => join(parentPath, name)).sort();
    return new Map(paths.map((path) => [relative(folder, path).replaceAll('\\', '/'), readFileSync(path)]));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Builds the image of the program on a base, and gives its digest. */
function buildImage(files: ReadonlyMap<string, Uint8Array>, { baseImage, builder }: Flags): string {
  if (!/sha256:[0-9a-f]{64}$/.test(baseImage ?? '')) {
    program.error('The image is built on one with Node that is named by its digest: --base-image NAME@sha256:...\n');
  }
  const context = mkdtempSync(join(tmpdir(), 'synthrisk-image-'));
  try {
    for (const [path, bytes] of files) {
      mkdirSync(join(context, 'program', path, '..'), { recursive: true });
      writeFileSync(join(context, 'program', path), bytes);
    }
    cpSync(join(root, 'packages', 'image', 'Dockerfile'), join(context, 'Dockerfile'));
    const tag = `synthrisk:${VERSION}`;
    run(builder, ['build', '--build-arg', `BASE_IMAGE=${baseImage}`, '--tag', tag, context]);
    return run(builder, ['image', 'inspect', '--format', '{{.Id}}', tag]);
  } finally {
    rmSync(context, { recursive: true });
  }
}

/** Builds what is asked for in an empty folder. */
function buildIn(folder: string, kinds: readonly Kind[], flags: Flags): void {
  const archive = join(folder, run('npm', ['pack', '--silent', '--pack-destination', folder]).split('\n').at(-1)!);
  const files = packedFiles(archive);
  if (kinds.includes('page')) cpSync(join(root, 'dist', 'synthrisk.html'), join(folder, `synthrisk-${VERSION}.html`));
  if (kinds.includes('portable')) {
    for (const platform of flags.platform) {
      writeFileSync(join(folder, `synthrisk-${VERSION}-${platform}.zip`), portableFolder(platform, VERSION, files, root));
    }
  }
  if (kinds.includes('r')) run('R', ['CMD', 'build', join(root, 'packages', 'r')], folder);
  if (kinds.includes('python')) {
    run('python3', ['-m', 'pip', 'wheel', '--quiet', '--no-deps', '--wheel-dir', folder, join(root, 'packages', 'python')]);
  }
  if (kinds.includes('image')) process.stdout.write(`synthrisk:${VERSION} ${buildImage(files, flags)}\n`);
  const digests = () => sums(readdirSync(folder).map((file) => [file, readFileSync(join(folder, file))]));
  const changes = readFileSync(join(root, 'CHANGELOG.md'), 'utf8');
  writeFileSync(join(folder, 'release-notes.md'), releaseNotes(changes, VERSION, digests()));
  const list = new TextEncoder().encode(digests());
  writeFileSync(join(folder, 'SHA256SUMS'), list);
  // Ed25519 signs bytes as they are, without a digest of its own.
  if (flags.sign !== undefined) writeFileSync(join(folder, 'SHA256SUMS.sig'), sign(null, list, createPrivateKey(readFileSync(flags.sign))));
}

function build(asked: readonly Kind[], flags: Flags): void {
  const kinds = asked.length > 0 ? asked : KINDS.filter((kind) => kind !== 'image' || flags.baseImage !== undefined);
  if (flags.tag !== undefined) requireTag(flags.tag);
  const out = resolve(flags.out);
  mkdirSync(out, { recursive: true });
  // What an earlier build has left is not listed with what this one makes.
  const staging = mkdtempSync(join(out, 'building-'));
  try {
    buildIn(staging, kinds, flags);
    for (const file of readdirSync(staging)) {
      renameSync(join(staging, file), join(out, file));
      process.stdout.write(`${join(out, file)}\n`);
    }
  } finally {
    rmSync(staging, { recursive: true });
  }
}

const oneOf =
  <T extends string>(names: readonly T[]) =>
  (name: string, before: readonly T[] | undefined = []): readonly T[] => {
    if (!names.includes(name as T)) throw new InvalidArgumentError(`Expected one of ${names.join(', ')}.`);
    return [...before, name as T];
  };

const platforms = Object.keys(PLATFORMS) as Platform[];
const program = new Command('npm run packages --')
  .description(
    'build what is released: the npm package, the page, portable folders, the packages for R and Python, the container image, and their digests',
  )
  .argument('[kinds...]', `of ${KINDS.join(', ')}; default: all, the image only with --base-image`, oneOf(KINDS))
  .option('--out <dir>', 'folder for them', 'dist/packages')
  .option(
    '--platform <name>',
    `a platform of portable folders, of ${platforms.join(', ')}; again for more (default: all)`,
    oneOf(platforms),
  )
  .option('--base-image <name>', 'image with Node that the container image is built on, by digest')
  .option('--builder <program>', 'program that builds images: docker or podman', 'docker')
  .option('--sign <file>', 'private key (Ed25519, PEM) that signs SHA256SUMS')
  .option('--tag <name>', 'refuse anything but a clean clone at this tag, which has to be that of the version')
  .addHelpText(
    'after',
    `
Examples:
  npm run packages                                             everything but the image
  npm run packages -- portable --platform win-x64
  npm run packages -- --tag v${VERSION} --sign release-key.pem  a release`,
  )
  .action((kinds: Kind[], flags: Flags) => build(kinds, { ...flags, platform: flags.platform ?? platforms }));
program.parse();
