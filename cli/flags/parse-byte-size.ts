import { InvalidArgumentError } from 'commander';

const BYTES_OF_UNIT: Readonly<Record<string, number>> = {
  M: 1024 * 1024,
  MB: 1_000_000,
  MIB: 1024 * 1024,
  G: 1024 * 1024 * 1024,
  GB: 1_000_000_000,
  GIB: 1024 * 1024 * 1024,
};

/**
 * Bytes of a size such as `800MiB`, `4GiB`, `4G` (the same) or `4GB` (of 10^9), in capital letters or not.
 *
 * @throws InvalidArgumentError for anything else, and for nothing at all
 */
export function parseByteSize(text: string): number {
  const [, digits, unit] = /^(\d+(?:\.\d+)?) ?([MG](?:i?B)?)$/i.exec(text) ?? [];
  const bytes = Number(digits) * (BYTES_OF_UNIT[unit?.toUpperCase() ?? ''] ?? Number.NaN);
  if (!(bytes > 0)) throw new InvalidArgumentError('expected a size such as 800MiB or 4GiB');
  return Math.floor(bytes);
}
