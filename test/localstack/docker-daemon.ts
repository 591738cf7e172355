import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { cached, fetchPackages, run } from '../debian-packages.ts';

/** Debian's packages with the daemon and what it starts, and what is needed of each. */
const PACKAGES = { 'docker.io': './usr', containerd: './usr/bin', runc: './usr', tini: './usr/bin', 'libdevmapper1.02.1': './lib' };

const READY_SECONDS = 60;

/** A daemon of a test's own: its images, containers and socket lie in a folder that goes with it. */
export interface DockerDaemon {
  /** Runs `docker` with these arguments and gives what it prints; throws one line when it fails. */
  readonly docker: (...args: string[]) => string;
  /** The same as a command with its first arguments, for programs that call it. */
  readonly command: readonly string[];
  readonly stop: () => Promise<void>;
}

/**
 * Starts a daemon that needs no privilege but root: it keeps images as plain folders, and makes no network.
 *
 * @throws Error that says in one line why there can be none on this machine
 */
export async function startDocker(): Promise<DockerDaemon> {
  if (process.platform !== 'linux' || process.getuid!() !== 0) {
    throw new Error('A Docker daemon is started by root on Linux alone.');
  }
  const programs = cached('docker', (staging) => fetchPackages(staging, PACKAGES));
  const folder = mkdtempSync(join(tmpdir(), 'synthrisk-docker-'));
  const at = (name: string) => join(folder, name);
  const socket = `unix://${at('socket')}`;
  const log = openSync(at('log'), 'w');
  const env = {
    ...process.env,
    PATH: [join(programs, 'usr/bin'), join(programs, 'usr/sbin'), process.env.PATH].join(':'),
    LD_LIBRARY_PATH: join(programs, 'lib/x86_64-linux-gnu'),
  };
  const settings = {
    host: socket,
    'data-root': at('data'),
    'exec-root': at('run'),
    pidfile: at('pid'),
    'storage-driver': 'vfs',
    iptables: 'false',
    bridge: 'none',
  };
  const flags = Object.entries(settings).map(([name, value]) => `--${name}=${value}`);
  // What it mounts goes with it.
  const daemon = spawn('unshare', ['--mount', 'dockerd', ...flags], { env, stdio: ['ignore', log, log] });
  let ended = false;
  const end = new Promise<void>((done) => {
    for (const event of ['exit', 'error']) {
      daemon.once(event, () => {
        ended = true;
        done();
      });
    }
  });
  // The command of the machine, if it has one, may be one that builds by other means.
  const command = ['env', 'DOCKER_BUILDKIT=0', join(programs, 'usr/bin/docker'), '--host', socket];
  const docker = (...args: string[]) => run(command[0]!, [...command.slice(1), ...args]);
  const stop = async () => {
    daemon.kill();
    await end;
    rmSync(folder, { recursive: true });
  };
  for (const deadline = Date.now() + READY_SECONDS * 1000; ; await setTimeout(200)) {
    try {
      docker('version');
      return { docker, command, stop };
    } catch {
      if (!ended && Date.now() < deadline) continue;
      const last = readFileSync(at('log'), 'utf8').trim().split('\n').at(-1);
      throw new Error(`The Docker daemon does not start: ${last}`);
    }
  }
}

/** Makes an image of a folder with this Node and the libraries that it loads, and nothing else. */
export function importNode({ docker }: DockerDaemon, tag: string): void {
  const libraries = run('ldd', [process.execPath]).match(/\/\S+/g)!;
  const folder = mkdtempSync(join(tmpdir(), 'synthrisk-base-'));
  try {
    const root = join(folder, 'root');
    mkdirSync(join(root, 'usr/local/bin'), { recursive: true });
    run('cp', ['--dereference', '--parents', ...libraries, root]);
    run('cp', [process.execPath, join(root, 'usr/local/bin/node')]);
    run('tar', ['-C', root, '-cf', join(folder, 'root.tar'), '.']);
    docker('import', '--change', 'ENV PATH=/usr/local/bin', join(folder, 'root.tar'), tag);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
