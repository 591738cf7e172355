// Compiles kernels/ (AssemblyScript) and writes the modules as text that TypeScript can import, so that the
// library needs no file system to find them. kernels/asconfig.json has no relaxed SIMD: its results differ between
// processors.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import asc from 'assemblyscript/asc';

const root = fileURLToPath(new URL('..', import.meta.url));
const KERNELS = {
  allCells: 'kernels/cells/all-cells.ts',
  densityRatios: 'kernels/densities/density-ratios.ts',
  differences: 'kernels/neighbours/differences.ts',
  dpmpm: 'kernels/sampler/dpmpm.ts',
  evaluator: 'kernels/evaluator/evaluator.ts',
  likelihoodRatio: 'kernels/ratios/likelihood-ratio.ts',
  mixed: 'kernels/mixed/mixed.ts',
  multiplyAddPeak: 'kernels/multiply-add-peak.ts',
};

/** Compiles one kernel and returns its binary in base64. */
async function compile(entry) {
  let binary;
  const { error, stderr } = await asc.main([entry, '--config', 'kernels/asconfig.json', '--outFile', 'kernel.wasm'], {
    writeFile: (_, contents) => {
      binary = contents;
    },
  });
  if (error) throw new Error(`${entry} does not compile: ${error.message}\n${stderr.toString()}`);
  return Buffer.from(binary).toString('base64');
}

process.chdir(root);
const lines = ['// Made by scripts/build-kernels.mjs from kernels/. Do not edit.'];
for (const [name, entry] of Object.entries(KERNELS)) {
  lines.push(`/** ${entry}, compiled, in base64. */`, `export const ${name}Binary = '${await compile(entry)}';`);
}
// Written only when it changes, so that its time says when the kernels last did.
const file = `${root}shared/numeric/kernel-binaries.ts`;
const text = `${lines.join('\n')}\n`;
if (!existsSync(file) || readFileSync(file, 'utf8') !== text) writeFileSync(file, text);
