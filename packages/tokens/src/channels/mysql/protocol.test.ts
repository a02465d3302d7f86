import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { mysqlLogin } from '../../client-logins.ts'
import { MAX_LOGIN_BYTES } from '../../login-protocol.ts'
import channel from './channel.ts'
import {
  authSwitch,
  badHandshake,
  badReply,
  clientLogin,
  outOfOrder,
  replyOutOfOrder,
  serverError,
  serverGreeting,
  tooOld,
} from './golden/packets.data.ts'
import { errorPacket, packet } from './packet.ts'
import { mysqlProtocol } from './protocol.ts'
import type { MysqlVisit } from './visit.ts'

const loginOf = (bytes: Buffer) => {
  const step = mysqlProtocol.read(bytes)
  if (step.name !== 'login') throw new Error(`This is no login: ${step.name}`)
  return step.login
}
describe('the greeting', () => {
  it('is that of a real server, but for its challenge and its character set', () => {
    const random = new Uint8Array(20)
    const greeting = Buffer.from(mysqlProtocol.greeting(serverGreeting.connectionId, random))
    const golden = Buffer.from(serverGreeting.bytes)
    const version = golden.indexOf(0, 5)
    golden.fill('!', version + 5, version + 13)
    golden.fill('!', version + 32, version + 44)
    // Debian's configuration sets utf8mb4.
    golden.writeUInt8(45, version + 16)
    expect(greeting.toString('latin1')).toBe(golden.toString('latin1'))
  })

  it('has a challenge without a NUL, whatever is drawn', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 20, maxLength: 20 }), fc.nat(), (random, id) => {
        const greeting = Buffer.from(mysqlProtocol.greeting(id, random))
        expect(greeting.readUIntLE(0, 3)).toBe(greeting.length - 4)
        const version = greeting.indexOf(0, 5)
        const first = greeting.subarray(version + 5, version + 13)
        expect([...first].every((byte) => byte >= 0x21 && byte <= 0x7e)).toBe(true)
      }),
    )
  })
})

