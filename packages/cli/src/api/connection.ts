// Which console is asked, and with which key. The key of this machine's console is never sent to another.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { environment, readConfig } from '@rookery/console/config.ts'
import { hostPort } from '@rookery/console/net/host-port.ts'
import { UsageError } from './usage-error.ts'
import type { Words } from './words.ts'

export interface Connection {
  readonly baseUrl: string
  /** Empty when none was found. */
  readonly key: string
}

export function readConnection(own: Words['own']): Connection {
  const env = environment()
  const dataDir = own['data-dir']
  const config = readConfig(env, dataDir === undefined ? {} : { ROOKERY_DATA_DIR: dataDir })
  const here = config.ROOKERY_PUBLIC_URL || `http://${reachable(config.ROOKERY_LISTEN)}`
  const baseUrl = (own.console ?? here).replace(/\/+$/, '')
  if (!URL.canParse(baseUrl) || !/^https?:$/.test(new URL(baseUrl).protocol))
    throw new UsageError(`--console must be an http(s) URL, not ${JSON.stringify(baseUrl.slice(0, 200))}.`)
  const isHere = own.console === undefined || baseUrl === here || isLoopback(new URL(baseUrl).hostname)
  return {
    baseUrl,
    key: keyOf(
      own['key-file'],
      env['ROOKERY_API_KEY'],
      isHere ? join(config.ROOKERY_DATA_DIR, 'admin.key') : undefined,
    ),
  }
}

function keyOf(file: string | undefined, given: string | undefined, own: string | undefined): string {
  if (file !== undefined) return checked(read(file), `--key-file ${file}`)
  if (given !== undefined && given !== '') return checked(given.trim(), 'ROOKERY_API_KEY')
  return own !== undefined && existsSync(own) ? checked(read(own), own) : ''
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8').trim()
  } catch (error) {
    throw new UsageError(`No key can be read: ${(error as Error).message}`)
  }
}

/** A wrong file would else go out as a header, whatever it holds. */
function checked(key: string, from: string): string {
  if (/^[0-9a-f]{32}$/i.test(key)) return key.toLowerCase()
  throw new UsageError(`${from} holds no API key: one has 32 hex digits.`)
}

/** What listens everywhere is reached at loopback. */
function reachable(listen: string): string {
  const { host, port } = hostPort(listen)
  if (host === '0.0.0.0') return `127.0.0.1:${port}`
  if (host === '::') return `[::1]:${port}`
  return listen
}

const isLoopback = (hostname: string): boolean =>
  hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d{1,3}){3}$/.test(hostname)
