// A console that is killed while its database is away: the child process, and touches of one token by many visitors.
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { logInByMysql, logInByPostgres } from './log-in.ts'

const ADMIN = '0123456789abcdef0123456789abcdef'
const child = fileURLToPath(new URL('./touch-spool.child.ts', import.meta.url))

export interface ConsoleProcess {
  readonly process: ChildProcess
  /** The id of a new token, of the kind `http` unless another is named. */
  plant(kind?: string): Promise<string>
  /** Opens the token's URL as so many visitors at once; answers the statuses. */
  touch(tokenId: string, visitors: number): Promise<number[]>
  /** Logs in with the token in the place of the user; answers why it was refused. */
  logIn(channel: 'mysql' | 'postgres', tokenId: string): Promise<string>
  /** Events of all incidents. */
  countEvents(): Promise<number>
  gauge(name: string): Promise<number>
  kill(): Promise<void>
}

export async function startConsole(dataDir: string, databaseUrl: string): Promise<ConsoleProcess> {
  const process_ = spawn(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', child, dataDir, databaseUrl],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  )
  const [line] = (await once(process_.stdout, 'data')) as [Buffer]
  const [apiUrl, tokensUrl, mysqlAddress = '', postgresAddress = ''] = line.toString().trim().split(' ')
  async function call(path: string, form?: Record<string, string>): Promise<Record<string, unknown>> {
    const headers = { 'X-Auth-Token': ADMIN }
    const post = form && { method: 'POST', body: new URLSearchParams(form) }
    const answer = await fetch(`${apiUrl}/api/v1${path}`, { headers, ...post })
    return (await answer.json()) as Record<string, unknown>
  }
  let visitor = 0
  return {
    process: process_,
    async plant(kind = 'http') {
      const form = { kind, memo: 'm', flock_id: 'flock:default' }
      const { decoytoken } = await call('/decoytoken/create', form)
      return (decoytoken as { decoytoken: string }).decoytoken
    },
    touch: (tokenId, visitors) =>
      Promise.all(
        Array.from({ length: visitors }, async () => {
          const headers = { 'User-Agent': `visitor ${process_.pid} ${visitor++}` }
          return (await fetch(`${tokensUrl}/${tokenId}`, { headers })).status
        }),
      ),
    logIn: (channel, tokenId) =>
      channel === 'mysql' ? logInByMysql(mysqlAddress, tokenId) : logInByPostgres(postgresAddress, tokenId),
    async countEvents() {
      const { incidents } = await call('/incidents/all')
      const counts = incidents as { description: { events_count: string } }[]
      return counts.reduce((sum, { description }) => sum + Number(description.events_count), 0)
    },
    async gauge(name) {
      const text = await (await fetch(`${apiUrl}/metrics`)).text()
      return Number(new RegExp(`^${name} (\\d+)`, 'm').exec(text)?.[1])
    },
    async kill() {
      const gone = once(process_, 'exit')
      process_.kill('SIGKILL')
      await gone
    },
  }
}
