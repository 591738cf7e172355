import { InvalidTableError } from '../../contracts/errors.ts';
import { isParquet } from './read-parquet.ts';
import { isWorkbook } from './read-workbook.ts';
import { isGzip, refuseOtherFormats } from './refuse-other-formats.ts';

/** The bytes of a file, out of gzip where they are in it (InvalidTableError `unreadable-gzip` where it is damaged or ends early). */
export async function decompressed(bytes: Uint8Array): Promise<Uint8Array> {
  if (!isGzip(bytes)) return bytes;
  try {
    const stream = new Blob([new Uint8Array(bytes)]).stream().pipeThrough(new DecompressionStream('gzip'));
    return new Uint8Array(await new Response(stream).arrayBuffer());
  } catch {
    throw new InvalidTableError(
      'unreadable-gzip',
      'The file is compressed with gzip and is damaged or ends early: expected a whole one; compress or copy it again',
    );
  }
}

/** Refuses a file that is neither CSV, Parquet nor an Excel workbook by its bytes, before anything else is done with it. */
export async function checkTableFormat(bytes: Uint8Array): Promise<void> {
  const plain = await decompressed(bytes);
  if (!isParquet(plain) && !isWorkbook(plain)) refuseOtherFormats(plain);
}
