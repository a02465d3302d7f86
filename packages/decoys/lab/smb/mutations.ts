// The recorded conversations of SMB, of each of which one message is changed; what the server keeps is looked at, too.
import { changeBytes } from '../../test/mutations/changes.ts'
import { feed } from '../../test/mutations/feed.ts'
import type { MutationTarget, MutationTargets } from '../../test/mutations/target.ts'
import { smbConfig } from '../../src/services/smb/products/windows/config.ts'
import { sambaMutations } from './samba/mutations.ts'
import { firstState, smbSession } from '../../src/services/smb/products/windows/session.ts'
import {
  MAX_OPENS,
  MAX_SESSIONS,
  MAX_TREES,
  MAX_WAITING,
  opensOf,
} from '../../src/services/smb/protocol/state.ts'
import type { SmbState } from '../../src/services/smb/products/windows/state.ts'
import { fixedContext, SETTINGS, transcripts } from './windows/transcript.ts'

/** The largest read, and what stands around it, again and again. */
const MAX_ANSWER_BYTES = 1_400_000
const MAX_CREDITS = 1_024

const change = changeBytes([64, 65])
const { derive } = fixedContext(0)
const definition = smbSession(smbConfig(SETTINGS))

const conversations = transcripts()
  .flatMap(([, transcript]) =>
    transcript.conversations.map(({ exchanges }, connection) => ({
      connection,
      chunks: exchanges.map(({ client }) => Buffer.from(client, 'base64')),
    })),
  )
  .filter(({ chunks }) => chunks.length > 0)

/** What there is too much of. */
function surplus(state: SmbState, sent: number): string | undefined {
  const counts: readonly (readonly [name: string, count: number, most: number])[] = [
    ['bytes of answers', sent, MAX_ANSWER_BYTES],
    ['sessions', state.sessions.size, MAX_SESSIONS],
    ['requests that wait', state.waiting.size, MAX_WAITING],
    ['credits', state.window.used.size, MAX_CREDITS],
    ['open files', opensOf(state).length, MAX_OPENS],
    ...[...state.sessions.values()].map(({ trees }) => ['trees', trees.size, MAX_TREES] as const),
  ]
  const found = counts.find(([, count, most]) => count > most)
  return found && `${found[1]} ${found[0]}`
}

const changed: MutationTarget = {
  async converse(draw) {
    const { chunks, connection } = draw.pick(conversations)
    const target = draw.int(chunks.length)
    const sent = chunks.map((chunk, at) => (at === target ? change(draw, chunk) : chunk))
    const context = { ...fixedContext(connection), derive }
    const { state, sent: answers } = await feed(definition, firstState(), sent, context)
    const fault = surplus(state, answers.length)
    return { frames: 1, answerBytes: answers.length, ...(fault !== undefined && { fault }) }
  },
  // Where most changes ended the conversation, it would be 430, and it is 600 to 650.
  leastMeanAnswer: 500,
}

export const mutations: MutationTargets = { smb: changed, 'smb as Samba': sambaMutations }
