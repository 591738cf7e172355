import { vi } from 'vitest';

// A file finds the environment and the program as if its process had begun with it.
vi.unstubAllEnvs();
vi.resetModules();
