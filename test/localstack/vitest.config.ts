import { defineConfig } from 'vitest/config';

// `npm run test:localstack`: what needs an emulator of AWS, which is started for it.
export default defineConfig({
  test: {
    include: ['test/localstack/**/*.test.ts'],
    globalSetup: ['test/localstack/run-emulator.ts'],
    pool: 'forks',
    // One after the other: they share one emulator, which is one process.
    fileParallelism: false,
    env: { AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: 'true' },
    testTimeout: 300_000,
    hookTimeout: 300_000,
  },
});
