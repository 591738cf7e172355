import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * SHA-256 (hexadecimal) of all bundles of functions and of the container: which code an environment runs. What is
 * set for the environment, such as memory or the size of batches, is not in it.
 *
 * @param baseImage what the container is built on, where it is named: another Node may give other bytes
 */
export function codeDigest(bundles: string, baseImage?: string): string {
  const files = readdirSync(bundles, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name, parentPath }) => join(parentPath, name).slice(bundles.length).replaceAll('\\', '/'))
    .sort();
  const digest = createHash('sha256');
  if (baseImage !== undefined) digest.update(`FROM ${baseImage}\n`);
  for (const file of files) {
    const bytes = readFileSync(join(bundles, file));
    digest.update(`${file}\n${bytes.length}\n`).update(bytes);
  }
  return digest.digest('hex');
}
