import type { Settings } from '../settings.ts';

/** What a step that puts objects is told of Object Lock, in its environment: nothing where results are not locked. */
export function lockVariable({ objectLock, objectLockDays }: Pick<Settings, 'objectLock' | 'objectLockDays'>): Record<string, string> {
  if (objectLock === 'none') return {};
  return { RESULT_LOCK: JSON.stringify({ mode: objectLock.toUpperCase(), days: objectLockDays }) };
}
