// The recorded dialogues, changed at random: no throw, no hang, no growth. `ROOKERY_MUTATIONS=1000000` takes minutes.
import { randomBytes } from 'node:crypto'
import { expect, it } from 'vitest'
import { drawFrom, type Draw } from '../../../test/draw.ts'
import { dialogues } from './golden/dialogues.ts'
import { telnetDefaults } from './testing/defaults.ts'
import type { Dialogue } from './testing/dialogue.ts'
import { replayDialogue } from './testing/replay.ts'

const SEGMENTS = Number(process.env['ROOKERY_MUTATIONS'] ?? 5_000)
/** A list of all special characters, some options and five rounds of login, for each byte that is sent. */
const MOST_ANSWER_BYTES = 100_000

const seed = process.env['ROOKERY_SEED'] ?? randomBytes(6).toString('hex')
const draw = drawFrom(seed)

/** One to four changes: other, missing and doubled bytes. */
function mutated(text: string, from: Draw): string {
  let bytes = text
  for (const _ of from.many(1, 4, () => 0)) {
    const at = from.int(bytes.length + 1)
    const piece = from.pick([
      bytes.slice(at, at + 1 + from.int(8)),
      from.bytes(1 + from.int(4)),
      '\xff',
      '\xff\xfa',
    ])
    bytes = bytes.slice(0, at) + piece + bytes.slice(at + from.int(4))
  }
  return bytes
}

const startSession = telnetDefaults()

it(`${SEGMENTS} changed segments are answered without a throw, and with bounded answers`, () => {
  for (let segments = 0; segments < SEGMENTS;) {
    const { name, turns } = draw.pick(dialogues) as Dialogue
    const changed = turns.map(({ send }) => ({ send: draw.chance(0.7) ? mutated(send, draw) : send }))
    segments += changed.length
    const { said } = replayDialogue({ name, turns: changed }, startSession)
    expect(said.join('').length, `seed ${seed}: ${name}`).toBeLessThan(MOST_ANSWER_BYTES)
  }
}, 3_600_000)
