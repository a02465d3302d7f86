// HAProxy in front of the listeners of tokens: it names each client in a PROXY header.
import { spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { run } from './command.ts'
import { listens } from './listens.ts'
import { until } from './until.ts'

export interface Frontend {
  readonly name: string
  /** Addresses as in `bind`: `203.0.113.5:80`. */
  readonly binds: readonly string[]
  /** The port of the console behind it, on loopback. */
  readonly port: number
  /** What HAProxy sends first, such as `send-proxy-v2`. */
  readonly sends: string
  /** Whether HAProxy asks by itself if the server is there, and says that it is itself who asks (LOCAL). */
  readonly checks?: boolean
}

/** Starts it; its connections to the console come from `source`. */
export async function startHaproxy(folder: string, source: string, frontends: readonly Frontend[]) {
  const file = join(folder, 'haproxy.cfg')
  const stats = join(folder, 'haproxy-stats')
  const parts = frontends.map(
    ({ name, binds, port, sends, checks }) => `listen ${name}
${binds.map((bind) => `  bind ${bind}\n`).join('')}  source ${source}
${checks ? '  option httpchk GET /robots.txt\n' : ''}  server console 127.0.0.1:${port} ${sends}${checks ? ' check inter 200 rise 2 fall 1' : ''}
`,
  )
  writeFileSync(
    file,
    `global
  log stderr local0 warning
defaults
  mode tcp
  timeout connect 5s
  timeout client 30s
  timeout server 30s
frontend stats
  mode http
  bind unix@${stats}
  stats enable
  stats uri /
${parts.join('')}`,
  )
  const child = spawn('haproxy', ['-db', '-f', file], { stdio: ['ignore', 'ignore', 'pipe'] })
  let said = ''
  child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()))
  for (const [bind = ''] of frontends.map(({ binds }) => binds)) {
    const [host = '', port = ''] = bind.split(':')
    await listens(Number(port), host).catch((error: unknown) => {
      throw new Error(`${(error as Error).message} HAProxy said: ${said}`)
    })
  }
  return {
    /** Resolves with what HAProxy says of the checks of this part, once the last was good. */
    checked: (name: string): Promise<string> =>
      until(`HAProxy finds the console behind ${name}`, async () => {
        const { stdout } = await run('curl', ['-s', '--unix-socket', stats, 'http://localhost/;csv'])
        const columns = (stdout.split('\n').find((line) => line.startsWith(`${name},console,`)) ?? '').split(
          ',',
        )
        return columns.includes('UP') && columns.includes('L7OK') ? 'UP, L7OK' : undefined
      }),
    stop: () => void child.kill('SIGTERM'),
  }
}
