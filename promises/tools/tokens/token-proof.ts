// How a proof creates a token, gets its artefact, and fires it.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { ADMIN, type Params, type RunningConsole } from '../../rig/scenes/console.ts'
import { run } from '../lib/command.ts'

/** Where the tokens are met. */
export const PORTS = { http: 80, https: 443, dns: 53, mysql: 3306, postgres: 5432, wireguard: 51820 } as const

export interface Planted {
  readonly id: string
  readonly hostname: string
  readonly url: string
  readonly renders: Readonly<Record<string, string>>
}

export interface FiringDeps {
  readonly console: RunningConsole
  readonly folder: string
  /** Where a careful resolver listens. */
  readonly resolverPort: number
}

export interface TokenProof {
  readonly kind: string
  readonly program: string
  readonly needs: readonly string[]
  readonly settings?: Params
  /** Writes files into the folder that are uploaded for the token; answers their paths by the names of the settings. */
  readonly uploads?: (folder: string) => Uploads | Promise<Uploads>
  readonly logtype: string
  /** How long its event may take; 10 s by default. */
  readonly patienceMs?: number
  /** Fires the token; answers the fields that its event must have. */
  readonly fire: (planted: Planted, deps: FiringDeps) => Promise<Readonly<Record<string, unknown>>>
}

type Uploads = Readonly<Record<string, string>>

/** Creates the token as a caller does: with `curl` where a file is uploaded. */
export async function plant(
  { kind, program, settings = {}, uploads }: TokenProof,
  deps: FiringDeps,
): Promise<Planted> {
  const { console, folder } = deps
  const params = { kind, memo: `${kind} by ${program}`, flock_id: 'flock:default', ...settings }
  const { status, text } = uploads
    ? await uploaded(params, await uploads(folder), console)
    : await console.post('/decoytoken/create', params)
  assert.equal(status, 200, text)
  const { decoytoken, ...rest } = (JSON.parse(text) as { decoytoken: Created }).decoytoken
  return { id: decoytoken, ...rest }
}

type Created = { readonly decoytoken: string } & Omit<Planted, 'id'>

async function uploaded(
  params: Params,
  files: Uploads,
  { port }: RunningConsole,
): Promise<{ status: number; text: string }> {
  const texts = Object.entries(params).map(([name, value]) => `${name}=${value}`)
  const parts = Object.entries(files).map(([name, path]) => `${name}=@${path}`)
  const { stdout } = await run('curl', [
    ...['-s', '-w', '\n%{http_code}', '-H', `X-Auth-Token: ${ADMIN}`],
    ...[...texts, ...parts].flatMap((part) => ['-F', part]),
    `http://127.0.0.1:${port}/api/v1/decoytoken/create`,
  ])
  const [text = '', status] = stdout.split(/\n(?=\d+$)/)
  return { status: Number(status), text }
}

/** Downloads the file of the token; answers its path. */
export async function download(
  { id }: Planted,
  { console, folder }: FiringDeps,
  name: string,
): Promise<string> {
  const file = join(folder, name)
  const api = `http://127.0.0.1:${console.port}/api/v1/decoytoken/download?decoytoken=${id}`
  const { stdout } = await run('curl', [
    '-s',
    '-w',
    '%{http_code}',
    '-H',
    `X-Auth-Token: ${ADMIN}`,
    '-o',
    file,
    api,
  ])
  assert.equal(stdout, '200')
  return file
}
