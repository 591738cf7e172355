const MILLISECONDS_A_SECOND = 1000;

/**
 * The day that it is (UTC), as `2026-11-28`. Where the environment sets `SOURCE_DATE_EPOCH` (seconds), as those do who compare the
 * bytes of two runs, it is the day of that.
 */
export function today(): string {
  // A page has no process.
  const epoch = globalThis.process?.env?.SOURCE_DATE_EPOCH;
  const now = epoch !== undefined && /^\d{1,11}$/.test(epoch) ? new Date(Number(epoch) * MILLISECONDS_A_SECOND) : new Date();
  return now.toISOString().slice(0, 'yyyy-mm-dd'.length);
}
