import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { root } from './tools/clone.mjs'

export default defineConfig({
  test: {
    include: [
      'packages/**/*.test.ts',
      'tools/**/*.test.ts',
      'bench/**/*.test.ts',
      'gates/**/*.test.ts',
      'proofs/**/*.test.ts',
    ],
    // Templates have tests that fail, and say what is to be done.
    exclude: ['**/node_modules/**', '**/.build/**', 'tools/templates/**'],
    // Processes, for tests start servers and send signals. Files share them: a test closes what it opens, and loading the
    // console anew for each file took a third of the time.
    pool: 'forks',
    isolate: false,
    // One fewer, which is the default, would be one alone on two cores; most tests wait as much as they work.
    maxWorkers: '100%',
    testTimeout: 20_000,
    hookTimeout: 20_000,
    teardownTimeout: 5_000,
    setupFiles: ['tools/seeds.ts'],
    globalSetup: ['tools/postgres.global.ts'],
    execArgv: ['--disable-warning=ExperimentalWarning'],
    // Threads and programs that tests start load the same files again and again: their types are stripped once.
    env: { NODE_COMPILE_CACHE: join(root, '.build/compile-cache') },
    // Random tests say their seed when they fail; a test file says nothing else while all is well.
    silent: 'passed-only',
  },
})
