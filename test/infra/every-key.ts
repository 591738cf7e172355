import { OPEN_KEYS } from '../../infra/access/step-access.ts';
import { runKeys } from '../../shared/contracts/keys.ts';
import { matches } from './rights.ts';

/** The keys of a run. */
export const keys = runKeys('0123456789abcdef');

/** Every key of a run, folders with something in them. */
export function everyKey(of: object = keys): string[] {
  return Object.values(of).flatMap((value) => {
    const made = typeof value === 'function' ? value(1, 1) : value;
    if (typeof made !== 'string') return everyKey(made);
    return made.endsWith('/') ? `${made}x` : made;
  });
}

/** Whether those may read a key who operate an environment. */
export const isOpen = (key: string) => OPEN_KEYS.some((pattern) => matches(pattern, key));
