// The recorded probes of a proxy, changed.
import { fragment, latin1 } from '../../test/draw.ts'
import { changeText } from '../../test/mutations/changes.ts'
import { sessionTarget, type MutationTargets } from '../../test/mutations/target.ts'
import { squidSession } from '../../src/services/httpproxy/products/squid/session.ts'
import { probes } from './squid/corpus.ts'

const PIECES = [
  '\r\n',
  '\n',
  '\r',
  '\0',
  ' ',
  ':',
  '@',
  '[',
  ']',
  '%',
  '/',
  '0',
  '.',
  '\xff',
  ' HTTP/1.1\r\n',
]

const server = squidSession({ banner: 'squid/5.7', port: 3_128, hostName: () => 'host-1' })

export const mutations: MutationTargets = {
  httpproxy: sessionTarget({
    server: () => server,
    segments: (draw) => {
      const text = draw.many(1, 2, () => draw.pick(probes).send.join('')).join('')
      return (draw.chance(0.3) ? fragment(draw, text) : [text]).map(latin1)
    },
    change: changeText(PIECES),
    // Each line of a few bytes may be a request of HTTP/0.9, and a long URL stands in its page three times.
    mostAnswerBytes: 300_000,
    leastMeanAnswer: 1_000,
  }),
}
