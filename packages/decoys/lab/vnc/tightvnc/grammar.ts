// What a client may send to TightVNC, drawn at random.
import type { Draw } from '../../../test/draw.ts'
import type { Grammar } from '../../../test/fresh.ts'
import { JUNK, version, VERSIONS, VNC_AUTH } from '../client.ts'
import { responses, sentSomehow } from '../drawn-dialogue.ts'
import { forgetTries, TIGHT, TIGHT_TYPES, VNC_AUTH_BY_TIGHT } from './client.ts'
import { mask } from './mask.ts'

/** A dialogue as clients hold it, turn by turn; each may be wrong. */
function drawTurns(draw: Draw): string[] {
  if (draw.chance(0.06)) return [draw.chance(0.5) ? draw.pick(JUNK) : draw.bytes(1 + draw.int(40))]
  const first = draw.chance(0.6) ? version(draw.pick([3, 7, 8, 8, 8])) : draw.pick(VERSIONS)
  if (draw.chance(0.1)) return [first.slice(0, draw.int(13))]
  if (/00[0-6]\n$/.test(first)) return [first, ...responses(draw)]
  const kind = draw.int(10)
  if (kind < 4) return [first, VNC_AUTH, ...responses(draw)]
  if (kind < 8) return [first, TIGHT, ...tight(draw)]
  return [first, draw.chance(0.5) ? draw.bytes(1) : draw.pick(['\0', '\x01', '\x05', '\x12', '\x13', '\x1e'])]
}

function tight(draw: Draw): string[] {
  if (draw.chance(0.7)) return [VNC_AUTH_BY_TIGHT, ...responses(draw)]
  return [draw.chance(0.6) ? draw.pick(TIGHT_TYPES) : draw.bytes(1 + draw.int(8))]
}

export const grammar: Grammar = {
  masks: [{ name: 'challenge', hide: mask }],
  // Who sends a part of a message holds all others up.
  concurrency: 1,
  reset: forgetTries,
  draw: (draw) => sentSomehow(draw, drawTurns(draw)),
}
