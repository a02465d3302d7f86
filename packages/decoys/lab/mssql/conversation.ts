// A SQL Server without a socket, and what it says to a client.
import { testContext } from '../../test/session-context.ts'
import type { DecoyEvent, Reply, SessionContext } from '../../src/session/session.ts'
import { openServer } from '../../src/services/mssql/service.ts'
import { VERSIONS, versionNamed } from '../../src/services/mssql/products/sql-server/profile.ts'
import { packet, packetsOf, refusalOf, TYPE, type Refusal, type ServerPacket } from './client.ts'

/** The name of the machine in these tests. */
export const NAMES = { 'smb.netbiosname': 'DB-7', 'smb.workgroup': 'OFFICE' }
export const VERSION_NAMES = VERSIONS.map(({ name }) => name)

export interface Conversation {
  readonly packets: readonly ServerPacket[]
  readonly events: readonly DecoyEvent[]
  readonly replies: readonly Reply[]
  readonly isClosed: boolean
  /** Events at the end of the connection. */
  readonly atEnd: () => readonly DecoyEvent[]
}

/** What becomes of these segments. */
export function converse(
  segments: readonly Buffer[],
  {
    version = '2019',
    names = NAMES,
    context = {},
    server = openServer(versionNamed(version), names),
  }: {
    readonly version?: string
    readonly names?: Readonly<Record<string, unknown>>
    readonly context?: Partial<SessionContext>
    readonly server?: ReturnType<typeof openServer>
  } = {},
): Conversation {
  const session = server(testContext(context))
  const replies = [session.open()]
  for (const segment of segments) {
    replies.push(...session.receive(segment))
    while (session.hasMore) replies.push(...session.resume())
  }
  for (const { error } of replies)
    if (error !== undefined) throw new Error('the session threw', { cause: error })
  return {
    packets: packetsOf(Buffer.concat(replies.map(({ send = '' }) => Buffer.from(send)))),
    events: replies.flatMap(({ events = [] }) => events),
    replies,
    isClosed: replies.some(({ close }) => close !== undefined),
    atEnd: () => session.closed(),
  }
}

/** The refusal of a login that is sent alone. */
export function refusalTo(login: Buffer, version = '2019'): Refusal {
  const { packets } = converse([packet(TYPE.login, login)], { version })
  return refusalOf(packets[0]!.payload, login.readUInt32LE(4) >>> 24 >= 0x72)
}
