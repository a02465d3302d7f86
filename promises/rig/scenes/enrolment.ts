// An enrolment code, made as an operator makes it while the console serves.
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { parseEnrolment } from '@rookery/link/enrolment.ts'
import { nodePath, root } from '../../../tools/clone.mjs'

/** The secret that HELLO carries. */
export async function enrolmentSecret(
  dataDir: string,
  env: Readonly<Record<string, string>> = {},
): Promise<string> {
  const { stdout } = await promisify(execFile)(
    nodePath(),
    ['--disable-warning=ExperimentalWarning', join(root, '.build/rookery.mjs'), 'enrol', '--uses', '100'],
    { env: { PATH: process.env['PATH'], ROOKERY_DATA_DIR: dataDir, ...env } },
  )
  return parseEnrolment(stdout.trim()).secret
}
