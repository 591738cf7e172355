import { describe, expect, it } from 'vitest';
import { secondsLeft, type TaskProgress } from '../../../shared/pipeline/tasks/seconds-left.ts';

const task = (units: number, done: number, seconds: number, kind = 'assess'): TaskProgress => ({
  kind,
  units,
  done,
  seconds,
  since: 0,
  hasEnded: done === units,
});

describe('secondsLeft()', () => {
  it('is not known before a unit is done', () => {
    expect(secondsLeft([task(10, 0, 0), task(10, 0, 0)], 2)).toBeNull();
  });

  it('shares what is left among the threads', () => {
    // 30 units of a second each, on two threads.
    expect(secondsLeft([task(20, 10, 10), task(20, 10, 10), task(10, 0, 0)], 2)).toBe(20);
  });

  it('is that of the last task where it goes on alone', () => {
    expect(secondsLeft([task(10, 10, 10), task(10, 10, 10), task(10, 2, 2)], 2)).toBe(8);
    // Two batches on one thread, and after them a third that begins when the first ends.
    expect(secondsLeft([task(14, 13, 13), task(14, 13, 13), task(14, 0, 0)], 2)).toBe(15);
  });

  it('takes units of each kind for as long as they have taken', () => {
    const tasks = [task(100, 50, 5, 'measure'), task(10, 5, 5), task(10, 0, 0)];
    // 50 units of 0.1 s; 5 and 10 of a second.
    expect(secondsLeft(tasks, 2)).toBe(15);
    // A kind of which none is done takes as long as the others.
    expect(secondsLeft([task(100, 50, 5, 'measure'), task(10, 0, 0)], 1)).toBe(6);
  });

  it('counts the time at work on a unit that is not done', () => {
    // Of ten seconds each; the second has read its table for six, and done nothing else.
    expect(secondsLeft([task(5, 5, 10), { ...task(5, 0, 0), since: 6 }], 2)).toBe(4);
    expect(secondsLeft([task(5, 5, 10), { ...task(5, 0, 0), since: 60 }], 2)).toBe(1);
  });

  it('leaves out what was done before, of which nothing was counted', () => {
    expect(secondsLeft([{ ...task(10, 0, 0), hasEnded: true }, task(10, 5, 5)], 1)).toBe(5);
  });
});
