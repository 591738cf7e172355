/** Files of a browser that only its page sees, in memory: what of them a store uses. */
export function privateFolder(): FileSystemDirectoryHandle {
  const files = new Map<string, Uint8Array>();
  const folders = new Map<string, FileSystemDirectoryHandle>();
  const absent = () => new DOMException('It is not there.', 'NotFoundError');
  const folder = {
    async *keys() {
      yield* [...files.keys(), ...folders.keys()];
    },
    async getDirectoryHandle(name: string) {
      if (!folders.has(name)) folders.set(name, privateFolder());
      return folders.get(name)!;
    },
    async getFileHandle(name: string, { create = false } = {}) {
      if (!files.has(name) && !create) throw absent();
      // A browser makes the file at once, and fills it when it is closed.
      if (!files.has(name)) files.set(name, new Uint8Array(0));
      let written = new Uint8Array(0);
      return {
        getFile: async () => new File([new Uint8Array(files.get(name)!)], name),
        createWritable: async () => ({
          write: async (bytes: Uint8Array) => {
            written = new Uint8Array(bytes);
          },
          close: async () => void files.set(name, written),
        }),
      };
    },
    async removeEntry(name: string) {
      if (!folders.delete(name)) throw absent();
    },
  };
  return folder as unknown as FileSystemDirectoryHandle;
}
