// Which console is called, and with which key. The key of this machine's console is never sent to another.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { environment, readConfig } from '@rookery/console/config/config.ts'
import { localAddress } from '@rookery/console/addresses/reachable-address.ts'
import { UsageError } from './usage-error.ts'
import type { CommandLine } from './command-line.ts'

export interface Connection {
  readonly baseUrl: string
  /** Empty when none was found. */
  readonly key: string
}

export function readConnection(flags: CommandLine['flags']): Connection {
  const env = environment()
  const dataDir = flags['data-dir']
  const config = readConfig(env, dataDir === undefined ? {} : { ROOKERY_DATA_DIR: dataDir })
  const localUrl = config.ROOKERY_PUBLIC_URL || `http://${localAddress(config.ROOKERY_LISTEN)}`
  const baseUrl = (flags.console ?? localUrl).replace(/\/+$/, '')
  if (!URL.canParse(baseUrl) || !/^https?:$/.test(new URL(baseUrl).protocol))
    throw new UsageError(`--console must be an http(s) URL, not ${JSON.stringify(baseUrl.slice(0, 200))}.`)
  const isLocal = flags.console === undefined || baseUrl === localUrl || isLoopback(new URL(baseUrl).hostname)
  return {
    baseUrl,
    key: findKey(
      flags['key-file'],
      env['ROOKERY_API_KEY'],
      isLocal ? join(config.ROOKERY_DATA_DIR, 'admin.key') : undefined,
    ),
  }
}

function findKey(
  file: string | undefined,
  variable: string | undefined,
  adminKeyFile: string | undefined,
): string {
  if (file !== undefined) return checkKey(read(file), `--key-file ${file}`)
  if (variable !== undefined && variable !== '') return checkKey(variable.trim(), 'ROOKERY_API_KEY')
  return adminKeyFile !== undefined && existsSync(adminKeyFile)
    ? checkKey(read(adminKeyFile), adminKeyFile)
    : ''
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8').trim()
  } catch (error) {
    throw new UsageError(`The API key cannot be read: ${(error as Error).message}.`)
  }
}

/** Without this check the content of a wrong file would be sent to the console as a header. */
function checkKey(key: string, from: string): string {
  if (/^[0-9a-f]{32}$/i.test(key)) return key.toLowerCase()
  throw new UsageError(`${from} is no API key: it must be 32 hex digits.`)
}

const isLoopback = (hostname: string): boolean =>
  hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d{1,3}){3}$/.test(hostname)
