// Bytes that are changed, cut and repeated: the session answers or closes, and never throws.
import { expect, test } from 'vitest'
import { drawFrom, type Draw } from '../../../../../test/draw.ts'
import type { Act } from './golden/client.ts'
import { drawCorpus } from './golden/corpus.ts'
import { replaySamba } from './golden/replay.ts'

const ROUNDS = Number(process.env['ROOKERY_MUTATIONS'] ?? 5)
const seed = process.env['ROOKERY_SEED'] ?? 'samba-mutations'

/** Changes some bytes behind the transport's header, or where the message ends. */
function changed(draw: Draw, bytes: Buffer): Buffer {
  const copy = Buffer.from(bytes)
  for (const at of draw.many(1, 4, () => draw.int(copy.length))) copy[at] = draw.int(256)
  if (draw.chance(0.7)) bytes.copy(copy, 0, 0, Math.min(16, bytes.length))
  return draw.chance(0.1) ? copy.subarray(0, draw.int(copy.length + 1)) : copy
}

const mutated = (draw: Draw, script: readonly Act[]): Act[] =>
  script.map((act, i) => ({
    ...act,
    send: (client) => {
      const bytes = act.send(client)
      return draw.chance(i < 4 ? 0.05 : 0.6) ? changed(draw, bytes) : bytes
    },
  }))

test(`mutated scripts of seed ${seed}`, () => {
  const draw = drawFrom(seed)
  let answers = 0
  for (let round = 0; round < ROUNDS; round += 1)
    for (const script of drawCorpus()) answers += replaySamba(mutated(draw, script)).text.split('\n').length
  expect(answers).toBeGreaterThan(1_000)
})
