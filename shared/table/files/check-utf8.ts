import { InvalidTableError } from '../../contracts/errors.ts';
import { refuseOtherFormats } from './refuse-other-formats.ts';

/** Bytes decoded at a time: enough to be quick, little beside the file. */
const CHUNK_BYTES = 1 << 20;

/**
 * Refuses bytes that are not UTF-8 text, naming the first line (from 1, the header included; lines end
 * with LF) that is not. Files of other programs are refused by name.
 * Errors (InvalidTableError): `not-utf8`, for a binary file or a single-byte encoding, and those of `refuseOtherFormats`.
 */
export function checkUtf8(bytes: Uint8Array): void {
  refuseOtherFormats(bytes);
  const zero = bytes.indexOf(0);
  if (zero >= 0) {
    throw new InvalidTableError(
      'not-utf8',
      `line ${lineAt(bytes, zero)} has a zero byte, so the file is no text: expected CSV in UTF-8, or Parquet`,
    );
  }
  if (isUtf8(bytes)) return;
  throw new InvalidTableError(
    'not-utf8',
    `line ${firstLineNotUtf8(bytes)} is not UTF-8, the file may be Latin-1 or Windows-1252: expected UTF-8; save it again as "CSV UTF-8"`,
  );
}

function isUtf8(bytes: Uint8Array): boolean {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  try {
    for (let start = 0; start < bytes.length; start += CHUNK_BYTES) {
      decoder.decode(bytes.subarray(start, start + CHUNK_BYTES), { stream: true });
    }
    decoder.decode();
    return true;
  } catch {
    // A fatal decoder throws for one reason only.
    return false;
  }
}

function firstLineNotUtf8(bytes: Uint8Array): number {
  for (let start = 0, line = 1; start < bytes.length; line++) {
    const newline = bytes.indexOf(0x0a, start);
    const end = newline < 0 ? bytes.length : newline;
    if (!isUtf8(bytes.subarray(start, end))) return line;
    start = end + 1;
  }
  throw new Error('every line is UTF-8, yet the file is not');
}

function lineAt(bytes: Uint8Array, offset: number): number {
  let line = 1;
  for (let index = 0; index < offset; index++) if (bytes[index] === 0x0a) line++;
  return line;
}
