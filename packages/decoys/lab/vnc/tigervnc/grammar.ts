// What a client may send to a VNC server, drawn at random.
import type { Draw } from '../../../test/draw.ts'
import type { Endurance } from '../../../test/endurance.ts'
import type { Grammar } from '../../../test/fresh.ts'
import { JUNK, SUB_TYPES, VENCRYPT, version, VERSIONS, VNC_AUTH } from '../client.ts'
import { responses, sentSomehow } from '../drawn-dialogue.ts'
import { mask } from './mask.ts'

const masks = [{ name: 'challenge', hide: mask }]

const minorOf = (draw: Draw): number => draw.pick([3, 7, 8, 8, 8])

/** A dialogue as clients hold it, turn by turn; each may be wrong. */
function drawTurns(draw: Draw): string[] {
  if (draw.chance(0.06)) return [draw.chance(0.5) ? draw.pick(JUNK) : draw.bytes(1 + draw.int(40))]
  const minor = minorOf(draw)
  const first = draw.chance(0.6) ? version(minor) : draw.pick(VERSIONS)
  if (draw.chance(0.1)) return [first.slice(0, draw.int(13))]
  if (/00[0-6]\n$/.test(first)) return [first, ...responses(draw)]
  const kind = draw.int(10)
  if (kind < 5) return [first, VNC_AUTH, ...responses(draw)]
  if (kind < 8) return [first, VENCRYPT, ...veNCrypt(draw)]
  return [first, draw.chance(0.5) ? draw.bytes(1) : draw.pick(['\0', '\x01', '\x05', '\x10', '\x12', '\x1e'])]
}

function veNCrypt(draw: Draw): string[] {
  const chosen = draw.chance(0.75)
    ? '\0\x02'
    : draw.chance(0.5)
      ? draw.pick(['\0\0', '\0\x01', '\0\x03', '\x01\0', '\0'])
      : draw.bytes(2)
  if (draw.chance(0.2)) return [chosen]
  return [chosen, draw.chance(0.7) ? draw.pick(SUB_TYPES) : draw.bytes(1 + draw.int(6))]
}

export const grammar: Grammar = {
  masks,
  concurrency: 8,
  draw: (draw) => sentSomehow(draw, drawTurns(draw)),
}

export const endurance: Endurance = {
  request: version(8),
  drips: [
    { name: 'a version', first: '', rest: version(8) },
    { name: 'a security type late', first: version(8), rest: VNC_AUTH },
    { name: 'a response', first: version(8) + VNC_AUTH, rest: '0123456789abcdef' },
  ],
}
