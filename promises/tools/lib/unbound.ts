// A recursive resolver of this machine that asks the token DNS server for its zone.
import { spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { run } from './command.ts'
import { until } from './until.ts'

/** Where programs ask that know of no other port: an address of loopback, in a network namespace of the proof's own. */
export const SYSTEM_RESOLVER = '127.0.0.53'

export interface ResolverOptions {
  readonly folder: string
  readonly port: number
  readonly zone: string
  /** Of the authoritative server, on loopback. */
  readonly authoritativePort: number
}

/** As careful resolvers ask: the shortest name first (RFC 9156), in random case (0x20). Answers how to stop it. */
export async function startUnbound({ folder, port, zone, authoritativePort }: ResolverOptions) {
  const file = join(folder, 'unbound.conf')
  writeFileSync(
    file,
    `server:
  interface: 127.0.0.1@${port}
  interface: ${SYSTEM_RESOLVER}@53
  do-daemonize: no
  chroot: ""
  username: ""
  directory: "${folder}"
  pidfile: "${join(folder, 'unbound.pid')}"
  use-syslog: no
  module-config: "iterator"
  do-not-query-localhost: no
  qname-minimisation: yes
  use-caps-for-id: yes
stub-zone:
  name: "${zone}"
  stub-addr: 127.0.0.1@${authoritativePort}
remote-control:
  control-enable: no
`,
  )
  const child = spawn('unbound', ['-c', file], { stdio: 'ignore' })
  await until('unbound answers', async () => {
    const { code } = await run('dig', ['+time=1', '+tries=1', '-p', `${port}`, '@127.0.0.1', 'localhost'])
    return code === 0 ? true : undefined
  })
  return () => void child.kill('SIGTERM')
}
