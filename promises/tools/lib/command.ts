// Another program, run to its end.
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { nodePath, root } from '../../../tools/clone.mjs'

export interface Ran {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
  readonly ms: number
}

export interface CommandOptions {
  readonly cwd?: string
  readonly env?: NodeJS.ProcessEnv
  readonly input?: string
  /** It is killed after this time. */
  readonly patienceMs?: number
}

/** Never throws because of an exit code: what a login tool answers to a wrong password is not an error here. */
export function run(
  program: string,
  args: readonly string[],
  { cwd, env, input, patienceMs = 30_000 }: CommandOptions = {},
): Promise<Ran> {
  const startedAt = performance.now()
  const child = spawn(program, args, { cwd, env: env ?? process.env })
  let stdout = ''
  let stderr = ''
  child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()))
  // A tool that ends without reading its input is none of our business.
  child.stdin.on('error', () => undefined).end(input)
  const timer = setTimeout(() => {
    child.kill('SIGKILL')
    // Its own children may hold these open for ever; the runner ends them.
    child.stdout.destroy()
    child.stderr.destroy()
  }, patienceMs)
  return new Promise<Ran>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) => resolve({ code, stdout, stderr, ms: performance.now() - startedAt }))
  }).finally(() => clearTimeout(timer))
}

/** Runs the bundled `rookery` command; throws with what it said when it fails. */
export async function rookery(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<string> {
  const ran = await run(
    nodePath(),
    ['--disable-warning=ExperimentalWarning', join(root, '.build/rookery.mjs'), ...args],
    {
      env: { PATH: process.env['PATH'], ...env },
      // A package takes its time where others work, too.
      patienceMs: 180_000,
    },
  )
  if (ran.code !== 0) throw new Error(`rookery ${args.join(' ')} ended with ${ran.code}: ${ran.stderr}`)
  return ran.stdout
}
