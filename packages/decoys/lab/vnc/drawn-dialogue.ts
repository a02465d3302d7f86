// What drawn dialogues with every VNC server have in common.
import { fragment, type Draw } from '../../test/draw.ts'
import type { FreshProbe } from '../../test/fresh.ts'
import { converse } from './converse.ts'

/** What follows a challenge: its response, or too few or too many bytes. */
export const responses = (draw: Draw): string[] =>
  draw.chance(0.15) ? [draw.bytes(draw.int(16))] : [draw.bytes(draw.chance(0.85) ? 16 : 17 + draw.int(30))]

/** The dialogue in its turns, all at once, or in pieces. */
export function sentSomehow(draw: Draw, turns: readonly string[]): FreshProbe {
  const how = draw.int(5)
  const sent = how === 0 ? [turns.join('')] : how === 1 ? fragment(draw, turns.join('')) : turns
  return {
    name: `${how === 1 ? 'in pieces ' : ''}${JSON.stringify(sent)}`,
    ask: (server, patience) => converse(server, sent, how === 1, patience),
  }
}
