// git daemon without repositories: each request is refused, and what is none is closed without a byte.
import { readable } from '../../../../session/readable.ts'
import { sessionRunner } from '../../../../session/session-runner.ts'
import type { Step } from '../../../../session/session.ts'
import { decode, MAX_PACKET, packet, type Frame, type Request } from '../../protocol/codec.ts'
import { REFUSAL, SERVICES } from './profile.ts'

/** It reads one request, and waits for it as long as it takes. */
type State = undefined

const HOST = /^host=([^\0]*)(?:\0|$)/i
const COMMAND = new RegExp(`^git-(?:${SERVICES.join('|')}) (.*)$`, 's')

export const gitSession = sessionRunner<State, Frame>({
  limits: { frameBytes: MAX_PACKET + 4, idleMs: 600_000 },
  decode,
  open: () => ({ state: undefined }),
  step: (state, frame) => ({ state, ...(frame === 'broken' ? {} : answer(frame)), close: 'close' }),
  idle: (state) => ({ state }),
})

function answer({ line, extra = '' }: Request): Partial<Step<State>> {
  const repository = COMMAND.exec(line)?.[1]
  const [named = '', host = ''] = HOST.exec(extra) ?? []
  if (repository === undefined) return {}
  const refusal = Buffer.from(packet(REFUSAL + repository), 'latin1')
  const isAnswered = isRead(host, extra.slice(named.length)) && refusal.length <= MAX_PACKET
  return {
    events: [{ logtype: '19001', fields: { HOST: readable(host), REPO: readable(repository) } }],
    ...(isAnswered && { send: refusal }),
  }
}

/** It dies of a bracket that does not end the name, and of a first word that is not its host. */
const isRead = (host: string, rest: string): boolean =>
  (rest === '' || rest.startsWith('\0')) && (!host.startsWith('[') || /^\[[^\]]*\](?::.*)?$/s.test(host))
