// Conversations of real tools with the decoy: what they sent, what it answered, and what it reported.
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { deriveFrom, testContext } from '../../../test/session-context.ts'
import { sessionRunner } from '../../../src/session/session-runner.ts'
import type { BirdSettings, DecoyEvent, Reply, SessionContext } from '../../../src/session/session.ts'
import { smbConfig } from '../../../src/services/smb/products/windows/config.ts'
import { descriptor } from '../../../src/services/smb/descriptor.ts'
import { smbSession } from '../../../src/services/smb/products/windows/session.ts'
import { TREE } from './client.ts'

export interface Exchange {
  /** Base64, as one piece of the stream. */
  readonly client: string
  readonly server: string
}

export interface Conversation {
  readonly exchanges: readonly Exchange[]
  readonly events: readonly DecoyEvent[]
  readonly isClosed: boolean
}

export interface Transcript {
  /** The command that was run. */
  readonly command: string
  /** One of each connection, in the order in which they were opened. */
  readonly conversations: readonly Conversation[]
}

const GOLDEN = new URL('./', import.meta.url)

export const transcripts = (): readonly (readonly [name: string, transcript: Transcript])[] =>
  readdirSync(GOLDEN)
    .filter((name) => name.endsWith('.json'))
    .map((name) => [name, JSON.parse(readFileSync(new URL(name, GOLDEN), 'utf8')) as Transcript])

/** Those under which the transcripts were recorded. */
export const SETTINGS: BirdSettings = {
  ...Object.fromEntries(Object.entries(descriptor.settings).map(([key, { default: value }]) => [key, value])),
  'smb.enabled': true,
  'smb.netbiosname': 'FILES',
  'smb.sharecomment': 'Files of the office',
  'smb.filetree': TREE,
}

/** A world in which the same bytes always get the same answers. */
export function fixedContext(connection: number): SessionContext {
  let drawn = 0
  return testContext({
    derive: deriveFrom('bird-1'),
    random: (length) =>
      createHash('shake256', { outputLength: length })
        .update(`random/${connection}/${(drawn += 1)}`)
        .digest(),
    src: { host: '203.0.113.9', port: 40_000 },
    dst: { host: '192.0.2.1', port: 445 },
  })
}

/** A session in that world, which keeps what was said. `connection`: its number, from 0. */
export function fixedSession(connection: number) {
  const session = sessionRunner(smbSession(smbConfig(SETTINGS)))(fixedContext(connection))
  const exchanges: Exchange[] = []
  const events: DecoyEvent[] = []
  let isClosed = false
  const take = (replies: readonly Reply[]): Buffer => {
    const parts: Buffer[] = []
    for (const { send = '', events: raised = [], close, error } of replies) {
      if (error !== undefined) throw new Error('the session threw', { cause: error })
      events.push(...raised)
      parts.push(Buffer.from(send))
      isClosed ||= close !== undefined
    }
    if (session.hasMore) parts.push(take(session.resume()))
    return Buffer.concat(parts)
  }
  take([session.open()])
  return {
    receive(bytes: Buffer): Buffer {
      const answer = take(session.receive(bytes))
      exchanges.push({ client: bytes.toString('base64'), server: answer.toString('base64') })
      return answer
    },
    isClosed: () => isClosed,
    conversation: (): Conversation => ({ exchanges, events, isClosed }),
  }
}
