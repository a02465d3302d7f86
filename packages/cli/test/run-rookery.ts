// The `rookery` command as a user runs it: in a process, seen from outside.
import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { inject, onTestFinished } from 'vitest'
import { FREE_PORTS } from '@rookery/console/test/free-ports.ts'

// The bundle that `npm start` runs; made again when a source has changed.
const inClone = (path: string): string => fileURLToPath(new URL(`../../../${path}`, import.meta.url))
execFileSync(process.execPath, [inClone('tools/prepare.mjs'), '--bundle'], { stdio: 'ignore' })
export const MAIN = inClone('.build/rookery.mjs')

export const ADMIN = '0123456789abcdef0123456789abcdef'

export interface Ended {
  readonly code: number | null
  readonly signal: string | null
  readonly stdout: string
  readonly stderr: string
}

export interface ServeProcess {
  readonly apiUrl: string
  readonly tokensUrl: string
  readonly ended: Promise<Ended>
  readonly child: ChildProcess
  readonly output: () => string
  get(path: string, params?: Record<string, string>, key?: string): Promise<Reply>
  post(path: string, params?: Record<string, string>, key?: string): Promise<Reply>
  /** Sends the signal; resolves once the process has ended. */
  stop(signal?: NodeJS.Signals): Promise<Ended>
}

export interface Reply {
  readonly status: number
  readonly json: Record<string, never>
}

export function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'rookery-cli-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

let model: Promise<string> | undefined

/** A data directory of a console that has served and stopped: a copy of one that all tests of the process share. */
export async function servedFolder(): Promise<string> {
  model ??= serveOnce(mkdtempSync(join(inject('scratch'), 'served-')))
  const folder = newFolder()
  cpSync(await model, folder, { recursive: true })
  return folder
}

async function serveOnce(dataDir: string): Promise<string> {
  await (await serve(dataDir)).stop()
  return dataDir
}

type Env = Readonly<Record<string, string>>

const ROOKERY = [process.execPath, '--disable-warning=ExperimentalWarning', MAIN]

function start(
  [program = '', ...args]: readonly string[],
  env: Env,
): { child: ChildProcess; ended: Promise<Ended>; output: () => string; errors: () => string } {
  const clean = Object.entries(process.env).filter(([name]) => !name.startsWith('ROOKERY_'))
  const child = spawn(program, args, {
    env: { ...Object.fromEntries(clean), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    // A process group of its own: a wrapper may end before its console.
    detached: true,
  })
  let stdout = ''
  let stderr = ''
  child.stdout.on('data', (piece: Buffer) => (stdout += piece.toString()))
  child.stderr.on('data', (piece: Buffer) => (stderr += piece.toString()))
  const ended = new Promise<Ended>((resolve) =>
    child.on('close', (code, signal) => resolve({ code, signal, stdout, stderr })),
  )
  onTestFinished(() => killGroup(child))
  return { child, ended, output: () => stdout, errors: () => stderr }
}

function killGroup({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

/** Runs a command until it ends; by another program where one is named: `[program, ...arguments]`. */
export const rookery = (
  args: readonly string[],
  env: Env = {},
  wrapper: readonly string[] = [],
): Promise<Ended> => start([...wrapper, ...ROOKERY, ...args], env).ended

/** Starts a command that the test ends itself. */
export const begin = (args: readonly string[], env: Env): ReturnType<typeof start> =>
  start([...ROOKERY, ...args], env)

/** Starts `rookery serve` on free ports and waits until it has printed its addresses. */
export const serve = (
  dataDir: string,
  env: Env = {},
  wrapper: readonly string[] = [],
): Promise<ServeProcess> => serveBy([...wrapper, ...ROOKERY, 'serve'], dataDir, env)

/** Starts `rookery up`, with a local Bird on free ports. */
export const up = (dataDir: string, env: Env = {}): Promise<ServeProcess> =>
  serveBy([...ROOKERY, 'up'], dataDir, env)

/** The same by `npm start`, without a local Bird. */
export const npmStart = (dataDir: string): Promise<ServeProcess> =>
  serveBy(['npm', '--prefix', inClone(''), 'start'], dataDir, { ROOKERY_LOCAL_BIRD: 'off' })

async function serveBy(command: readonly string[], dataDir: string, env: Env): Promise<ServeProcess> {
  const { child, ended, output, errors } = start(command, {
    ROOKERY_DATA_DIR: dataDir,
    ...FREE_PORTS,
    ROOKERY_BOOTSTRAP_KEY: ADMIN,
    // A test makes its tokens at once.
    ROOKERY_FACTORY_TOKENS_PER_SECOND: '1000000',
    ...env,
  })
  await new Promise<void>((resolve, reject) => {
    child.stdout?.on('data', () => {
      if (/^ {2}Data /m.test(output())) resolve()
    })
    // Not the end of the process: a wrapper may outlive the console.
    child.stderr?.on('end', () => reject(new Error(`rookery serve ended: ${errors()}`)))
  })
  const [, apiUrl = ''] = /Console +(\S+)/.exec(output()) ?? []
  const [, tokensUrl = ''] = /Tokens +(\S+)/.exec(output()) ?? []
  async function call(
    method: string,
    path: string,
    params: Record<string, string>,
    key: string,
  ): Promise<Reply> {
    const form = new URLSearchParams(params)
    // The console may close a kept connection while this process is held up.
    const headers = { 'X-Auth-Token': key, Connection: 'close' }
    const url = `${apiUrl}/api/v1${path}`
    const response =
      method === 'GET'
        ? await fetch(`${url}?${form.toString()}`, { headers })
        : await fetch(url, { method, headers, body: form })
    return { status: response.status, json: (await response.json()) as Reply['json'] }
  }
  return {
    apiUrl,
    tokensUrl,
    child,
    output,
    ended,
    get: (path, params = {}, key = ADMIN) => call('GET', path, params, key),
    post: (path, params = {}, key = ADMIN) => call('POST', path, params, key),
    stop(signal = 'SIGTERM') {
      child.kill(signal)
      return ended
    },
  }
}

/** Creates tokens; answers URLs that raise incidents. */
export async function createTokens(console: ServeProcess, count: number): Promise<string[]> {
  const { json } = await console.post('/decoytoken/create_factory', {
    flock_id: 'flock:default',
    memo: 'test',
  })
  const factory_auth = String(json['factory_auth'])
  const urls: string[] = []
  for (let n = 0; n < count; n++) {
    const made = await console.post('/decoytoken/factory/create', {
      factory_auth,
      kind: 'http',
      memo: `n${n}`,
    })
    urls.push((made.json['decoytoken'] as unknown as { url: string }).url)
  }
  return urls.map((url) => console.tokensUrl + new URL(url).pathname)
}
