// A bound port. Who stands behind it may change while it is open.
import type { Listener } from '../session.ts'

export interface Door {
  /** The port the system gave, with the offset. */
  readonly port: number
  listener: Listener
  /** Stops listening and cuts every connection; the last events are raised before it resolves. */
  close(): Promise<void>
}

/** Why a port could not be bound, for people. */
export function bindFailure(error: unknown, bind: string, port: number, transport: string): string {
  const code = (error as { code?: string }).code
  const name = `port ${port}${transport === 'udp' ? ' (UDP)' : ''}`
  if (code === 'EADDRINUSE') return `${name} is in use`
  if (code === 'EACCES') return `${name} needs a privilege that this process lacks`
  if (code === 'EADDRNOTAVAIL') return `${name} cannot be opened: ${bind} is not an address of this machine`
  return `${name} cannot be opened on ${bind}: ${error instanceof Error ? error.message : String(error)}`
}
