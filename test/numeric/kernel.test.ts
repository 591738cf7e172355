import { describe, expect, it } from 'vitest';
import { copyPadded, copyUnpadded, instantiateKernel } from '../../shared/numeric/kernel.ts';

const source = Float64Array.of(1, 2, 3, 4, 5, 6);

describe('copyPadded()', () => {
  it('lays vectors over classes out in longer ones, whose rest weighs nothing', () => {
    const target = new Float64Array(8).fill(9);
    copyPadded(source, 3, target);
    expect([...target]).toEqual([1, 2, 3, 0, 4, 5, 6, 0]);
    const counts = new Uint32Array(12).fill(9);
    copyPadded(Uint32Array.from(source), 2, counts);
    expect([...counts]).toEqual([1, 2, 0, 0, 3, 4, 0, 0, 5, 6, 0, 0]);
  });

  it('copies vectors of the same length', () => {
    const target = new Float64Array(6);
    copyPadded(source, 3, target);
    expect(target).toEqual(source);
  });
});

describe('copyUnpadded()', () => {
  it.each([
    [3, 4],
    [2, 6],
    [3, 3],
  ])('takes vectors of %i classes out of those of %i', (classes, padded) => {
    const laidOut = new Float64Array((6 / classes) * padded);
    copyPadded(source, classes, laidOut);
    const before = laidOut.slice();
    const found = copyUnpadded(laidOut, classes, padded);
    expect(found).toEqual(source);
    expect(found.buffer).not.toBe(laidOut.buffer);
    expect(laidOut).toEqual(before);
  });
});

describe('instantiateKernel()', () => {
  it('gives every instance a memory of its own', () => {
    const [one, other] = [0, 1].map(() => instantiateKernel<{ memory: WebAssembly.Memory }>('dpmpm'));
    expect(one!.memory).toBeInstanceOf(WebAssembly.Memory);
    new Uint8Array(one!.memory.buffer)[4096] = 171;
    expect(new Uint8Array(other!.memory.buffer)[4096]).not.toBe(171);
  });
});
