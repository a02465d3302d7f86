// `rookery bird`: a Bird on its own, in a process of its own.
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { nodePath, root } from '../../../tools/clone.mjs'

export interface RunningCommand {
  readonly pid: number
  /** All that it printed. */
  said(): string
  /** SIGTERM, and waits for the end; answers the exit code. */
  stop(): Promise<number | null>
}

/** `through`: a command that executes the rest of its arguments in its place, such as setpriv(1). */
export function startBird(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  through: readonly string[] = [],
): RunningCommand {
  const program = ['--disable-warning=ExperimentalWarning', join(root, '.build/rookery.mjs'), 'bird']
  const [command = '', ...rest] = [...through, nodePath(), ...program, ...args]
  const child = spawn(command, rest, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env['PATH'], ...env },
  })
  let text = ''
  const keep = (chunk: Buffer): void => void (text += chunk.toString())
  child.stdout.on('data', keep)
  child.stderr.on('data', keep)
  const gone = new Promise<number | null>((resolve) => child.once('exit', resolve))
  return {
    pid: child.pid ?? -1,
    said: () => text,
    stop() {
      child.kill('SIGTERM')
      return gone
    },
  }
}
