// One call of a command: its arguments, its client and its server.
import type { LineWork } from '../../../../../session/line-work.ts'
import type { SessionContext } from '../../../../../session/session.ts'
import type { ClientOf } from './client.ts'
import type { ServerOf } from './server.ts'

export type Client = ClientOf<Command>
export type Server = ServerOf<Client>

export interface Call {
  /** The command's name first. */
  readonly args: readonly string[]
  readonly server: Server
  readonly client: Client
  readonly context: SessionContext
  readonly now: number
  /** What the line may cost, with all that it makes others do. */
  readonly work: LineWork
}

export type Command = (call: Call) => string
