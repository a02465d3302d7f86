// What a manager or a scanner may ask net-snmp's agent, drawn at random.
import { element, integer, octets, TAG } from '../../../src/services/snmp/protocol/ber.ts'
import { PDU } from '../../../src/services/snmp/protocol/message.ts'
import { latin1, type Draw } from '../../../test/draw.ts'
import type { Grammar } from '../../../test/fresh.ts'
import { observeDatagrams, type DatagramStep } from '../../../test/observe-udp.ts'
import { binding, message, NULL, pdu, userMessage } from '../client.ts'
import { described } from './mask.ts'
import { NAMES } from './names.ts'

const SILENCE_MS = 250

const COMMUNITIES = [...Array<string>(12).fill('public'), 'private', 'Public', 'public ', '', 'cisco', '\xff']
const TAGS = [
  PDU.get,
  PDU.get,
  PDU.getNext,
  PDU.getNext,
  PDU.getNext,
  PDU.getBulk,
  PDU.getBulk,
  PDU.set,
  0xa2,
  0xa4,
  0xa6,
  0xa7,
  0xa8,
]

const nameOf = (draw: Draw): string =>
  draw.chance(0.85)
    ? draw.pick(NAMES)
    : `1.3.6.1.2.1.${draw.pick(['1', '25.1'])}.${draw.int(12)}.${draw.int(3)}`

function valueOf(draw: Draw): Buffer {
  const bytes = latin1(draw.bytes(draw.int(6)))
  return draw.pick([
    NULL,
    octets(bytes),
    integer(draw.int(70_000) - 300),
    integer(draw.int(70_000), TAG.gauge32),
  ])
}

function pduOf(draw: Draw): Buffer {
  const tag = draw.pick(TAGS)
  const bindings = draw.many(draw.chance(0.03) ? 0 : 1, draw.chance(0.6) ? 1 : 4, () =>
    binding(nameOf(draw), tag === PDU.set || draw.chance(0.05) ? valueOf(draw) : NULL),
  )
  // Few repetitions: the decoy's answer has 1,472 bytes at most.
  const numbers: readonly [number, number] =
    tag === PDU.getBulk
      ? [draw.int(4) - 1, draw.int(7) - 1]
      : draw.chance(0.9)
        ? [0, 0]
        : [draw.int(7), draw.int(7)]
  return pdu(tag, bindings, [draw.int(0x7fff_ffff), ...numbers])
}

/** Some of its bytes are others, or missing. */
function broken(draw: Draw, whole: Buffer): Buffer {
  const bytes = Buffer.from(whole)
  const at = draw.int(bytes.length)
  switch (draw.int(4)) {
    case 0:
      return bytes.subarray(0, at)
    case 1:
      return Buffer.concat([bytes, latin1(draw.bytes(1 + draw.int(8)))])
    case 2:
      bytes[draw.int(12) % bytes.length] = draw.pick([0, 1, 0x7f, 0x80, 0x81, 0x82, 0xff])
      return bytes
    default:
      return Buffer.concat([bytes.subarray(0, at), latin1(draw.bytes(1)), bytes.subarray(at)])
  }
}

const USERS = ['', 'root', 'admin', 'authPrivUser', 'x', 'x'.repeat(32), 'x'.repeat(33)]

/** The engine that an answer tells. */
function engineOf(answer: string): Buffer {
  const at = answer.indexOf('\x80\0')
  return at < 1 ? Buffer.alloc(0) : latin1(answer.slice(at, at + answer.charCodeAt(at - 1)))
}

/** Discovery, and what comes behind it. */
function userSteps(draw: Draw): readonly DatagramStep[] {
  const first = userMessage(pdu(PDU.get, []), { messageId: draw.int(0x7fff_ffff) })
  const [content, user, flags] = [pduOf(draw), draw.pick(USERS), draw.pick([4, 4, 0, 5, 2, 6])]
  const [messageId, context] = [draw.int(0x7fff_ffff), draw.pick(['', '', 'abc'])]
  const [boots, time] = [draw.int(3), draw.int(1_000)]
  const isKnown = draw.chance(0.7)
  return [
    first,
    ([answer = '']) => {
      const engineId = isKnown ? engineOf(answer) : Buffer.from('80001f8804616263', 'hex')
      return userMessage(content, { engineId, user, flags, messageId, context, boots, time })
    },
  ]
}

function stepsOf(draw: Draw): readonly DatagramStep[] {
  if (draw.chance(0.15)) return userSteps(draw)
  const whole = message(draw.pick([0, 1, 1, 1]), draw.pick(COMMUNITIES), pduOf(draw))
  if (draw.chance(0.12)) return [broken(draw, whole)]
  if (draw.chance(0.03)) return [message(draw.pick([2, 4, -1]), 'public', pduOf(draw))]
  if (draw.chance(0.02)) return [latin1(draw.bytes(1 + draw.int(60)))]
  if (draw.chance(0.02)) return [element(0x30, integer(1), integer(5), pduOf(draw))]
  return [whole]
}

export const grammar: Grammar = {
  masks: [{ name: 'names and times of the machine and its agent', hide: (text) => text }],
  concurrency: 8,
  draw(draw) {
    const steps = stepsOf(draw)
    const name = steps
      .map((step) => (typeof step === 'function' ? '(by its engine)' : step.toString('hex')))
      .join(' ')
    return {
      name,
      async ask(server) {
        const { answers, ...seen } = await observeDatagrams(server, steps, SILENCE_MS)
        return { ...seen, text: answers.map((answer) => described(latin1(answer))).join('\n') }
      },
    }
  },
}
