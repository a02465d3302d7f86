// What a client may send to git daemon, drawn at random.
import { fragment, type Draw } from '../../../test/draw.ts'
import type { Endurance } from '../../../test/endurance.ts'
import type { Grammar } from '../../../test/fresh.ts'
import { observe } from '../../../test/observe.ts'
import { packet } from '../../../src/services/git/protocol/codec.ts'
import { request } from '../client.ts'
import { COMMANDS, EXTRAS, HOSTS, JUNK, PATHS } from './corpus.ts'

const SILENCE_MS = 250

const path = (draw: Draw): string =>
  draw.chance(0.6) ? draw.pick(PATHS) : `/${draw.bytes(1 + draw.int(60)).replaceAll('\0', '0')}`

const host = (draw: Draw): string | undefined =>
  draw.chance(0.15) ? undefined : draw.chance(0.7) ? draw.pick(HOSTS) : draw.bytes(1 + draw.int(20))

/** Bytes of it are others, or none. */
function spoiled(draw: Draw, text: string): string {
  const at = draw.int(text.length + 1)
  return text.slice(0, at) + draw.bytes(draw.int(3)) + text.slice(at + draw.int(3))
}

function drawRequest(draw: Draw): string {
  const kind = draw.int(12)
  if (kind === 0) return draw.pick(JUNK)
  if (kind === 1) return draw.bytes(1 + draw.int(60))
  if (kind === 2) return packet(draw.bytes(draw.int(80)))
  const whole = request(
    draw.pick(COMMANDS),
    path(draw),
    host(draw),
    draw.chance(0.5) ? draw.pick(EXTRAS) : [],
  )
  if (kind === 3) return spoiled(draw, whole)
  if (kind === 4) return packet(spoiled(draw, whole.slice(4)))
  if (kind === 5) return whole.slice(0, draw.int(whole.length))
  return kind === 6 ? whole + draw.pick(['0000', '0009done\n', draw.bytes(3)]) : whole
}

export const grammar: Grammar = {
  masks: [],
  // The real one serves 32 at a time.
  concurrency: 16,
  draw(draw) {
    const text = drawRequest(draw)
    const send = draw.chance(0.3) ? fragment(draw, text) : [text]
    const ends = draw.chance(0.2)
    return {
      name: `${JSON.stringify(send)}${ends ? ', and the end' : ''}`,
      ask: (server, patience) => observe(server, send, SILENCE_MS, patience, ends),
    }
  },
}

const whole = request('upload-pack', '/r.git', 'a.example', ['version=2'])

export const endurance: Endurance = {
  request: whole,
  drips: [{ name: 'a request', first: '', rest: whole }],
}
