// The product as a user runs it: the bundled command in a process of its own.
import { spawn, type ChildProcess } from 'node:child_process'
import { Agent } from 'node:http'
import { join } from 'node:path'
import { ALLOCATION, CONSOLE_FLAGS } from '../../../packages/cli/bin/node-settings.mjs'
import { nodePath, root } from '../../../tools/clone.mjs'
import { exchange } from '../load/exchange.ts'
import { freePort } from '../../../tools/free-port.ts'

export const ADMIN = '0123456789abcdef0123456789abcdef'

export type Params = Readonly<Record<string, string | number | boolean>>

export interface Answer {
  readonly status: number
  readonly text: string
  /** The body as JSON; a case knows what it asked for. */
  readonly json: Readonly<Record<string, unknown>>
}

export interface RunningConsole {
  readonly pid: number
  readonly dataDir: string
  readonly port: number
  readonly tokensPort: number
  readonly dnsPort: number
  /** UDP. */
  readonly wireguardPort: number
  /** From the spawn to the first 200 of /readyz. */
  readonly readyMs: number
  /** What it printed so far. */
  said(): string
  get(path: string, params?: Params): Promise<Answer>
  post(path: string, params?: Params): Promise<Answer>
  /** SIGTERM, and waits for the end. */
  stop(): Promise<void>
  /** SIGKILL, and waits for the end. */
  kill(): Promise<void>
}

export interface ConsoleOptions {
  readonly dataDir: string
  readonly command?: 'serve' | 'up'
  /** Another folder of bundles than `.build`. */
  readonly build?: string
  /** Another program than the bundled command, by its path; it gets the same environment. */
  readonly program?: string
  /** What starts Node: a program and its arguments. The console is then a child of the process that is ended here. */
  readonly wrapper?: readonly string[]
  /** More arguments of Node itself. */
  readonly nodeArgs?: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  /** The ports of an earlier run; free ones by default. */
  readonly ports?: { readonly port: number; readonly tokensPort: number; readonly dnsPort: number }
  readonly patienceMs?: number
  /** Kills it (SIGKILL) when it is aborted, also before it is ready. */
  readonly signal?: AbortSignal
}

/** A case is one address and one key, and stands for many. */
export const UNMETERED = {
  ROOKERY_CONNECTIONS_PER_SOURCE: '100000',
  ROOKERY_CALLS_PER_SECOND: '1000000',
  ROOKERY_CALLS_BURST: '1000000',
  ROOKERY_FACTORY_TOKENS_PER_SECOND: '1000000',
  ROOKERY_FACTORY_TOKENS: '100000000',
  ROOKERY_DNS_QUERIES_PER_SECOND: '100000000',
} as const

/** Starts it and waits until it is ready; throws with all that it said when it ends before. */
export async function startConsole(options: ConsoleOptions): Promise<RunningConsole> {
  const unknown: string[] = []
  for (;;)
    try {
      return await start(options, unknown)
    } catch (error) {
      // A build of an earlier commit has fewer options.
      const name = NO_OPTION.exec((error as Error).message)?.[1]
      if (options.build === undefined || name === undefined || unknown.includes(name)) throw error
      unknown.push(name)
    }
}

const NO_OPTION = /^(ROOKERY_\w+) is not an option/m

