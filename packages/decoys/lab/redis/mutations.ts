// The recorded probes of Redis and commands of its grammar, changed. Sessions share their server, as they do on a Bird.
import { latin1, type Draw } from '../../test/draw.ts'
import { changeText } from '../../test/mutations/changes.ts'
import { sessionTarget, type MutationTargets } from '../../test/mutations/target.ts'
import type { SessionRunner } from '../../src/session/session.ts'
import { probes } from './redis-server/corpus.ts'
import { drawWords } from './redis-server/templates.ts'
import { redisSession } from '../../src/services/redis/products/redis-server/session.ts'

const PIECES = [
  '\r\n',
  '\n',
  '\0',
  '*1\r\n',
  '*-1\r\n',
  '$-1\r\n',
  '$3\r\n',
  '$99999999999\r\n',
  '-',
  '0',
  '99',
  '\xff',
]
/** Behind so many, a fresh server: a password, a pause or an ACL would refuse the rest. */
const CONVERSATIONS = 500

const encode = (words: readonly string[]): string =>
  `*${words.length}\r\n${words.map((word) => `$${word.length}\r\n${word}\r\n`).join('')}`

/** A server for some conversations, then the next one. */
function oneAfterTheOther(): () => SessionRunner {
  let server = redisSession()
  let conversations = 0
  return () => {
    if (++conversations % CONVERSATIONS === 0) server = redisSession()
    return server
  }
}

const segments = (draw: Draw): readonly Buffer[] =>
  draw.many(1, 4, () =>
    draw.chance(0.5)
      ? latin1(draw.pick(probes).send.join(''))
      : latin1(draw.many(1, 6, () => encode(drawWords(draw))).join('')),
  )

export const mutations: MutationTargets = {
  redis: sessionTarget({
    server: oneAfterTheOther(),
    segments,
    change: changeText(PIECES),
    mostAnswerBytes: 8_000_000,
    mostKeptBytes: 8_000_000,
    leastMeanAnswer: 100,
  }),
}
