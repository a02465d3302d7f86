// What a client or a scanner may send to ntpd, drawn at random.
import type { Draw } from '../../../test/draw.ts'
import type { Grammar } from '../../../test/fresh.ts'
import { observeDatagrams } from '../../../test/observe-udp.ts'
import { control, old, time } from '../client.ts'
import { LISTS, NAMES } from './corpus.ts'
import { mask } from './mask.ts'

const SILENCE_MS = 150

function drawList(draw: Draw): string {
  if (draw.chance(0.2)) return draw.pick(LISTS)
  const names = draw.many(1, 6, () => (draw.chance(0.93) ? draw.pick(NAMES) : draw.bytes(1 + draw.int(12))))
  return names.join(draw.pick([',', ', ', ',\r\n', ',,'])) + draw.pick(['', '', ',', '=1'])
}

function drawControl(draw: Draw): Buffer {
  const rare = (most: number): number => (draw.chance(0.85) ? 0 : draw.int(most))
  const data = draw.chance(0.7) ? drawList(draw) : draw.bytes(draw.int(60))
  return control(draw.chance(0.6) ? 2 : draw.int(32), {
    data: draw.chance(0.8) ? data : '',
    association: rare(65_536),
    version: draw.chance(0.8) ? 2 : draw.int(8),
    sequence: draw.int(65_536),
    flags: rare(8) << 5,
    leap: rare(4),
    status: rare(65_536),
    offset: rare(3),
    ...(draw.chance(0.1) && { count: draw.int(data.length + 20) }),
    ...(draw.chance(0.1) && { padding: draw.int(9) }),
  })
}

function drawDatagram(draw: Draw): Buffer {
  const kind = draw.int(10)
  if (kind === 0) return Buffer.from(draw.bytes(1 + draw.int(60)), 'latin1')
  if (kind === 1) return old(draw.int(256), draw.int(8), draw.pick([4, 8, 48, 192]))
  if (kind > 4) return drawControl(draw)
  const version = draw.chance(0.8) ? 1 + draw.int(4) : draw.int(8)
  const length = draw.chance(0.9) ? 48 : 4 * draw.int(18)
  const poll = draw.int(256) - 128
  return time(version, draw.chance(0.8) ? 3 : draw.int(6), {
    poll,
    leap: draw.int(4),
    length,
    sent: draw.bytes(8),
  })
}

/** An empty datagram has no text. */
const question = (draw: Draw): Buffer => {
  const datagram = drawDatagram(draw)
  return datagram.length > 0 ? datagram : time(4, 3)
}

export const grammar: Grammar = {
  masks: [
    {
      name: 'stratum, refid, status and peers of a clock that follows nobody; times, delays, offsets; padding',
      hide: (text) =>
        text
          .split(' ')
          .map((hex) => mask(Buffer.from(hex, 'hex').toString('latin1')))
          .join('\n'),
    },
  ],
  concurrency: 16,
  draw(draw) {
    const datagrams = draw.many(1, 3, () => question(draw))
    return {
      name: datagrams.map((datagram) => datagram.toString('hex')).join(' '),
      async ask(server) {
        const { answers, ...seen } = await observeDatagrams(server, datagrams, SILENCE_MS)
        return {
          ...seen,
          text: answers.map((answer) => Buffer.from(answer, 'latin1').toString('hex')).join(' '),
        }
      },
    }
  },
}
