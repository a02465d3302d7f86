// The SQL Server Browser ([MC-SQLR]): names the instance and its port over UDP.
import type { SessionContext, SessionDefinition } from '../../../../session/session.ts'
import { INSTANCE } from './prelogin.ts'

/** What the browser is asked (2.2.1 to 2.2.3). No administrator may come from elsewhere, so that 2.2.4 has no answer. */
const REQUEST = { allOfNetwork: 0x02, all: 0x03, instance: 0x04 } as const
const RESPONSE = 0x05
const MAX_NAME_BYTES = 32

const SECOND_MS = 1_000
const MAX_DATAGRAM = 65_536

export interface InstanceFacts {
  readonly computer: (derive: SessionContext['derive']) => string
  /** Such as `15.0.2000.5`. */
  readonly version: string
  readonly port: number
}

export function browserSession({
  computer,
  version,
  port,
}: InstanceFacts): SessionDefinition<undefined, Buffer> {
  return {
    limits: { frameBytes: MAX_DATAGRAM, idleMs: SECOND_MS },
    decode: (bytes) => (bytes.length === 0 ? undefined : { frame: bytes, length: bytes.length }),
    open: () => ({ state: undefined }),
    step(state, datagram, context) {
      if (!isAsked(datagram)) return { state }
      return { state, send: answer(computer(context.derive), version, port) }
    },
  }
}

/** The name may have a NUL behind it. */
function isAsked(datagram: Buffer): boolean {
  const [request] = datagram
  if (request !== REQUEST.instance)
    return datagram.length === 1 && (request === REQUEST.all || request === REQUEST.allOfNetwork)
  const name = datagram.toString('latin1', 1).replace(/\0$/, '')
  return name.length <= MAX_NAME_BYTES && name.toUpperCase() === INSTANCE
}

/** SVR_RESP (2.2.5). */
function answer(computer: string, version: string, port: number): Buffer {
  const text = [
    ...['ServerName', computer, 'InstanceName', INSTANCE, 'IsClustered', 'No'],
    ...['Version', version, 'tcp', String(port), '', ''],
  ].join(';')
  const content = Buffer.from(text, 'latin1')
  const header = Buffer.from([RESPONSE, 0, 0])
  header.writeUInt16LE(content.length, 1)
  return Buffer.concat([header, content])
}
