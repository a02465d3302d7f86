// Runs a program that resolves names as the system does, in a mount namespace where the system asks a resolver of the proof's.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { run } from './command.ts'
import { SYSTEM_RESOLVER } from './unbound.ts'

/** Where programs of the system lie. */
export const SYSTEM_PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'

export function withResolver(folder: string, command: readonly string[], path = SYSTEM_PATH) {
  const file = join(folder, 'resolv.conf')
  writeFileSync(file, `nameserver ${SYSTEM_RESOLVER}\n`)
  const script = 'mount --bind "$1" /etc/resolv.conf && PATH=$2 && shift 2 && exec "$@"'
  return run('unshare', ['--mount', 'sh', '-c', script, 'sh', file, path, ...command])
}
