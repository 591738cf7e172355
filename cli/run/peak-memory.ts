import { existsSync, readFileSync } from 'node:fs';

/** What Linux knows of this process (proc_pid_status(5)). */
const STATUS = '/proc/self/status';

/**
 * MiB that this process has taken at most. What Node says of it holds, on Linux, what the process had that started this one, an R
 * session with its tables for example; the mark of its own memory does not.
 */
export function peakMemoryMiB(): number {
  const own = existsSync(STATUS) ? /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(STATUS, 'utf8'))?.[1] : undefined;
  return (own === undefined ? process.resourceUsage().maxRSS : Number(own)) / 1024;
}