describe('a login', () => {
  it('of a real client is read, with what the client says of itself', () => {
    expect(loginOf(clientLogin.bytes)).toEqual(clientLogin.login)
  })

  it('is read as it was written', () => {
    const text = fc.string({ unit: 'grapheme-ascii', maxLength: 80 }).filter((it) => !it.includes('\0'))
    fc.assert(
      fc.property(text, text, fc.uint8Array({ maxLength: 250 }), text, (user, database, password, os) => {
        const bytes = mysqlLogin({ user, database, password, attributes: { _os: os, _pid: '7' } })
        expect(loginOf(bytes)).toEqual({
          user,
          database,
          os,
          clientVersion: '',
          program: '',
          hasPassword: password.length > 0,
        })
      }),
    )
  })

  it('in pieces is read once it is whole', () => {
    const bytes = mysqlLogin({ user: 'root' })
    for (let length = 0; length < bytes.length; length++) {
      const step = mysqlProtocol.read(bytes.subarray(0, length))
      expect(step).toEqual({ name: 'incomplete', bytes: length < 4 ? 4 : bytes.length })
    }
  })

  it('of a client before 4.1 is read', () => {
    const payload = Buffer.from('\x85\x24\0\0\0old\0scramble\0', 'latin1')
    const head = Buffer.from([payload.length, 0, 0, 1])
    expect(mysqlProtocol.read(Buffer.concat([head, payload]))).toMatchObject({
      login: { user: 'old', hasPassword: true },
      refusal: tooOld,
    })
  })

  it('by another plugin is answered as by a real server: with the question for the password', () => {
    const bytes = mysqlLogin({ user: 'root', plugin: 'caching_sha2_password', password: Buffer.alloc(32) })
    const step = mysqlProtocol.read(bytes)
    const question = step.name === 'login' ? step.question : undefined
    const random = Buffer.from(authSwitch.challenge).map((byte) => byte - 0x21)
    expect(question?.ask(random)).toEqual(authSwitch.bytes)
    expect(question?.loginBytes).toBe(bytes.length)
    const reply = (size: number, sequence = 3) => question?.read(packet(sequence, Buffer.alloc(size)))
    expect(reply(20)).toMatchObject({ name: 'login', login: { user: 'root', hasPassword: true } })
    expect(reply(0)).toMatchObject({ name: 'login', login: { user: 'root', hasPassword: false } })
    expect(reply(5)).toEqual({ name: 'refused', answer: badReply })
    expect(reply(9_000)).toEqual({ name: 'refused', answer: badReply })
    expect(reply(20, 9)).toEqual({ name: 'refused', answer: replyOutOfOrder })
    expect(question?.read(packet(3, Buffer.alloc(20)).subarray(0, 9))).toEqual({
      name: 'incomplete',
      bytes: 24,
    })
  })

  it('with a password of another length than its plugin has is a bad handshake, and still a login', () => {
    const step = mysqlProtocol.read(mysqlLogin({ user: 'root', password: Buffer.alloc(5) }))
    expect(step).toMatchObject({ name: 'login', login: { user: 'root' }, refusal: badHandshake })
  })

  it('that is broken behind its user is one without the rest', () => {
    const bytes = mysqlLogin({ user: 'root', database: 'crm', attributes: { _os: 'Linux' } })
    for (let cut = bytes.length - 1; cut > 4 + 32 + 4; cut--) {
      const broken = Buffer.from(bytes.subarray(0, cut))
      broken.writeUIntLE(cut - 4, 0, 3)
      expect(loginOf(broken).user).toBe('root')
    }
  })

  it('without a user that ends, one that asks for TLS, and one that is too long, is a bad handshake', () => {
    const bytes = mysqlLogin({ user: 'root' })
    for (const [length, size] of [
      [4 + 32, 32],
      [4 + 32 + 3, 35],
      [4 + 1, 1],
      [4, 0],
      [4, MAX_LOGIN_BYTES],
    ] as const) {
      const wrong = Buffer.from(bytes.subarray(0, length))
      wrong.writeUIntLE(size, 0, 3)
      expect(mysqlProtocol.read(wrong)).toEqual({ name: 'refused', answer: badHandshake })
    }
  })

  it('of any bytes is read without a throw, and kept short', () => {
    const changes = fc.array(fc.tuple(fc.nat(400), fc.nat(255)), { maxLength: 12 })
    const bytes = mysqlLogin({ user: 'u'.repeat(300), database: 'd', attributes: { _os: 'Linux' } })
    fc.assert(
      fc.property(changes, fc.uint8Array(), (changed, more) => {
        const mutated = Buffer.concat([bytes, more])
        for (const [at, byte] of changed) mutated[at % mutated.length] = byte
        const step = mysqlProtocol.read(mutated)
        if (step.name === 'incomplete') expect(step.bytes).toBeLessThanOrEqual(MAX_LOGIN_BYTES)
        if (step.name === 'login')
          for (const text of Object.values(step.login)) expect(String(text).length).toBeLessThanOrEqual(256)
      }),
    )
  })
})

it('a packet out of order, and what is no MySQL at all, is refused as by a real server', () => {
  const late = mysqlLogin({ user: 'root' })
  late.writeUInt8(2, 3)
  for (const bytes of [late, Buffer.from('GET / HTTP/1.1\r\n\r\n'), Buffer.from('\x16\x03\x01\x02\0')])
    expect(mysqlProtocol.read(bytes)).toEqual({ name: 'refused', answer: outOfOrder })
})

it('the refusal is that of a real server', () => {
  const visit: MysqlVisit = {
    ...clientLogin.login,
    channel: 'mysql',
    srcHost: serverError.srcHost,
    dstPort: 3_306,
    headers: {},
  }
  expect(errorPacket(channel.blank(visit))).toEqual(serverError.bytes)
})
