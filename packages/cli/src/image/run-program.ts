// Programs of Debian, run to their end; what they say when they fail becomes the error.
import { spawn } from 'node:child_process'
import { environment } from '@rookery/console/config/config.ts'
import { Fault } from '@rookery/kernel/fault.ts'

/** Where an administrator's programs are, whatever the shell's own PATH. */
export const PATH = [environment()['PATH'], '/usr/local/sbin', '/usr/sbin', '/sbin'].join(':')

/** Of what a program says, the end is why it failed. */
const SHOWN = 2_000

/** Answers what it printed; throws `unavailable` with the end of what it said. */
export function runProgram(
  [program = '', ...args]: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<string> {
  const child = spawn(program, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...environment(), PATH, LC_ALL: 'C.UTF-8', ...env },
  })
  let [printed, said] = ['', '']
  child.stdout.on('data', (chunk: Buffer) => (printed += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()))
  return new Promise((resolve, reject) => {
    child.once('error', (cause) =>
      reject(new Fault('unavailable', `${program}: ${cause.message}`, { cause })),
    )
    child.once('close', (code, signal) => {
      if (code === 0) return resolve(printed)
      const isFull = /No space left on device/.test(said)
      const reason = isFull
        ? 'The disk is full. Free some space, or name another folder by --out.'
        : `It said:\n${said.trimEnd().slice(-SHOWN)}`
      reject(new Fault('unavailable', `${program} ended with ${signal ?? code}. ${reason}`))
    })
  })
}

/** What runs a command as root: nothing for root itself, else a namespace with the users that /etc/subuid allows. */
export async function asRoot(): Promise<readonly string[]> {
  if (process.getuid?.() === 0) return []
  const wrap = ['unshare', '--map-auto', '--map-root-user', '--mount', '--']
  await runProgram([...wrap, 'true']).catch((cause: Error) => {
    throw new Fault(
      'bad-input',
      `An image is built by root, or in a namespace of users, which this system does not allow: ${cause.message}`,
      { cause },
    )
  })
  return wrap
}
