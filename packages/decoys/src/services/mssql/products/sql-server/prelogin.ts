// PRELOGIN ([MS-TDS] 2.2.6.5): a list of options, each with the place of its content.
//
//     byte   1       2 … 3        4 … 5
//          ┌───────┬────────────┬────────────┐
//          │ token │ offset, BE │ length, BE │  … 0xFF, then the contents
//          └───────┴────────────┴────────────┘
import type { Version } from './profile.ts'

const TOKEN = {
  version: 0,
  encryption: 1,
  instance: 2,
  threadId: 3,
  mars: 4,
  federation: 6,
  terminator: 0xff,
} as const

const ENCRYPTION = { off: 0, on: 1, notSupported: 2, required: 3 } as const
/** The client wants to be known by a certificate; the server has no use for it. */
const CLIENT_CERTIFICATE = 0x80

export interface Prelogin {
  readonly encryption: number
  /** Of the instance that is asked for; empty for any. */
  readonly instance: string
  /** Whether several requests may be under way at a time; undefined when the client does not say. */
  readonly wantsMars: boolean | undefined
  readonly asksFederation: boolean
}

const OPTION_BYTES = 5
const VERSION_BYTES = 6

/** Undefined when it is malformed, or does not begin with the version (3.3.5.1). */
export function readPrelogin(payload: Buffer): Prelogin | undefined {
  const options = readOptions(payload)
  if (!options || options.keys().next().value !== TOKEN.version) return undefined
  const encryption = options.get(TOKEN.encryption)?.[0] ?? ENCRYPTION.notSupported
  const known = encryption & ~CLIENT_CERTIFICATE
  if (options.get(TOKEN.version)?.length !== VERSION_BYTES || known > ENCRYPTION.required) return undefined
  const instance = options.get(TOKEN.instance) ?? Buffer.alloc(0)
  return {
    encryption: known,
    instance: instance.toString('latin1').replace(/\0.*$/s, ''),
    wantsMars: options.has(TOKEN.mars) ? options.get(TOKEN.mars)![0] === 1 : undefined,
    asksFederation: options.has(TOKEN.federation),
  }
}

/** In their order; undefined when the list does not end, or a content lies outside. */
function readOptions(payload: Buffer): ReadonlyMap<number, Buffer> | undefined {
  const options = new Map<number, Buffer>()
  for (let at = 0; ; at += OPTION_BYTES) {
    const token = payload[at]
    if (token === TOKEN.terminator) return options
    if (token === undefined || at + OPTION_BYTES > payload.length) return undefined
    const start = payload.readUInt16BE(at + 1)
    const end = start + payload.readUInt16BE(at + 3)
    if (end > payload.length) return undefined
    if (!options.has(token)) options.set(token, payload.subarray(start, end))
  }
}

/** What client and server encrypt: nothing, the login alone, or everything. */
export type Encryption = 'none' | 'login' | 'all'

/** As a server with a certificate that forces nobody: the table of 2.2.6.5. */
export function agreedEncryption(asked: number): Encryption {
  if (asked === ENCRYPTION.off) return 'login'
  return asked === ENCRYPTION.notSupported ? 'none' : 'all'
}

const ANSWERED: Readonly<Record<Encryption, number>> = {
  none: ENCRYPTION.notSupported,
  login: ENCRYPTION.off,
  all: ENCRYPTION.on,
}

/** The only instance has this name; no name means it, too. */
export const INSTANCE = 'MSSQLSERVER'

const isInstance = (name: string): boolean => name === '' || name.toUpperCase() === INSTANCE

/** The server's side: the first four options always, the others when the client has named them. */
export function preloginAnswer(asked: Prelogin, { number, hasFederation }: Version): Buffer {
  const [major, minor, build] = number
  return writeOptions([
    [TOKEN.version, Buffer.from([major, minor, build >> 8, build & 0xff, 0, 0])],
    [TOKEN.encryption, Buffer.from([ANSWERED[agreedEncryption(asked.encryption)]])],
    [TOKEN.instance, Buffer.from([isInstance(asked.instance) ? 0 : 1])],
    [TOKEN.threadId, Buffer.alloc(0)],
    ...(asked.wantsMars === undefined ? [] : [[TOKEN.mars, Buffer.from([asked.wantsMars ? 1 : 0])] as const]),
    ...(asked.asksFederation && hasFederation ? [[TOKEN.federation, Buffer.from([0])] as const] : []),
  ])
}

function writeOptions(options: readonly (readonly [token: number, content: Buffer])[]): Buffer {
  let at = options.length * OPTION_BYTES + 1
  const list = options.map(([token, { length }]) => {
    const option = Buffer.from([token, 0, 0, 0, length])
    option.writeUInt16BE(at, 1)
    at += length
    return option
  })
  return Buffer.concat([...list, Buffer.from([TOKEN.terminator]), ...options.map(([, content]) => content)])
}
