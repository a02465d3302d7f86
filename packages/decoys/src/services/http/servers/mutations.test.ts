// Recorded probes, changed at random: no server throws, hangs, or answers without end.
import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { processorTimer } from '@rookery/kernel/test/processor-timer.ts'
import { drawFrom, fragment, type Draw } from '../../../../test/draw.ts'
import { replay } from '../../../../test/replay.ts'
import { descriptor } from '../descriptor.ts'
import { probes } from '../golden/probes.ts'
import { httpSession } from '../session.ts'
import { loadSkin } from '../skin.ts'

const MUTATIONS = Number(process.env['ROOKERY_MUTATIONS'] ?? 2_000)
const SEED = process.env['ROOKERY_SEED'] ?? randomBytes(6).toString('hex')
/** Ten requests in a pipeline, each for the largest page. */
const MOST_ANSWER_BYTES = 200_000
const MOST_MS = 1_000

const PIECES = [
  '\r\n',
  '\n',
  '\r',
  '\0',
  ' ',
  ':',
  '%',
  '/',
  '0',
  'ffffffff',
  '-',
  ',',
  '=',
  '\xff',
  'Range: bytes=',
]

/** One to four changes: other bytes, pieces that mean something, missing and doubled parts. */
function mutated(draw: Draw, original: string): string {
  let text = original
  for (let changes = 1 + draw.int(4); changes > 0 && text.length > 0; changes -= 1) {
    const at = draw.int(text.length)
    const piece = draw.pick([draw.bytes(1), draw.pick(PIECES), text.slice(at, at + draw.int(40)), ''])
    text = text.slice(0, at) + piece + text.slice(at + draw.int(3))
  }
  return text
}

test.each(descriptor.settings['http.skin'].choices)(
  `${MUTATIONS} changed probes to the skin %s are answered within bounds (seed ${SEED})`,
  { timeout: 60_000 + MUTATIONS },
  (skin) => {
    const draw = drawFrom(`${SEED} ${skin}`)
    const startSession = httpSession({ banner: '', skin: loadSkin(skin), headers: {} })
    let answered = 0
    for (let i = 0; i < MUTATIONS; i += 1) {
      const text = mutated(draw, draw.pick(probes).send.join(''))
      const elapsedMs = processorTimer()
      const answer = replay(
        { name: '', send: draw.chance(0.3) ? fragment(draw, text) : [text] },
        startSession,
      )
      expect(elapsedMs(), JSON.stringify(text)).toBeLessThan(MOST_MS)
      expect(answer.text.length, JSON.stringify(text)).toBeLessThan(MOST_ANSWER_BYTES)
      if (answer.text) answered += 1
    }
    expect(answered).toBeGreaterThan(MUTATIONS / 2)
  },
)
