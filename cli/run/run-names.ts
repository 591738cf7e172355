import { basename, normalize, resolve } from 'node:path';

/** What runs in some folders are called: the last part of each path where these differ, or else the path as it was typed. */
export function runNames(folders: readonly string[]): string[] {
  const short = folders.map((folder) => basename(resolve(folder)));
  return new Set(short).size === short.length ? short : folders.map((folder) => normalize(folder));
}
