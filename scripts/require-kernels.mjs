// Says what to do when the compiled kernels or the bundled script of a page are missing, before a bundler or a test says only that it cannot
// resolve a module. Vitest runs it once, before all tests.
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export default function requireKernels() {
  const made = ['../shared/numeric/kernel-binaries.ts', '../shared/report/records/records-script.ts'];
  if (made.some((path) => !existsSync(fileURLToPath(new URL(path, import.meta.url))))) {
    throw new Error('The kernels are not compiled, or the script of the report is not bundled: run `npm run build`.');
  }
}
