import { describe, expect, it } from 'vitest';
import { parameterViolations } from './code-rules.ts';

describe('parameterViolations()', () => {
  it.each([
    'export function f(a: A, b: A, c: A, d: A, e: A, f: A): void {}',
    'const f = (a: A, b: A, c: A, { d }: A, e = 1, ...rest: A[]) => a;',
    'export interface Kernel { prepare(a: A, b: A, c: A, d: A, e: A, f: A): void }',
    'type Prepare = (a: A, b: A, c: A, d: A, e: A, f: A) => void;',
    'export class C { #visit(a: A, b: A, c: A, d: A, e: A, f: A): void {} }',
  ])('finds %s', (source) => {
    expect(parameterViolations('shared/x.ts', source)).toHaveLength(1);
  });

  it.each([
    ['shared/x.ts', 'export function f(a: A, b: A, c: A, d: A, { e, f, g }: B): void {}'],
    ['shared/x.ts', 'export const f = (a: A) => (b: A) => g(a, b, 1, 2, 3, 4);'],
    ['shared/x.ts', 'type Six<A, B, C, D, E, F> = [A, B, C, D, E, F];'],
    ['kernels/x.ts', 'function add(a: v128, b: v128, c: v128, d: v128, e: v128, f: v128): void {}'],
    ['bench/x.ts', 'export function f(a: A, b: A, c: A, d: A, e: A, f: A): void {}'],
  ])('lets %s hold %s', (path, source) => {
    expect(parameterViolations(path, source)).toEqual([]);
  });

  it('holds kernels to it where they are called', () => {
    const source = 'export function prepare(a: i32, b: i32, c: i32, d: i32, e: i32, f: i32): void {}';
    expect(parameterViolations('kernels/x.ts', source)).toHaveLength(1);
  });
});
