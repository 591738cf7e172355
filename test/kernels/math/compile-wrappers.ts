import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import asc from 'assemblyscript/asc';

const root = fileURLToPath(new URL('../../..', import.meta.url));

/**
 * Compiles AssemblyScript that wraps functions of kernels/ for a test, as if it were a file of that folder, with
 * the options of the kernels.
 *
 * @returns what it exports
 */
export async function compileWrappers<Exports>(source: string): Promise<Exports> {
  const entry = 'kernels/wrappers-of-a-test.ts';
  let binary: Uint8Array | undefined;
  const { error, stderr } = await asc.main([entry, '--baseDir', root, '--config', 'kernels/asconfig.json', '--outFile', 'kernel.wasm'], {
    readFile: (name, folder) => (name === entry ? source : readFile(join(folder, name), 'utf8').catch(() => null)),
    writeFile: (_, contents) => {
      binary = contents as Uint8Array;
    },
  });
  if (error) throw new Error(`${error.message}\n${stderr.toString()}`);
  const { instance } = await WebAssembly.instantiate(new Uint8Array(binary!));
  return instance.exports as Exports;
}
