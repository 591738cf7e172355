// Says what to do when the compiled kernels are missing, before a bundler or a test says only that it cannot
// resolve a module. Vitest runs it once, before all tests.
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export default function requireKernels() {
  const binaries = fileURLToPath(new URL('../shared/numeric/kernel-binaries.ts', import.meta.url));
  if (!existsSync(binaries)) throw new Error('The kernels are not compiled: run `npm run build`.');
}
