// Recorded probes, changed at random: no throw, no hang, no growth.
import { randomBytes } from 'node:crypto'
import { expect, it } from 'vitest'
import { drawFrom } from '../../../test/draw.ts'
import { testContext } from '../../../test/session-context.ts'
import { descriptors } from '../../descriptors.gen.ts'
import { defaultSettings } from '../../../test/default-settings.ts'
import { probes } from './golden/corpus.ts'
import service from './service.ts'

const CONVERSATIONS = Number(process.env['ROOKERY_MUTATIONS'] ?? 5_000)
const MOST_ANSWER_BYTES = 200

const seed = process.env['ROOKERY_SEED'] ?? randomBytes(6).toString('hex')
const draw = drawFrom(seed)

/** One to three changes: other bytes, missing and doubled pieces. */
function mutated(original: string): Buffer {
  let text = original
  for (let changes = 1 + draw.int(3); changes > 0 && text.length > 0; changes -= 1) {
    const at = draw.int(text.length)
    const piece = draw.pick([draw.bytes(1), draw.bytes(4), '', text.slice(at, at + draw.int(20)), '9', '-'])
    text = text.slice(0, at) + piece + text.slice(at + draw.int(3))
  }
  return Buffer.from(text, 'latin1')
}

it(`${CONVERSATIONS} changed conversations end without a throw, with short answers (seed ${seed})`, () => {
  const settings = defaultSettings(descriptors, { 'device.name': 'desk', 'vnc.enabled': true })
  const { startSession } = service.listeners(settings)[0]!
  for (let count = 0; count < CONVERSATIONS; count += 1) {
    const session = startSession(testContext())
    const replies = [session.open()]
    for (const segment of draw.pick(probes).send) replies.push(...session.receive(mutated(segment)))
    session.closed()
    expect(
      replies.flatMap(({ error }) => error ?? []),
      `${count}`,
    ).toEqual([])
    expect(replies.reduce((sum, { send = '' }) => sum + send.length, 0)).toBeLessThan(MOST_ANSWER_BYTES)
  }
})