async function start(options: ConsoleOptions, without: readonly string[]): Promise<RunningConsole> {
  const { dataDir, command = 'serve', wrapper = [], nodeArgs = [], patienceMs = 30_000 } = options
  const { build = join(root, '.build') } = options
  const program = options.program === undefined ? [join(build, 'rookery.mjs'), command] : [options.program]
  const { port, tokensPort, dnsPort } = options.ports ?? {
    port: await freePort(),
    tokensPort: await freePort(),
    dnsPort: await freePort(),
  }
  const wireguardPort = await freePort()
  const env = {
    ...ALLOCATION,
    PATH: process.env['PATH'],
    ROOKERY_DATA_DIR: dataDir,
    ROOKERY_LISTEN: `127.0.0.1:${port}`,
    ROOKERY_TOKENS_LISTEN: `127.0.0.1:${tokensPort}`,
    ROOKERY_TOKENS_TLS_LISTEN: '127.0.0.1:0',
    ROOKERY_DNS_LISTEN: `127.0.0.1:${dnsPort}`,
    ROOKERY_TOKENS_WIREGUARD_LISTEN: `127.0.0.1:${wireguardPort}`,
    ROOKERY_TOKENS_MYSQL_LISTEN: '127.0.0.1:0',
    ROOKERY_TOKENS_POSTGRES_LISTEN: '127.0.0.1:0',
    ROOKERY_TRUSTED_PROXIES: '127.0.0.0/8',
    ...UNMETERED,
    ROOKERY_BOOTSTRAP_KEY: ADMIN,
    ROOKERY_LOG: 'error',
    // All Birds come from one address.
    ROOKERY_LINK_HANDSHAKES_PER_SECOND: '100000',
    ...options.env,
  }
  const startedAt = performance.now()
  const [first = '', ...rest] = [...wrapper, nodePath(), ...CONSOLE_FLAGS, ...nodeArgs, ...program]
  const child = spawn(first, rest, {
    cwd: dataDir,
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(options.signal && { signal: options.signal, killSignal: 'SIGKILL' }),
    env: Object.fromEntries(Object.entries(env).filter(([name]) => !without.includes(name))),
  })
  // Its end is awaited; being aborted is no error.
  child.on('error', () => undefined)
  const said = listen(child)
  const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const agent = new Agent({ keepAlive: true })
  await ready(child, port, startedAt + patienceMs, said)
  const readyMs = performance.now() - startedAt

  const end = async (signal: 'SIGTERM' | 'SIGKILL'): Promise<void> => {
    agent.destroy()
    child.kill(signal)
    await gone
  }
  return {
    pid: child.pid ?? 0,
    dataDir,
    port,
    tokensPort,
    dnsPort,
    wireguardPort,
    readyMs,
    said,
    get: (path, params = {}) => call(agent, port, 'GET', `/api/v1${path}?${query(params)}`),
    post: (path, params = {}) => call(agent, port, 'POST', `/api/v1${path}`, query(params)),
    stop: () => end('SIGTERM'),
    kill: () => end('SIGKILL'),
  }
}

const query = (params: Params): string =>
  new URLSearchParams(
    Object.entries(params).map(([name, value]): [string, string] => [name, String(value)]),
  ).toString()

function listen(child: ChildProcess): () => string {
  let text = ''
  const keep = (chunk: Buffer): void => void (text = (text + chunk.toString()).slice(-16_384))
  child.stdout?.on('data', keep)
  child.stderr?.on('data', keep)
  return () => text
}

async function ready(child: ChildProcess, port: number, until: number, said: () => string): Promise<void> {
  const agent = new Agent()
  for (;;) {
    const status = await call(agent, port, 'GET', '/readyz').then(
      (answer) => answer.status,
      () => 0,
    )
    if (status === 200) return
    if (child.exitCode !== null || child.signalCode !== null)
      throw new Error(
        `The console ended before it was ready (${child.exitCode ?? child.signalCode}).\n${said()}`,
      )
    if (performance.now() > until) {
      child.kill('SIGKILL')
      throw new Error(`The console was not ready in time.\n${said()}`)
    }
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}

async function call(
  agent: Agent,
  port: number,
  method: string,
  path: string,
  form?: string,
): Promise<Answer> {
  const asked = {
    agent,
    host: '127.0.0.1',
    port,
    method,
    path,
    headers: {
      'X-Auth-Token': ADMIN,
      ...(form !== undefined && { 'Content-Type': 'application/x-www-form-urlencoded' }),
    },
  }
  const { status, headers, text } = await exchange(asked, form)
  const isJson = (headers['content-type'] ?? '').startsWith('application/json')
  return { status, text, json: (isJson ? JSON.parse(text) : {}) as Answer['json'] }
}
