import { array, assert, integer, property } from 'fast-check';
import { expect, it } from 'vitest';
import { TimeHeap } from '../../shared/cost/time-heap.ts';

it('TimeHeap gives its items back by time', () => {
  assert(
    property(array(integer({ min: 0, max: 50 })), (times) => {
      const heap = new TimeHeap<number>();
      for (const time of times) heap.push(time, time);
      const sorted = times.toSorted((a, b) => a - b);
      for (const time of sorted) {
        expect(heap.earliest).toBe(time);
        expect(heap.pop()).toBe(time);
      }
      expect(heap.size).toBe(0);
      expect(heap.earliest).toBe(Infinity);
    }),
  );
});

it('TimeHeap refuses to pop when it is empty', () => {
  expect(() => new TimeHeap().pop()).toThrow(RangeError);
});
