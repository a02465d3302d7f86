// The error of a command as a sentence: what was wrong, and what would be right.
import type { Config } from '@rookery/console/config/config.ts'
import { LOG_SAYS_WHY, outageReason } from '@rookery/console/db/postgres/errors.ts'
import { hostPort } from '@rookery/console/addresses/host-port.ts'
import { OPTIONS, type OptionName } from '@rookery/console/config/options.ts'
import { Fault } from '@rookery/kernel/fault.ts'

const UNKNOWN = 'Something went wrong'

const CHECK_URL =
  'PostgreSQL must run there, and know the user, the password and the database of ROOKERY_DATABASE_URL.'

/** The result code of SQLite (sqlite.org/rescode.html). */
const SQLITE_FULL = 13

/** What errors of Node carry: those of a file, of listening, of `node:sqlite`. */
interface SystemError extends NodeJS.ErrnoException {
  readonly errcode?: number
  readonly port?: number
  readonly address?: string
}

/** Whether the user can correct the error. Any other one is a bug, and its stack is printed. */
export const isExplained = (error: unknown): boolean => !explain(error).startsWith(UNKNOWN)

export function explain(error: unknown): string {
  if (error instanceof Fault) {
    const details = Object.entries(error.details ?? {}).map(([k, v]) => `  ${k} ${v}`)
    const reason = error.code === 'unavailable' ? outageReason(error.cause) : undefined
    if (reason === undefined) return [error.message, ...details].join('\n')
    return [error.message.replace(LOG_SAYS_WHY, ''), ...details, `  ${reason}`, `  ${CHECK_URL}`].join('\n')
  }
  const { code, errcode, port, address, path } = error as SystemError
  if (code === 'EADDRINUSE')
    return `${address ?? ''}:${port ?? ''} is in use by another program. Stop it, or choose another address.`
  if (code === 'EACCES' && port !== undefined)
    return `Port ${port} needs more rights: choose one above 1023, or give the program CAP_NET_BIND_SERVICE.`
  if (code === 'EADDRNOTAVAIL') return `${address ?? ''} is not an address of this machine.`
  if (errcode === SQLITE_FULL) return 'The disk is full. Free some space, or name a folder on another disk.'
  if (path !== undefined) return `${path}: ${(error as Error).message}`
  return `${UNKNOWN}: ${(error as Error).message}`
}

/** An error of listening, with the option that names the address; any other error as it is. */
export function withListenOption(error: unknown, config: Config): unknown {
  const { address, port, syscall } = error as SystemError & NodeJS.ErrnoException
  if (port === undefined || (syscall !== 'listen' && syscall !== 'bind')) return error
  const name = (Object.keys(OPTIONS) as OptionName[]).find((it) => {
    if (!it.endsWith('_LISTEN')) return false
    const asked = hostPort(config[it])
    return asked.host === address && asked.port === port
  })
  return name === undefined ? error : new Fault('bad-input', `${name}: ${explain(error)}`, { cause: error })
}
