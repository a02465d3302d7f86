// A console of a test's own: a data folder, an engine, a world that the test holds in its hands.
import { randomBytes } from 'node:crypto'
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { pino, type Logger } from 'pino'
import { afterAll, beforeAll, beforeEach, inject, onTestFinished } from 'vitest'
import type { Operation } from '@rookery/contract/operation.ts'
import type { Outbound, World } from '@rookery/kernel/world.ts'
import { openClient } from '@rookery/sdk/client.ts'
import type { Client } from '@rookery/sdk/types.ts'
import Type from 'typebox'
import { Compile, type Validator } from 'typebox/compile'
import { openConsole, type BuildDeps, type Console } from '../src/build.ts'
import type { Part } from '../src/parts/part.ts'
import { readConfig } from '../src/config/config.ts'
import type { EngineName } from '../src/db/query.ts'
import { systemWorld } from '../src/world/system.ts'
import { FREE_PORTS } from './free-ports.ts'

export { engines } from './engines.ts'

export const ADMIN = '0123456789abcdef0123456789abcdef'

export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** The body as JSON; tests know what they asked for. */
  readonly json: Record<string, never>
}

export type Params = Readonly<Record<string, string | number | boolean>>

export interface TestConsole {
  readonly console: Console
  /** The typed client under the admin key; it rejects with an `ApiError` where the console answers with an error. */
  readonly api: Client
  /** The same under another key. */
  apiAs(key: string): Client
  /** Calls `/api/v1<path>` with the admin key, parameters in the query for GET, else as a form. */
  call(method: 'GET' | 'POST' | 'DELETE', path: string, params?: Params, key?: string | null): Promise<Answer>
  get(path: string, params?: Params, key?: string | null): Promise<Answer>
  post(path: string, params?: Params, key?: string | null): Promise<Answer>
  /** Stops the console and starts another on the same data, with other options where they are given. */
  restart(env?: Readonly<Record<string, string>>): Promise<void>
}

export interface TestConsoleOptions {
  readonly engine?: EngineName
  readonly world?: Partial<World>
  readonly parts?: readonly Part[]
  readonly env?: Readonly<Record<string, string>>
  readonly alerting?: NonNullable<BuildDeps['alerting']>
  /** By default a clock of the test's own counts, also on PostgreSQL. */
  readonly time?: BuildDeps['time']
  /** Silent by default. */
  readonly log?: Logger
  /** Until when it runs: `group` where `beforeAll` opens it. By default until the test ends. */
  readonly lasts?: Lifetime
}

type Lifetime = 'test' | 'group'

const atTheEnd = (of: Lifetime, clean: () => unknown): void =>
  of === 'group'
    ? afterAll(async () => void (await clean()))
    : onTestFinished(async () => void (await clean()))

/** Passwords of tests are no secrets. */
const CHEAP = { logN: 4, r: 1, p: 1 }

const nowhere: Outbound = { send: () => Promise.reject(new Error('this test has no outside')) }

