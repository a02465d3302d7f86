// Requests of SIP, changed, by UDP and TCP.
import { fragment, latin1 } from '../../test/draw.ts'
import { changeText } from '../../test/mutations/changes.ts'
import { sessionTarget, type MutationTargets } from '../../test/mutations/target.ts'
import { sipByTcp, sipByUdp } from '../../src/services/sip/products/asterisk/session.ts'
import { REQUESTS } from './requests.ts'

const PIECES = [
  '\r\n',
  '\n',
  '\r',
  ' ',
  '\t',
  ':',
  ';',
  ',',
  '<',
  '>',
  '"',
  '\0',
  '\xff',
  'SIP/2.0',
  'Via: ',
  'l: 9\r\n',
  ';rport',
]

export const mutations: MutationTargets = {
  'sip by UDP': sessionTarget({
    server: () => sipByUdp,
    segments: (draw) => [latin1(draw.pick(REQUESTS))],
    change: changeText(PIECES),
    mostAnswerBytes: 1_472,
    leastMeanAnswer: 50,
  }),
  sip: sessionTarget({
    server: () => sipByTcp,
    segments: (draw) => {
      const text = draw.many(1, 3, () => draw.pick(REQUESTS)).join('')
      return (draw.chance(0.3) ? fragment(draw, text) : [text]).map(latin1)
    },
    change: changeText(PIECES),
    mostAnswerBytes: 40_000,
    leastMeanAnswer: 50,
  }),
}
