// Recorded probes, changed at random: no throw, no hang, no growth.
import { randomBytes } from 'node:crypto'
import { expect, it } from 'vitest'
import { drawFrom } from '../../../test/draw.ts'
import { testContext } from '../../../test/session-context.ts'
import { probes } from './golden/corpus.ts'
import { KEPT_BYTES } from './codec.ts'
import { openServer } from './service.ts'
import { VERSIONS } from './versions.ts'

const CONVERSATIONS = Number(process.env['ROOKERY_MUTATIONS'] ?? 5_000)
/** A greeting, a request to switch, a refusal. */
const MOST_ANSWER_BYTES = 2_000

const seed = process.env['ROOKERY_SEED'] ?? randomBytes(6).toString('hex')
const draw = drawFrom(seed)

/** One to four changes: bits, fields of two and four bytes, missing and doubled pieces. */
function mutated(original: Buffer): Buffer {
  let bytes = Buffer.from(original)
  for (let changes = 1 + draw.int(4); changes > 0 && bytes.length > 8; changes -= 1) {
    const at = draw.int(bytes.length - 4)
    const value = draw.pick([
      0, 1, 0x7f, 0xff, 0xffff, 0x8000, 0x7fff_ffff, 0xffff_ffff, 250, 251, 252, 20, 4,
    ])
    const kind = draw.int(6)
    if (kind === 0) bytes[at]! ^= 1 << draw.int(8)
    else if (kind === 1) bytes.writeUInt16LE(value & 0xffff, at)
    else if (kind === 2) bytes.writeUInt32LE(value, at)
    else if (kind === 3) bytes = Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + 1 + draw.int(4))])
    else if (kind === 4) bytes = Buffer.concat([bytes.subarray(0, at), bytes.subarray(Math.max(0, at - 40))])
    else bytes[at] = draw.int(256)
  }
  return bytes
}

it(`${CONVERSATIONS} changed conversations end without a throw, with short answers (seed ${seed})`, () => {
  const small = probes.filter(({ send }) => send.join('').length < KEPT_BYTES)
  const servers = VERSIONS.map(({ name }) => openServer({ 'dbsrv_b.version': name }))
  for (let count = 0; count < CONVERSATIONS; count += 1) {
    const { send } = draw.pick(small)
    const session = draw.pick(servers).startSession(testContext())
    const replies = [session.open()]
    for (const segment of send) replies.push(...session.receive(mutated(Buffer.from(segment, 'latin1'))))
    session.closed()
    const sent = replies.reduce((sum, reply) => sum + (reply.send?.length ?? 0), 0)
    expect(
      replies.flatMap(({ error }) => error ?? []),
      `${count}`,
    ).toEqual([])
    expect(sent).toBeLessThan(MOST_ANSWER_BYTES)
  }
})
