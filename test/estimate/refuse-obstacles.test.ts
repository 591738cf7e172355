import { expect, it } from 'vitest';
import type { EnvironmentSize } from '../../shared/contracts/cloud/cloud-environment.ts';
import { type Obstacle, refuseObstacles } from '../../shared/estimate/look-ahead.ts';

const obstacles: Obstacle[] = [
  { code: 'fit-too-long', message: 'Chains take days.' },
  { code: 'draws-exceed-memory', message: 'Draws are many.' },
  { code: 'batch-too-long', message: 'Batches take hours.' },
];
const size = (lookAhead: EnvironmentSize['lookAhead']) => ({ lookAhead }) as EnvironmentSize;

it('a run is refused by its first obstacle, and the others are named', () => {
  const refused = (some: Obstacle[], message: string) =>
    expect(() => refuseObstacles(some, size('refuse'))).toThrow(expect.objectContaining({ code: 'fit-too-long', message }));
  refused(obstacles, 'Chains take days. Also draws-exceed-memory, batch-too-long.');
  refused(obstacles.slice(0, 1), 'Chains take days.');
});

it('no run is refused without an obstacle, or where the environment warns', () => {
  expect(() => refuseObstacles([], size('refuse'))).not.toThrow();
  expect(() => refuseObstacles(obstacles, size('warn'))).not.toThrow();
});
