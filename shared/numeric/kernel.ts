// Where this file is missing, `npm run build` makes it.
import {
  allCellsBinary,
  densityRatiosBinary,
  differencesBinary,
  dpmpmBinary,
  evaluatorBinary,
  likelihoodRatioBinary,
  mixedBinary,
} from './kernel-binaries.ts';

const BINARIES = {
  'all-cells': allCellsBinary,
  'density-ratios': densityRatiosBinary,
  differences: differencesBinary,
  dpmpm: dpmpmBinary,
  evaluator: evaluatorBinary,
  'likelihood-ratio': likelihoodRatioBinary,
  mixed: mixedBinary,
};

const compiled = new Map<keyof typeof BINARIES, WebAssembly.Module>();

function compile(name: keyof typeof BINARIES): WebAssembly.Module {
  const bytes = Uint8Array.from(atob(BINARIES[name]), (character) => character.charCodeAt(0));
  const module = new WebAssembly.Module(bytes);
  compiled.set(name, module);
  return module;
}

/**
 * A new instance of a WebAssembly kernel (kernels/), with a memory of its own. Kernels use neither relaxed SIMD
 * nor anything of the host, so that they give the same bits on every processor.
 *
 * @returns its exports, as `Kernel` describes them
 */
export function instantiateKernel<Kernel>(name: keyof typeof BINARIES): Kernel {
  const abort = () => {
    throw new RangeError(`the kernel ${name} ran out of memory`);
  };
  return new WebAssembly.Instance(compiled.get(name) ?? compile(name), { env: { abort } }).exports as Kernel;
}

/** A global of a kernel: a number, or the address of an array in its memory. */
export type KernelGlobal = { value: number };

/** Sets numbers of a kernel by their names: what it lays its memory out by. */
export function setNumbers<Numbers extends Readonly<Record<string, number>>>(
  kernel: NoInfer<{ readonly [Name in keyof Numbers]: KernelGlobal }>,
  numbers: Numbers,
): void {
  for (const [name, value] of Object.entries(numbers)) kernel[name]!.value = value;
}

/** Copies vectors over classes into a kernel's memory, where they are as long or longer: classes that are added have weight zero. */
export function copyPadded<Vectors extends Float64Array | Uint32Array>(source: Vectors, classes: number, target: Vectors): void {
  if (source.length === target.length) {
    target.set(source);
    return;
  }
  const padded = target.length / (source.length / classes);
  for (let from = 0, to = 0; from < source.length; from += classes, to += padded) {
    target.set(source.subarray(from, from + classes), to);
    target.fill(0, to + classes, to + padded);
  }
}

/** Copies vectors over classes out of a kernel's memory: the inverse of {@link copyPadded}. */
export function copyUnpadded(source: Float64Array, classes: number, padded: number): Float64Array {
  if (classes === padded) return source.slice();
  const target = new Float64Array((source.length / padded) * classes);
  for (let from = 0, to = 0; to < target.length; from += padded, to += classes) {
    target.set(source.subarray(from, from + classes), to);
  }
  return target;
}
