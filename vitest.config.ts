import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { isShort } from './packages/kernel/test/size.ts'
import { root } from './tools/clone.mjs'
import { LONG } from './tools/long-tests.ts'
import { GatesFirst } from './tools/test-order.ts'

const QUERY_PLANS = 'packages/console/test/query-plans.test.ts'
const include = ['packages/**/*.test.ts', 'tools/**/*.test.ts', 'promises/**/*.test.ts']
// Templates have tests that fail, and say what is to be done.
const exclude = ['**/node_modules/**', '**/.build/**', 'tools/templates/**', ...(isShort ? LONG : [])]

export default defineConfig({
  test: {
    // Each worker is a process that runs its files one after the other and imports what they share once: 80 s of a core
    // less than a process for each file. So a test closes what it opens (onTestFinished).
    pool: 'forks',
    isolate: false,
    // Tests wait as much as they work: with a worker for each core, the cores are idle half of the time.
    maxWorkers: Math.ceil(availableParallelism() * 1.5),
    sequence: { sequencer: GatesFirst },
    // When other programs are at work, an event may come a minute late: a poll gives up shortly before its test.
    expect: { poll: { timeout: 150_000, interval: 20 } },
    testTimeout: 180_000,
    hookTimeout: 180_000,
    teardownTimeout: 5_000,
    // What explains the queries of all tests comes behind them.
    projects: [
      { extends: true, test: { name: 'tests', include, exclude: [...exclude, QUERY_PLANS] } },
      {
        extends: true,
        test: { name: 'plans', include: [QUERY_PLANS], exclude, sequence: { groupOrder: 1 } },
      },
    ],
    setupFiles: ['tools/seeds.ts', 'tools/file-begins.ts', 'packages/console/test/query-log.ts'],
    globalSetup: ['tools/postgres.global.ts'],
    execArgv: ['--disable-warning=ExperimentalWarning'],
    // Threads and programs that tests start load the same files again and again: their types are stripped once.
    env: { NODE_COMPILE_CACHE: join(root, '.build/compile-cache') },
    // Random tests say their seed when they fail; a test file says nothing else while all is well.
    silent: 'passed-only',
  },
})