/** Opens a console that ends by itself. */
export async function openTestConsole(options: TestConsoleOptions = {}): Promise<TestConsole> {
  const { lasts = 'test' } = options
  const folder = mkdtempSync(join(inject('scratch'), 'console-'))
  // Goes last, also of a console that refuses to open: what is registered later runs first.
  atTheEnd(lasts, () => rmSync(folder, { recursive: true, force: true }))
  // It stands in for the 16 MiB that a console writes at its first start.
  writeFileSync(join(folder, 'reserve'), '')
  const url = options.engine === 'postgres' ? await freshDatabase('with tables', lasts) : undefined
  if (url === undefined) copyFileSync(inject('sqliteModel'), join(folder, 'rookery.db'))
  const env = {
    ROOKERY_DATA_DIR: folder,
    ...FREE_PORTS,
    ROOKERY_BOOTSTRAP_KEY: ADMIN,
    // All Birds of a test come from one address.
    ROOKERY_LINK_HANDSHAKES_PER_SECOND: '1000',
    // A test may be fast; those of the bounds set their own.
    ROOKERY_CONNECTIONS_PER_SOURCE: '10000',
    ROOKERY_CALLS_PER_SECOND: '1000000',
    ROOKERY_CALLS_BURST: '1000000',
    ROOKERY_FACTORY_TOKENS_PER_SECOND: '1000000',
    ...(url !== undefined && { ROOKERY_DATABASE_URL: url }),
    ...options.env,
  }
  const world: World = { ...systemWorld(nowhere), ...options.world }
  const open = (changed: Readonly<Record<string, string>> = {}): Promise<Console> =>
    openConsole({
      config: readConfig({ ...env, ...changed }),
      world,
      log: options.log ?? pino({ level: 'silent' }),
      parts: options.parts ?? ['api', 'tokens', 'link'],
      checkAnswer,
      passwordCost: CHEAP,
      time: options.time ?? (options.world?.clock ? 'process' : 'database'),
      ...(options.alerting && { alerting: options.alerting }),
    })
  let running = await open()
  atTheEnd(lasts, () => running.stop())

  const call: TestConsole['call'] = async (method, path, params = {}, key = ADMIN) => {
    const form = new URLSearchParams(
      Object.entries(params).map(([name, value]): [string, string] => [name, String(value)]),
    )
    const address = `${running.apiUrl}/api/v1${path}`
    const headers: Record<string, string> = key === null ? {} : { 'X-Auth-Token': key }
    const response =
      method === 'GET'
        ? await fetch(`${address}?${form.toString()}`, { headers })
        : await fetch(address, { method, headers, body: form })
    const text = await textOf(response)
    const isJson = response.headers.get('content-type') === 'application/json'
    return {
      status: response.status,
      headers: response.headers,
      text,
      json: (isJson ? JSON.parse(text) : {}) as Answer['json'],
    }
  }
  const apiAs = (key: string): Client => openClient({ baseUrl: running.apiUrl ?? '', key })
  return {
    get console() {
      return running
    },
    get api() {
      return apiAs(ADMIN)
    },
    apiAs,
    call,
    get: (path, params, key) => call('GET', path, params, key),
    post: (path, params, key) => call('POST', path, params, key),
    async restart(changed) {
      await running.stop()
      running = await open(changed)
    },
  }
}

/** A stream of events does not end: what it says at once stands for it. */
export async function textOf(response: Response): Promise<string> {
  if (response.headers.get('content-type') !== 'text/event-stream') return response.text()
  const reader = response.body!.getReader()
  const { value } = await reader.read()
  await reader.cancel()
  return Buffer.from(value ?? []).toString()
}

/** One console for all tests of the group that calls this; each makes things of its own, and counts nothing but those. */
export const sharedTestConsole = (options: TestConsoleOptions): TestConsole =>
  openedLater((keep) => beforeAll(async () => keep(await openTestConsole({ ...options, lasts: 'group' }))))

/** A console of its own for each test of the group that calls this. */
export const ownTestConsole = (options: TestConsoleOptions = {}): TestConsole =>
  openedLater((keep) => beforeEach(async () => keep(await openTestConsole(options))))

function openedLater(open: (keep: (opened: TestConsole) => void) => void): TestConsole {
  let opened: Partial<TestConsole> = {}
  open((it) => (opened = it))
  return new Proxy({} as TestConsole, { get: (_, name: keyof TestConsole) => opened[name] })
}

const validators = new Map<Operation['answer'], Validator>()

/** Every answer of every test is checked against the contract. */
function checkAnswer({ path, answer }: Operation, given: object): void {
  const validator = validators.get(answer) ?? Compile(Type.Intersect([answer]))
  validators.set(answer, validator)
  if (validator.Check(given)) return
  const [first] = validator.Errors(given)
  throw new Error(`${path} answered what the contract does not say: ${first?.instancePath} ${first?.message}`)
}

let server: Promise<pg.Client> | undefined

/** A database of the test's own in the run's PostgreSQL: with all tables, or without any. */
export async function freshDatabase(
  tables: 'with tables' | 'without tables' = 'with tables',
  lasts: Lifetime = 'test',
): Promise<string> {
  const url = new URL(inject('postgresUrl'))
  // Not a count: a test that resets the modules of its process would start it again.
  const name = `test_${randomBytes(8).toString('hex')}`
  const client = await (server ??= connect(url.href))
  const model = tables === 'with tables' ? inject('postgresModel') : 'template1'
  await client.query(`CREATE DATABASE ${name} TEMPLATE ${model} STRATEGY FILE_COPY`)
  atTheEnd(lasts, () => client.query(`DROP DATABASE ${name} WITH (FORCE)`))
  url.pathname = `/${name}`
  return url.href
}

/** Goes with the process. */
async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  return client
}
