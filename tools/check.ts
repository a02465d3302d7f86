// The one gate: generate, types, lint, format, walls, commits, tests. Stops at the first failure. Run: npm test
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { createVitest } from 'vitest/node'
import { readArguments, type Change } from './change.ts'
import { explain, root } from './clone.mjs'
import { inLanes, type Outcome } from './lanes.ts'

interface Step {
  readonly name: string
  /** A script and its arguments, from the root of the clone. */
  readonly command: readonly [string, ...string[]]
}

const generate: Step = { name: 'generate', command: ['tools/generate.ts'] }

/** Types are checked everywhere; one thread takes less than half of the core time of two. */
const types: Step = {
  name: 'types',
  command: ['node_modules/typescript/bin/tsc', '-p', '.', '--singleThreaded'],
}
/** The page has a browser's library, and JSX. */
const typesOfPage: Step = {
  name: 'types of the page',
  command: ['node_modules/typescript/bin/tsc', '-p', 'packages/web', '--singleThreaded'],
}
const lint = (files: readonly string[]): Step => ({
  name: 'lint',
  command: ['node_modules/oxlint/bin/oxlint', '--threads=1', '--no-error-on-unmatched-pattern', ...files],
})
const formatOfCode = (files: readonly string[]): Step => ({
  name: 'format of code',
  command: ['node_modules/oxfmt/bin/oxfmt', '--list-different', '--no-error-on-unmatched-pattern', ...files],
})
const formatOfPages = (files: readonly string[]): Step => ({
  name: 'format of pages',
  command: ['node_modules/prettier/bin/prettier.cjs', '--check', '--log-level', 'warn', ...files],
})
const walls: Step = { name: 'walls', command: ['tools/walls.mjs'] }
const commits: Step = { name: 'commits', command: ['tools/commits.ts'] }

/** The compilers of types and lint are written in Go: within this much memory, they need not collect garbage. */
const ROOMY = { GOGC: 'off', GOMEMLIMIT: '1536MiB' }

/** Runs a step to its end and keeps what it said. */
function run({ command }: Step): Promise<Outcome> {
  const [script, ...args] = command
  const child = spawn(process.execPath, [join(root, script), ...args], {
    cwd: root,
    env: { ...ROOMY, ...process.env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let said = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (said += chunk.toString()))
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code) => resolve({ isGood: code === 0, said }))
  })
}

/** A heading with the time that a step took, and what it said, if anything. */
function tell(name: string, { isGood, said }: Outcome, ms: number): void {
  console.log(`── ${name}: ${isGood ? 'good' : 'FAILED'} (${seconds(ms)})`)
  if (said.trim() !== '') console.log(said.trimEnd())
}

const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`

interface Tally {
  readonly passed: number
  /** Tests, and errors outside of any: a file that does not load, a promise that nobody caught. */
  readonly failed: number
}

/** Runs the tests whose paths hold one of the filters, of a change those that it reaches; gives up if `checked` is bad. */
async function runTests(
  filters: readonly string[],
  change: Change | undefined,
  checked: Promise<boolean>,
): Promise<Tally> {
  // What is named runs whole; vitest.config.ts reads this here, and the tests in their workers.
  if (filters.length === 0) process.env['TESTS_OF_ROOKERY'] = 'short'
  const changed = change && { changed: change.ref, passWithNoTests: true }
  const vitest = await createVitest('test', { watch: false, root, ...changed })
  const cancelled = checked.then((isGood) => (isGood ? undefined : vitest.cancelCurrentRun('test-failure')))
  // Without a file that fits the filters it throws, and has said so.
  await vitest.start([...filters]).catch((error: unknown) => {
    if (!(error instanceof Error && 'code' in error && error.code === 'VITEST_FILES_NOT_FOUND')) throw error
  })
  // What runs when the checks fail ends by itself, and stops what it has started.
  await cancelled
  const modules = vitest.state.getTestModules()
  const states = modules.flatMap((module) =>
    [...module.children.allTests()].map((test) => test.result().state),
  )
  const count = (wanted: string) => states.filter((state) => state === wanted).length
  const unloaded = modules.filter((module) => module.errors().length > 0).length
  const failed = count('failed') + unloaded + vitest.state.getUnhandledErrors().length
  // A run that could not begin (its set-up failed, no file was found) leaves only its exit code.
  const stopped = failed === 0 && process.exitCode !== undefined && process.exitCode !== 0 ? 1 : 0
  await vitest.close()
  return { passed: count('passed'), failed: failed + stopped }
}

function understood(args: readonly string[]): ReturnType<typeof readArguments> {
  try {
    return readArguments(root, args)
  } catch (error) {
    console.error(explain(error))
    process.exit(1)
  }
}

const startedAt = performance.now()
const { change, filters } = understood(process.argv.slice(2))
if (change) console.log(`── ${change.files.length} files differ from ${change.ref}`)
/** A step on what of the change fits the pattern; nothing if nothing fits. Without a change, on `all`. */
const fitting = (pattern: RegExp, step: (files: readonly string[]) => Step, all: string): Step[] => {
  const files = change ? change.files.filter((file) => pattern.test(file)) : [all]
  return files.length > 0 ? [step(files)] : []
}
const slow = [types, typesOfPage, ...fitting(/\.(tsx?|mjs)$/, lint, '.')]
const pages = fitting(/\.md$/, formatOfPages, '**/*.md')
const quick = [...fitting(/(?<!\.md)$/, formatOfCode, '.'), ...pages, walls, commits]

const isGenerated = await inLanes([generate], 1, run, tell)
// One core is enough for types and lint: what is quick has the other, and then the tests.
const checked = isGenerated ? inLanes(slow, 1, run, tell) : Promise.resolve(false)
const isTidy = isGenerated && (await inLanes(quick, 1, run, tell))
let isGood = isTidy
if (isTidy) {
  console.log('── tests')
  const testsAt = performance.now()
  const { passed, failed } = await runTests(filters, change, checked)
  const isPassed = failed === 0 && (passed > 0 || change !== undefined)
  isGood = (await checked) && isPassed
  tell('tests', { isGood: isPassed, said: '' }, performance.now() - testsAt)
  console.log(`── all: ${isGood ? 'good' : 'FAILED'} (${seconds(performance.now() - startedAt)})`)
  console.log(`${passed} passed, ${failed} failed`)
} else {
  await checked
  console.log(`── all: FAILED (${seconds(performance.now() - startedAt)}); the tests were not run`)
}
process.exit(isGood ? 0 : 1)
