import { describe, expect, it } from 'vitest';
import { kernelMutants } from './kernel-mutants.ts';

const SOURCE = `import { lanes } from '../math/lanes';
/** A comment: 1 + 2. */
export let count: i32 = 0;
function total(from: usize, end: usize): f64 {
  let sum = f64x2.splat(0.5);
  for (let at = from; at < end; at += 16) sum = f64x2.add(sum, v128.load(at));
  v128.store(from, sum);
  return f64x2.extract_lane(sum, 1) + scale;
}
`;

describe('kernelMutants()', () => {
  const mutants = kernelMutants(SOURCE);

  it('changes operators, bounds, constants and lanes, and leaves terms and statements out', () => {
    const found = mutants.map(({ kind, line, before, after }) => `${line} ${kind}: ${before} -> ${after}`);
    expect(found.sort()).toEqual([
      '5 constant: 0.5 -> (0.5 * 1.001)',
      '6 comparison: < -> <=',
      '6 constant: 16 -> 17',
      '6 operator: += -> -=',
      '6 operator: .add( -> .sub(',
      '7 dropped: v128.store(from, sum); -> ',
      '8 dropped: + scale -> ',
      '8 lane: 1 -> 0',
      '8 operator: + -> -',
    ]);
  });

  it('makes one change in each source', () => {
    const lines = SOURCE.split('\n');
    for (const { source, line } of mutants) {
      const changed = source.split('\n').flatMap((text, at) => (text === lines[at] ? [] : [at + 1]));
      expect(changed).toEqual([line]);
    }
  });
});
