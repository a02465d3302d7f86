// The error of a command as a sentence: what was wrong, and what would be right.
import { Fault } from '@rookery/kernel/fault.ts'

const UNKNOWN = 'Something went wrong'

/** Whether the user can correct the error. Any other one is a bug, and its stack is printed. */
export const isExplained = (error: unknown): boolean => !explain(error).startsWith(UNKNOWN)

export function explain(error: unknown): string {
  if (error instanceof Fault)
    return [error.message, ...Object.entries(error.details ?? {}).map(([k, v]) => `  ${k} ${v}`)].join('\n')
  const { code, port, address, path } = error as NodeJS.ErrnoException & { port?: number; address?: string }
  if (code === 'EADDRINUSE')
    return `${address ?? ''}:${port ?? ''} is in use by another program. Stop it, or choose another address (\`rookery --help\`).`
  if (code === 'EACCES' && port !== undefined)
    return `Port ${port} needs more rights: choose one above 1023, or give the program CAP_NET_BIND_SERVICE.`
  if (code === 'EADDRNOTAVAIL') return `${address ?? ''} is not an address of this machine.`
  if (path !== undefined) return `${path}: ${(error as Error).message}`
  return `${UNKNOWN}: ${(error as Error).message}`
}
