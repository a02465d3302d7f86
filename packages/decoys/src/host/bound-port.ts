// A port that the host has bound.
import type { Listener } from '../session/session.ts'

export interface BoundPort {
  /** The port that the system has open, offset included. */
  readonly port: number
  /** New settings replace it while the port stays open. */
  listener: Listener
  /** Stops listening and destroys every connection. Resolves after their last events are raised. */
  close(): Promise<void>
}

export const portName = (port: number, transport: string): string =>
  `port ${port}${transport === 'udp' ? ' (UDP)' : ''}`

/** Why a port could not be bound, for people. */
export function bindFailureReason(error: unknown, bind: string, port: number, transport: string): string {
  const code = (error as { code?: string }).code
  const name = portName(port, transport)
  if (code === 'EADDRINUSE') return `${name} is in use`
  if (code === 'EACCES') return `${name} needs a privilege that this process lacks`
  if (code === 'EADDRNOTAVAIL') return `${name} cannot be opened: ${bind} is not an address of this machine`
  return `${name} cannot be opened on ${bind}: ${error instanceof Error ? error.message : String(error)}`
}
