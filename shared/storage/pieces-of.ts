import type { Store } from './store.ts';

/** Length of a piece of {@link piecesOf} (bytes); the last may be shorter. */
export const PIECE_BYTES = 16 * 1024 * 1024;

/** The bytes of an object of a known length, piece by piece: it may be larger than memory. */
export async function* piecesOf(store: Store, key: string, bytes: number): AsyncGenerator<Uint8Array> {
  for (let start = 0; start < bytes; start += PIECE_BYTES) yield await store.get(key, { start, end: Math.min(bytes, start + PIECE_BYTES) });
}
