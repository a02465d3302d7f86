import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  CANCEL_REQUEST,
  GSSENC_REQUEST,
  postgresRequest,
  postgresStart,
  SSL_REQUEST,
} from '../../client-logins.ts'
import channel from './channel.ts'
import { errorResponse } from './error-response.ts'
import { clientStart, serverErrors, serverRefusal } from './golden/messages.data.ts'
import { postgresProtocol } from './protocol.ts'
import type { PostgresVisit } from './visit.ts'

const loginOf = (bytes: Buffer) => {
  const step = postgresProtocol.read(bytes)
  if (step.name !== 'login') throw new Error(`This is no login: ${step.name}`)
  return step.login
}

describe('a start', () => {
  it('of a real client is read', () => {
    expect(loginOf(clientStart.bytes)).toEqual(clientStart.login)
  })

  it('is read as it was written; the database is that of the user where none is named', () => {
    const text = fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 80 })
    fc.assert(
      fc.property(text, text, text, (user, database, application_name) => {
        expect(loginOf(postgresStart({ user, database, application_name }))).toEqual({
          user,
          database,
          applicationName: application_name,
        })
        expect(loginOf(postgresStart({ user, client_encoding: 'UTF8' }))).toEqual({
          user,
          database: user,
          applicationName: '',
        })
      }),
    )
  })

  it('of a later minor version is one', () => {
    expect(loginOf(postgresStart({ user: 'a' }, 0x3_0002)).user).toBe('a')
  })

  it('in pieces is read once it is whole', () => {
    const bytes = postgresStart({ user: 'postgres' })
    for (let length = 0; length < bytes.length; length++) {
      const step = postgresProtocol.read(bytes.subarray(0, length))
      expect(step).toEqual({ name: 'incomplete', bytes: length < 8 ? 8 : bytes.length })
    }
  })

  it.each(serverErrors)('that is wrong is refused as by a real server: $wrong', ({ sent, answer }) => {
    const step = postgresProtocol.read(sent)
    expect(step).toMatchObject({ name: 'refused' })
    expect(step.name === 'refused' && Buffer.from(step.answer).toString('latin1')).toBe(
      answer.toString('latin1'),
    )
  })
})

describe('before the start', () => {
  it('TLS and GSSAPI are not offered', () => {
    for (const request of [SSL_REQUEST, GSSENC_REQUEST])
      expect(postgresProtocol.read(request)).toEqual({
        name: 'request',
        bytes: 8,
        answer: Buffer.from('N'),
      })
  })

  it('a cancel request, a length that none has, and another protocol, get no answer', () => {
    const long = postgresRequest(0x3_0000)
    long.writeUInt32BE(10_001)
    const short = postgresRequest(0x3_0000)
    short.writeUInt32BE(7)
    for (const bytes of [CANCEL_REQUEST, long, short, Buffer.from('GET / HTTP/1.1\r\n\r\n')])
      expect(postgresProtocol.read(bytes)).toEqual({ name: 'refused', answer: Buffer.alloc(0) })
  })

  it('any bytes are read without a throw, and kept short', () => {
    const changes = fc.array(fc.tuple(fc.nat(400), fc.nat(255)), { maxLength: 12 })
    const bytes = postgresStart({ user: 'u'.repeat(300), database: 'd', application_name: 'psql' })
    fc.assert(
      fc.property(changes, fc.uint8Array(), (changed, more) => {
        const mutated = Buffer.concat([bytes, more])
        for (const [at, byte] of changed) mutated[at % mutated.length] = byte
        const step = postgresProtocol.read(mutated)
        if (step.name === 'incomplete') expect(step.bytes).toBeLessThanOrEqual(10_000)
        if (step.name === 'login')
          for (const text of Object.values(step.login)) expect(text.length).toBeLessThanOrEqual(256)
      }),
    )
  })
})

it('the refusal is that of a real server', () => {
  const visit: PostgresVisit = {
    ...clientStart.login,
    channel: 'postgres',
    srcHost: serverRefusal.srcHost,
    dstPort: 5_432,
    headers: {},
  }
  expect(errorResponse(channel.blank(visit))).toEqual(serverRefusal.bytes)
})

it('the refusal of a login is a FATAL error, whatever its names hold', () => {
  const visit: PostgresVisit = {
    channel: 'postgres',
    user: 'é'.repeat(60),
    database: 'a\0b',
    applicationName: '',
    srcHost: '192.0.2.7',
    dstPort: 5_432,
    headers: {},
  }
  const bytes = errorResponse(channel.blank(visit))
  expect(bytes.readUInt32BE(1)).toBe(bytes.length - 1)
  const fields = bytes.subarray(5).toString().split('\0')
  expect(fields.slice(0, 3)).toEqual(['SFATAL', 'VFATAL', 'C28000'])
  expect(fields.slice(-2)).toEqual(['', ''])
  expect(fields[3]).toContain('host "192.0.2.7"')
})
