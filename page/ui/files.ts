import type { NamedFile } from '../engine/questions.ts';

/** What a person has chosen or dropped, read into memory. */
export const readFiles = (files: Iterable<File>): Promise<NamedFile[]> =>
  Promise.all([...files].map(async (file) => ({ name: file.name, bytes: new Uint8Array(await file.arrayBuffer()) })));

/** Hands a file to the person, as the browser saves files. */
export function save(name: string, content: string | Uint8Array, type: string): void {
  const address = URL.createObjectURL(new Blob([content as BlobPart], { type }));
  const link = Object.assign(document.createElement('a'), { href: address, download: name });
  link.click();
  // The browser has begun to read it by then.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
