/** What of Node's `process` the library asks for in a browser, where a thread knows the time that passes and no more. */
export const process = {
  cpuUsage: (before = { user: 0, system: 0 }) => ({ user: performance.now() * 1000 - before.user, system: 0 }),
  resourceUsage: () => ({ maxRSS: 0 }),
  env: {},
  platform: 'browser',
};
