import { type ChainDraws, decodeChainDraws, encodeChainDraws } from '../../../model/chains/chain-draws.ts';
import type { Measuring } from '../task-estimate.ts';

/** Seconds that a file of a kilobyte takes to be written to a folder, and to be read: means of 1,500 on a disk of a virtual machine. */
const FILE_SECONDS = { written: 8e-4, read: 1.5e-4 };

/**
 * CPU that threads take for each second of chains and batches as their pieces are measured: they collect garbage, ask for memory anew and
 * compile what they run. 1.0 to 1.4 were found on three tables, by one thread.
 */
export const BESIDE_PIECES = 1.2;

/** What a run stores of its chains, and how often it is read. */
interface Stored {
  readonly chains: number;
  readonly draws: number;
  /** Bytes of all classes of combinations, of which a batch reads its own. */
  readonly classBytes: number;
  readonly batches: number;
}

/**
 * Seconds of one thread that a run takes to store its draws, and to read and check them again with every batch.
 *
 * @param some draws of such a chain, of some combinations
 */
export function drawsSeconds(
  some: ChainDraws,
  { batches, chains, classBytes, draws }: Stored,
  secondsPerCall: Measuring['secondsPerCall'],
): number {
  let bytes = 0;
  const both = secondsPerCall(() => {
    const file = encodeChainDraws(some);
    bytes = file.length;
    decodeChainDraws(file);
  });
  // Writing takes about as long as reading.
  const perDraw = both / 2 / some.draws;
  const perByte = both / 2 / bytes;
  // A chain has a file of its draws, and one of its classes.
  const perChain = 2 * (FILE_SECONDS.written + batches * FILE_SECONDS.read);
  return draws * perDraw * (1 + batches) + 2 * classBytes * perByte + chains * perChain;
}
