/** How far a task of a phase is. */
export interface TaskProgress {
  /** Tasks of one kind take about as long for a unit of work. */
  readonly kind: string;
  readonly units: number;
  readonly done: number;
  /** What the units done have taken. */
  readonly seconds: number;
  /** Seconds at work since the last of them was done, or since the task was begun; 0 before that. */
  readonly since: number;
  readonly hasEnded: boolean;
}

/** What is left of a task that takes longer than others, as a share of what theirs would. */
const LEAST_REST = 0.1;

/** Seconds that a unit has taken in some tasks; null where none is done yet. */
function secondsPerUnit(tasks: readonly TaskProgress[]): number | null {
  const done = tasks.reduce((sum, one) => sum + one.done, 0);
  return done > 0 ? tasks.reduce((sum, { seconds }) => sum + seconds, 0) / done : null;
}

/**
 * Seconds until the last of some tasks ends, which threads take up in their order, from what units of each kind have taken so far; null
 * where none is done yet. The last task may go on alone for as long as all others together.
 */
export function secondsLeft(tasks: readonly TaskProgress[], threads: number): number | null {
  const ofAny = secondsPerUnit(tasks);
  if (ofAny === null) return null;
  const kinds = [...new Set(tasks.map(({ kind }) => kind))];
  const ofKind = new Map(kinds.map((kind) => [kind, secondsPerUnit(tasks.filter((task) => task.kind === kind)) ?? ofAny]));
  const ends = new Float64Array(threads);
  for (const { kind, units, done, since, hasEnded } of tasks) {
    const rest = Math.max(0, units - done) * ofKind.get(kind)!;
    if (!hasEnded) ends[ends.indexOf(Math.min(...ends))]! += Math.max(rest - since, LEAST_REST * rest);
  }
  return Math.max(...ends);
}
