// What a client may send to tftpd-hpa, drawn at random: requests, and transfers block by block.
import type { Draw } from '../../../test/draw.ts'
import type { Grammar } from '../../../test/fresh.ts'
import { observeDatagrams } from '../../../test/observe-udp.ts'
import { abort, ack, data, readRequest, words, writeRequest } from '../client.ts'
import { isFast, MISSING, MODES, NAMES, VALUES } from './corpus.ts'

/** Shorter than the second after which it repeats. */
const SILENCE_MS = 250

/** A name that nobody has written yet. */
const newFile = (draw: Draw): string =>
  `f${draw.int(2 ** 31)}${draw.chance(0.1) ? draw.pick(['/', '/x', '\xff']) : ''}`

const mode = (draw: Draw): string => (draw.chance(0.85) ? draw.pick(['octet', 'netascii']) : draw.pick(MODES))

function options(draw: Draw): (readonly [string, string])[] {
  if (draw.chance(0.4)) return []
  return draw
    .many(1, 4, () => {
      const name = draw.chance(0.9) ? draw.pick(NAMES) : draw.bytes(4).replaceAll('\0', 'a')
      const value = draw.chance(0.7) ? draw.pick(VALUES) : String(draw.int(70_000))
      return [draw.chance(0.2) ? name.toUpperCase() : name, value] as const
    })
    .filter(([name, value]) => !isFast(name.toLowerCase(), value))
}

/** What a client says next, right or wrong. A short block would be read with bytes of the last one behind it. */
function turn(draw: Draw, isWrite: boolean, block: number): Buffer {
  const number = draw.chance(0.85) ? block : draw.int(4)
  const isOdd = draw.chance(0.1)
  if (isOdd && draw.chance(0.3)) return abort(draw.int(9), 'stop')
  if (isWrite === isOdd) return ack(number)
  return data(number, draw.pick(['', 'short', 'x'.repeat(512), 'x'.repeat(512), 'y'.repeat(600)]))
}

function drawDatagrams(draw: Draw): readonly Buffer[] {
  const kind = draw.int(12)
  if (kind === 0)
    return [words(draw.pick([0, 3, 4, 5, 6, 7, draw.int(65_536)]), draw.pick(MISSING), mode(draw))]
  if (kind === 1)
    return [words(1 + draw.int(2), ...draw.many(0, 4, () => draw.bytes(draw.int(12)).replaceAll('\0', 'b')))]
  if (kind < 5) {
    const name = draw.chance(0.7) ? draw.pick(MISSING) : draw.bytes(1 + draw.int(300)).replaceAll('\0', 'c')
    return [readRequest(name, mode(draw), options(draw))]
  }
  const isWrite = draw.chance(0.5)
  const request = isWrite
    ? writeRequest(newFile(draw), mode(draw), options(draw))
    : readRequest(
        draw.pick(['startup-config', '/startup-config', '../startup-config']),
        mode(draw),
        options(draw),
      )
  const first = isWrite ? 1 : draw.int(2)
  return [request, ...draw.many(0, 6, () => 0).map((_, at) => turn(draw, isWrite, first + at))]
}

export const grammar: Grammar = {
  masks: [],
  concurrency: 12,
  draw(draw) {
    const datagrams = drawDatagrams(draw)
    return {
      name: datagrams.map((datagram) => JSON.stringify(datagram.toString('latin1').slice(0, 80))).join(' '),
      ask: (server) => observeDatagrams(server, datagrams, SILENCE_MS),
    }
  },
}
