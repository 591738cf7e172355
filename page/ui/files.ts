import type { NamedFile } from '../engine/questions.ts';
import { Refusal } from './engine-client.ts';

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

/** Lets a person choose a folder, where the browser can: Chromium and Edge. */
type Picker = (options: { readonly mode: 'readwrite' }) => Promise<FileSystemDirectoryHandle>;

const picker = () => (globalThis as { showDirectoryPicker?: Picker }).showDirectoryPicker;

/** Whether the browser lets a page write into a folder that a person chooses. */
export const canSaveFolders = (): boolean => picker() !== undefined;

/** Writes files into the folder that a person chooses, below it by their paths. False where none was chosen. Throws {@link Refusal}. */
export async function saveInFolder(files: () => Promise<ReadonlyMap<string, Uint8Array>>): Promise<boolean> {
  let root: FileSystemDirectoryHandle;
  try {
    root = await picker()!({ mode: 'readwrite' });
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') return false;
    throw error;
  }
  for (const [path, bytes] of await files()) await write(root, path, bytes);
  return true;
}

/** Of a full disk, or a folder that may not be written to, the browser has the words. */
async function write(root: FileSystemDirectoryHandle, path: string, bytes: Uint8Array): Promise<void> {
  const names = path.split('/');
  try {
    let folder = root;
    for (const name of names.slice(0, -1)) folder = await folder.getDirectoryHandle(name, { create: true });
    const stream = await (await folder.getFileHandle(names.at(-1)!, { create: true })).createWritable();
    await stream.write(bytes as Uint8Array<ArrayBuffer>);
    await stream.close();
  } catch (error) {
    if (!(error instanceof DOMException)) throw error;
    const message = `Not everything was written into the folder: ${error.message} Save the ZIP file, or choose another folder.`;
    throw new Refusal({ name: 'StorageError', code: 'not-saved', message });
  }
}
