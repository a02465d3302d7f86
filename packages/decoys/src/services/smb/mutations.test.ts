// Recorded frames, changed at random: no throw, no hang, no growth.
import { randomBytes } from 'node:crypto'
import { expect, it } from 'vitest'
import { processorTimer } from '@rookery/kernel/test/processor-timer.ts'
import { deriveFrom } from '../../../test/session-context.ts'
import { smbConfig } from './config.ts'
import { firstState, smbSession } from './session.ts'
import { MAX_OPENS, MAX_SESSIONS, MAX_TREES, MAX_WAITING, opensOf, type SmbState } from './state.ts'
import { draw } from '../../own/draw.ts'
import { fixedContext, SETTINGS, transcripts } from './testing/transcript.ts'

const CONVERSATIONS = Number(process.env['ROOKERY_MUTATIONS'] ?? 5_000)
/** The largest read, and what stands around it. */
const MOST_ANSWER_BYTES = 1_400_000

const seed = process.env['ROOKERY_SEED'] ?? randomBytes(6).toString('hex')
const from = draw(deriveFrom(seed), 'mutations')

/** One to four changes of a stream: bits, fields of two and four bytes, missing and doubled pieces. */
function mutated(original: Buffer): Buffer {
  let bytes = Buffer.from(original)
  for (let changes = from.between(1, 4); changes > 0 && bytes.length > 8; changes -= 1) {
    const at = from.between(0, bytes.length - 5)
    const value = from.pick([0, 1, 0x7f, 0xff, 0xffff, 0x8000, 0x7fffffff, 0xffffffff, 64, 65, 4])
    switch (from.between(0, 5)) {
      case 0:
        bytes[at]! ^= 1 << from.between(0, 7)
        break
      case 1:
        bytes.writeUInt16LE(value & 0xffff, at)
        break
      case 2:
        bytes.writeUInt32LE(value, at)
        break
      case 3:
        bytes = Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + from.between(1, 4))])
        break
      case 4:
        bytes = Buffer.concat([bytes.subarray(0, at), bytes.subarray(Math.max(0, at - 40))])
        break
      default:
        bytes[at] = from.between(0, 255)
    }
  }
  return bytes
}

const { derive } = fixedContext(0)
const definition = smbSession(smbConfig(SETTINGS))

/** Runs a stream to its end or its close; answers the last state, and how many bytes were sent. */
function run(chunks: readonly Buffer[], connection: number): { state: SmbState; sent: number } {
  const context = { ...fixedContext(connection), derive }
  let state = firstState()
  let sent = 0
  let waiting: Buffer = Buffer.alloc(0)
  for (const chunk of chunks) {
    waiting = Buffer.concat([waiting, chunk])
    for (;;) {
      const decoded = definition.decode(waiting, state)
      if (!decoded || !('frame' in decoded)) break
      expect(decoded.length).toBeGreaterThan(0)
      waiting = waiting.subarray(decoded.length)
      const step = definition.step(state, decoded.frame, context)
      expect(step.send?.length ?? 0).toBeLessThan(MOST_ANSWER_BYTES)
      state = step.state
      sent += step.send?.length ?? 0
      if (step.close) return { state, sent }
    }
    if (waiting.length > definition.limits.frameBytes) return { state, sent }
  }
  return { state, sent }
}

it(`${CONVERSATIONS} changed conversations leave a bounded state (seed ${seed})`, () => {
  const conversations = transcripts().flatMap(([, transcript]) =>
    transcript.conversations.map(({ exchanges }, connection) => ({
      connection,
      chunks: exchanges.map(({ client }) => Buffer.from(client, 'base64')),
    })),
  )
  let answered = 0
  for (let i = 0; i < CONVERSATIONS; i += 1) {
    const { chunks, connection } = from.pick(conversations)
    const target = from.between(0, chunks.length - 1)
    const elapsedMs = processorTimer()
    const changed = chunks.map((chunk, at) => (at === target ? mutated(chunk) : chunk))
    const { state, sent } = run(changed, connection)
    expect(elapsedMs(), `conversation ${i}`).toBeLessThan(2_000)
    answered += sent
    expect(state.sessions.size).toBeLessThanOrEqual(MAX_SESSIONS)
    expect(state.waiting.size).toBeLessThanOrEqual(MAX_WAITING)
    expect(state.window.used.size).toBeLessThanOrEqual(1_024)
    expect(opensOf(state).length).toBeLessThanOrEqual(MAX_OPENS)
    for (const { trees } of state.sessions.values()) expect(trees.size).toBeLessThanOrEqual(MAX_TREES)
  }
  // Where most changes ended the conversation, it would be 430 bytes each.
  expect(answered).toBeGreaterThan(CONVERSATIONS * 550)
})
