// Logins of OpenSSH's own client, with a password that is wrong.
import { spawn } from 'node:child_process'
import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { LOAD_CORE } from '../cores.ts'

export interface SshLogins {
  /** Logins that got as far as the refusal. */
  readonly refused: number
  /** What the client said instead, at most three. */
  readonly failures: readonly string[]
}

export async function sshLogins(
  folder: string,
  { host, port }: { readonly host: string; readonly port: number },
  count: number,
  atATime: number,
): Promise<SshLogins> {
  const askpass = join(folder, 'askpass')
  writeFileSync(askpass, '#!/bin/sh\necho wrong\n')
  chmodSync(askpass, 0o755)
  const outcomes: string[] = []
  let left = count
  const lane = async (): Promise<void> => {
    while (left-- > 0) outcomes.push(await login(askpass, host, port))
  }
  await Promise.all(Array.from({ length: atATime }, lane))
  const failures = outcomes.filter((said) => !said.includes('Permission denied'))
  return { refused: count - failures.length, failures: failures.slice(0, 3) }
}

const OPTIONS = [
  ...['-F', 'none'],
  ...[
    'StrictHostKeyChecking=no',
    'UserKnownHostsFile=/dev/null',
    'PreferredAuthentications=password',
    'NumberOfPasswordPrompts=1',
    'LogLevel=ERROR',
  ].flatMap((option) => ['-o', option]),
]

function login(askpass: string, host: string, port: number): Promise<string> {
  const child = spawn(
    'taskset',
    ['-c', String(LOAD_CORE), 'ssh', ...OPTIONS, '-p', String(port), `root@${host}`, 'true'],
    {
      stdio: ['ignore', 'ignore', 'pipe'],
      env: { ...process.env, SSH_ASKPASS: askpass, SSH_ASKPASS_REQUIRE: 'force' },
    },
  )
  let said = ''
  child.stderr.on('data', (bytes: Buffer) => (said += bytes.toString()))
  return new Promise((resolve) => {
    child.on('error', (error) => resolve(error.message))
    child.on('close', () => resolve(said))
  })
}
