import { readFileSync } from 'node:fs'
import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { handshake } from './handshake.ts'
import { keyPair } from './keys.ts'

interface Vector {
  project: string
  prologue: string
  init_static: string
  init_ephemeral: string
  resp_static: string
  resp_ephemeral: string
  handshake_hash?: string
  messages: { payload: string; ciphertext: string }[]
}
const { vectors } = JSON.parse(readFileSync(new URL('./vectors.golden.json', import.meta.url), 'utf8')) as {
  vectors: Vector[]
}
const bytes = (hex: string) => Buffer.from(hex, 'hex')
const fresh = () => keyPair(randomBytes(32))

const pair = (v?: Vector) => {
  const prologue = v ? bytes(v.prologue) : Buffer.from('test')
  const key = (hex?: string) => (hex ? keyPair(bytes(hex)) : fresh())
  return [
    handshake({
      role: 'initiator',
      staticKey: key(v?.init_static),
      ephemeralKey: key(v?.init_ephemeral),
      prologue,
    }),
    handshake({
      role: 'responder',
      staticKey: key(v?.resp_static),
      ephemeralKey: key(v?.resp_ephemeral),
      prologue,
    }),
  ] as const
}

test.each(vectors)('agrees byte for byte with the vectors of $project', (vector) => {
  const sides = pair(vector)
  vector.messages.forEach(({ payload, ciphertext }, i) => {
    const [writer, reader] = i % 2 === 0 ? sides : ([sides[1], sides[0]] as const)
    const sending = writer.transport()
    const message = sending ? sending.send.encrypt(bytes(payload)) : writer.write(bytes(payload))
    expect(message.toString('hex')).toBe(ciphertext)
    const receiving = reader.transport()
    if (receiving && sending) expect(receiving.receive.decrypt(message)?.toString('hex')).toBe(payload)
    else expect(reader.read(message)).toEqual({ payload: bytes(payload) })
  })
  const hash = sides[0].transport()?.hash
  expect(hash).toEqual(sides[1].transport()?.hash)
  if (vector.handshake_hash) expect(hash?.toString('hex')).toBe(vector.handshake_hash)
  expect(sides[0].remoteKey()).toEqual(keyPair(bytes(vector.resp_static)).publicKey)
  expect(sides[1].remoteKey()).toEqual(keyPair(bytes(vector.init_static)).publicKey)
})

test('messages without payload have 32, 96 and 64 bytes', () => {
  const [initiator, responder] = pair()
  const lengths: number[] = []
  for (const [writer, reader] of [
    [initiator, responder],
    [responder, initiator],
    [initiator, responder],
  ] as const) {
    const message = writer.write()
    lengths.push(message.length)
    expect(reader.read(message)).toEqual({ payload: Buffer.alloc(0) })
  }
  expect(lengths).toEqual([32, 96, 64])
})

// Points whose multiple by any clamped secret is zero (RFC 7748, section 7, and the curve's small subgroup).
const LOW_ORDER = [
  '0000000000000000000000000000000000000000000000000000000000000000',
  '0100000000000000000000000000000000000000000000000000000000000000',
  'e0eb7a7c3b41b8ae1656e3faf19fc46ada098deb9c32b1fd866205165f49b800',
  '5f9c95bca3508c24b1d0b1559c83ef5b04445cc4581c8e86d8224eddd09f1157',
  'ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
  'edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
  'eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
]
test.each(LOW_ORDER)('the low-order key %s is refused', (key) => {
  const [initiator, responder] = pair()
  responder.read(bytes(key))
  expect(() => responder.write()).toThrow('low order')
  initiator.write()
  const answer = Buffer.concat([bytes(key), Buffer.alloc(64)])
  expect(initiator.read(answer)).toEqual({ problem: 'a public key of low order' })
  expect(initiator.read(answer)).toEqual({ problem: 'the handshake has failed before' })
})

test('sides with different prologues do not complete a handshake', () => {
  const [initiator] = pair()
  const responder = handshake({
    role: 'responder',
    staticKey: fresh(),
    ephemeralKey: fresh(),
    prologue: Buffer.from('other'),
  })
  responder.read(initiator.write())
  expect(initiator.read(responder.write())).toEqual({ problem: 'a handshake message that was altered' })
  expect(initiator.remoteKey()).toBeUndefined()
})

test('after a rekey on both sides messages are decrypted; on one side alone they are not', () => {
  const [initiator, responder] = pair()
  responder.read(initiator.write())
  initiator.read(responder.write())
  responder.read(initiator.write())
  const send = initiator.transport()!.send
  const receive = responder.transport()!.receive
  send.rekey()
  receive.rekey()
  expect(receive.decrypt(send.encrypt(Buffer.from('after')))).toEqual(Buffer.from('after'))
  send.rekey()
  expect(receive.decrypt(send.encrypt(Buffer.from('alone')))).toBeUndefined()
})
