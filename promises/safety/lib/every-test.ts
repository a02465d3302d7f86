// Runs the tests of the clone at their whole size, in a process of their own.
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { freshFolder, removeFolder } from '../../rig/folder.ts'
import { root } from '../../../tools/clone.mjs'

export interface EveryTest {
  readonly passed: number
  /** Tests, and files that do not load. */
  readonly failed: number
  /** Their names. */
  readonly failures: readonly string[]
}

/** What of Vitest's report by JSON is read. */
interface Report {
  readonly numPassedTests: number
  readonly success: boolean
  readonly testResults: readonly {
    readonly name: string
    readonly status: string
    readonly assertionResults: readonly { readonly fullName: string; readonly status: string }[]
  }[]
}

export async function runEveryTest(filters: readonly string[] = []): Promise<EveryTest> {
  const folder = freshFolder()
  try {
    const path = join(folder, 'report.json')
    const { TESTS_OF_ROOKERY: _, ...env } = process.env
    const args = ['--reporter=json', `--outputFile=${path}`, ...filters]
    const child = spawn(process.execPath, [join(root, 'node_modules/vitest/vitest.mjs'), 'run', ...args], {
      cwd: root,
      env,
      stdio: ['ignore', 'ignore', 'inherit'],
    })
    await new Promise((resolve, reject) => child.on('error', reject).on('close', resolve))
    return readReport(JSON.parse(readFileSync(path, 'utf8')) as Report)
  } finally {
    removeFolder(folder)
  }
}

/** Read as failures: tests that failed, files that did not load, and errors outside of both. */
export function readReport({ numPassedTests, success, testResults }: Report): EveryTest {
  const failures = testResults.flatMap(({ name, status, assertionResults }) => {
    const failed = assertionResults.filter((it) => it.status === 'failed')
    if (failed.length === 0 && status === 'failed') return [`${name} does not load`]
    return failed.map(({ fullName }) => fullName)
  })
  // An error outside of any test has no name in the report.
  if (!success && failures.length === 0) failures.push('an error outside of any test')
  return { passed: numPassedTests, failed: failures.length, failures }
}
