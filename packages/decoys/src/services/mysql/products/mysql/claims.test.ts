// What MySQL's documents and published captures say of MySQL 5.7 and 8.0, each with its page or its section: greeting, login packet,
// TLS, errors.
import { describe, expect, it, test } from 'vitest'
import {
  attributesOf,
  FLAGS,
  framed,
  login,
  NATIVE,
  oldLogin,
  RESPONSE,
  sslRequest,
  USUAL,
} from '../../../../../lab/mysql/client.ts'
import {
  SHA2,
  BOTH,
  bytes,
  hex,
  errorOf,
  refusal,
  denied,
  BAD_HANDSHAKE,
  OLD_CLIENT,
  STRANGER,
  sha2Login,
} from '../../../../../lab/mysql/claims.ts'
import { converse } from '../../../../../lab/mysql/conversation.ts'

interface HandshakeClaim {
  /** Protocol and version. */
  readonly start: string
  /** What stands between both parts of the salt. */
  readonly flags: string
  readonly plugin: string
}

async function expectGreeting(
  version: Parameters<typeof converse>[0],
  { start, flags, plugin }: HandshakeClaim,
): Promise<void> {
  const { greeting, salt } = await converse(version)
  const thread = greeting.payload.subarray(8, 12)
  const parts = [hex(start), thread, salt.subarray(0, 8), hex(flags), salt.subarray(8), hex('00')]
  expect(greeting.payload).toEqual(Buffer.concat([...parts, bytes(`${plugin}\0`)]))
  expect(greeting.payload.length).toBe(0x4a)
}

describe('Protocol::HandshakeV10', () => {
  it('of MySQL 8.0.42 is that of a published capture, but for thread and salt', async () => {
    await expectGreeting('mysql-8.0', {
      start: '0a 38 2e 30 2e 34 32 00',
      flags: '00 ff ff ff 02 00 ff df 15 00 00 00 00 00 00 00 00 00 00',
      plugin: SHA2,
    })
  })

  it('of MySQL 5.7 is that of a published capture of 5.7.37, but for version, thread and salt', async () => {
    await expectGreeting('mysql-5.7', {
      start: '0a 35 2e 37 2e 34 34 00',
      flags: '00 ff ff 08 02 00 ff c1 15 00 00 00 00 00 00 00 00 00 00',
      plugin: NATIVE,
    })
  })

  it.each(BOTH)('%s: a server with CLIENT_SSL has CLIENT_SSL_VERIFY_SERVER_CERT, too', async (version) => {
    const { greeting } = await converse(version)
    const flags = greeting.payload.readUInt16LE(21) + 0x1_0000 * greeting.payload.readUInt16LE(26)
    expect([(flags & FLAGS.ssl) !== 0, (flags & 0x4000_0000) !== 0]).toEqual([true, true])
  })

  it.each(BOTH)('%s: the salt has 20 bytes of seven bits, without NUL and $', async (version) => {
    const random = (length: number): Buffer =>
      Buffer.from([0, 0x80, 36, 0xa4, ...Array<number>(length).fill(0xff)]).subarray(0, length)
    const { salt } = await converse(version, [], { context: { random } })
    expect([...salt.subarray(0, 5)]).toEqual([1, 1, 37, 37, 127])
  })

  it('the first connection to MySQL 8.0 from outside has the number 8, and the next one 9', async () => {
    const boot = { now: () => 0 }
    const { greeting, server } = await converse('mysql-8.0', [], { context: boot })
    expect(greeting.payload.readUInt32LE(8)).toBeGreaterThanOrEqual(8)
    const next = await converse('mysql-8.0', [], { context: boot, server })
    expect(next.greeting.payload.readUInt32LE(8)).toBe(greeting.payload.readUInt32LE(8) + 1)
  })
})

describe('Protocol::HandshakeResponse', () => {
  test.each(BOTH)('%s: an empty packet, or one byte, is none', async (version) => {
    for (const payload of ['', '\x01'])
      expect(refusal(await converse(version, [framed(payload)]))).toEqual(BAD_HANDSHAKE)
  })

  test.each(BOTH)('%s: 31 bytes of protocol 4.1 are none', async (version) => {
    expect(refusal(await converse(version, [framed(login().slice(0, 31))]))).toEqual(BAD_HANDSHAKE)
  })

  test.each(BOTH)('%s: a name without its NUL is none', async (version) => {
    expect(refusal(await converse(version, [framed(login().slice(0, 34))]))).toEqual(BAD_HANDSHAKE)
  })

  test.each(BOTH)('%s: a response longer than the packet is none', async (version) => {
    const cut = login({ plugin: '' }).slice(0, -1)
    expect(refusal(await converse(version, [framed(cut)]))).toEqual(BAD_HANDSHAKE)
  })

  test.each(BOTH)('%s: a database without its NUL is none', async (version) => {
    const cut = login({ database: 'abc', plugin: '' }).slice(0, -1)
    expect(refusal(await converse(version, [framed(cut)]))).toEqual(BAD_HANDSHAKE)
  })

  test.each(BOTH)('%s: attributes longer than the packet, or than 64 KiB, are none', async (version) => {
    for (const attributes of ['\x20abc', `\xfd\0\0\x01${'x'.repeat(65_536)}`, '\xfc\x03', '\xfb', ''])
      expect(
        refusal(await converse(version, [framed(login({ attributes, plugin: NATIVE }))])),
        attributes.slice(0, 4),
      ).toEqual(BAD_HANDSHAKE)
  })

  test('attributes of a usual length are read past', async () => {
    const attributes = attributesOf({ _client_name: 'libmysql', _os: 'Linux' })
    expect(refusal(await converse('mysql-5.7', [framed(login({ attributes }))]))).toEqual(
      denied('root', 'YES'),
    )
  })

  test.each(BOTH)('%s: quotation marks around the name are taken off', async (version) => {
    const { packets } = await converse(
      version,
      [framed(login({ user: "'sa'", plugin: NATIVE })), framed(RESPONSE, 3)],
      {
        context: STRANGER.native,
      },
    )
    expect(errorOf(packets.at(-1))).toEqual(denied('sa', 'YES'))
  })

  test('a name is repeated up to its 48th byte (ER_ACCESS_DENIED_ERROR: %-.48s)', async () => {
    const { message } = refusal(await converse('mysql-5.7', [framed(login({ user: 'u'.repeat(90) }))]))!
    expect(message).toContain(`'${'u'.repeat(48)}'@`)
  })

  test.each(BOTH)(
    '%s: a character set such as ucs2 is none of a client (ER_WRONG_VALUE_FOR_VAR)',
    async (version) => {
      expect(refusal(await converse(version, [framed(login({ collation: 35 }))]))).toEqual({
        code: 1231,
        state: '42000',
        message: "Variable 'character_set_client' can't be set to the value of 'ucs2'",
      })
    },
  )

  test('MySQL 8.0 asks no client of before 5.5.7 for another plug-in: ER_NOT_SUPPORTED_AUTH_MODE', async () => {
    const plain = framed(login({ flags: USUAL & ~FLAGS.pluginAuth, plugin: '' }))
    const conversation = await converse('mysql-8.0', [plain])
    expect(refusal(conversation)).toEqual(OLD_CLIENT)
    expect(conversation.events).toMatchObject([{ fields: { USERNAME: 'root' } }])
  })

  test('MySQL 5.7 takes mysql_native_password of such a client', async () => {
    const plain = framed(login({ flags: USUAL & ~FLAGS.pluginAuth, plugin: '' }))
    expect(refusal(await converse('mysql-5.7', [plain]))).toEqual(denied('root', 'YES'))
  })

  test('a client of 3.23 is refused without SQLSTATE', async () => {
    expect(refusal(await converse('mysql-8.0', [framed(oldLogin({ response: '\0' }))]))).toEqual({
      ...OLD_CLIENT,
      state: '',
    })
  })
})

describe('Protocol::SSLRequest', () => {
  test.each(BOTH)('%s: 32 bytes with CLIENT_SSL begin a handshake', async (version) => {
    const { tls } = await converse(version, [framed(sslRequest())])
    expect(tls?.profile.name).toBe(version)
  })

  test.each(BOTH)('%s: so do the flags alone, as old Connector/J sends them', async (version) => {
    const { tls } = await converse(version, [framed(sslRequest().slice(0, 4))])
    expect(tls?.profile.name).toBe(version)
  })

  test('the fields behind the handshake are not read again: those of the request count', async () => {
    const conversation = await converse('mysql-5.7', [
      framed(sslRequest(USUAL | FLAGS.ssl | FLAGS.withDatabase)),
      framed(login({ flags: 0, database: 'shop', response: '' }).replace('\0shop', 'shop'), 2),
    ])
    expect(refusal(conversation)?.code).toBe(1043)
  })

  test('6.3.2 of the manual of 5.7: TLS 1.0 to 1.2; 8.3.2 of 8.0: TLS 1.2 and 1.3', async () => {
    const versions = async (version: string): Promise<unknown[]> => {
      const { tls } = await converse(version, [framed(sslRequest())])
      const { minVersion, maxVersion } = tls!.profile.options
      return [minVersion, maxVersion]
    }
    expect(await versions('mysql-5.7')).toEqual(['TLSv1', 'TLSv1.2'])
    expect(await versions('mysql-8.0')).toEqual(['TLSv1.2', undefined])
  })
})

describe('Errors', () => {
  test.each(BOTH)(
    '%s: a packet with another number: 1156 with SQLSTATE, as scans of 8.0.32 show it',
    async (version) => {
      for (const sent of [
        'GET / HTTP/1.0\r\n\r\n',
        '\r\n\r\n',
        framed(login(), 0),
        'PROXY TCP4 1.2.3.4 5.6.7.8 1 2\r\n',
      ])
        expect((await converse(version, [sent])).packets, sent.slice(0, 4)).toMatchObject([
          { sequence: 1, payload: bytes('\xff\x84\x04#08S01Got packets out of order') },
        ])
    },
  )

  test('MySQL 8.0 sends 1159 to a client that is silent for 10 s, as captures show; 5.7 closes without a word', async () => {
    const { silence } = await converse('mysql-8.0')
    expect(silence()).toMatchObject({
      send: bytes(framed('\xff\x87\x04#08S01Got timeout reading communication packets', 1)),
      close: 'end',
    })
    expect((await converse('mysql-5.7')).silence()).toMatchObject({ close: 'end' })
    expect((await converse('mysql-5.7')).silence()).not.toHaveProperty('send')
  })

  test('MySQL 8.0 sends 1158 to a client that ends its side before its login; 5.7 and MariaDB close', async () => {
    for (const sent of [[], ['\x20\0\0'], [framed(sslRequest())]]) {
      const { end } = await converse('mysql-8.0', sent)
      const sequence = sent[0]?.length === 36 ? 2 : 1
      expect(end()).toMatchObject({
        send: bytes(framed('\xff\x86\x04#08S01Got an error reading communication packets', sequence)),
        close: 'end',
      })
    }
    for (const version of ['mysql-5.7', 'mariadb-10.11']) {
      const { end } = await converse(version)
      expect(end()?.send).toBeUndefined()
    }
  })

  test('a client of MySQL 8.0 that leaves in the middle of its login gets 1158, too, and is reported', async () => {
    const { end, atEnd } = await converse('mysql-8.0', [sha2Login()])
    expect(end()?.send?.slice(3, 7)).toEqual(bytes('\x03\xff\x86\x04'))
    expect(atEnd()).toMatchObject([{ logtype: '8001', fields: { USERNAME: 'root' } }])
  })

  test('B.3.2.5 of the manual: a host is blocked after 100 errors, and mysqladmin unblocks it', async () => {
    const { server } = await converse('mysql-8.0')
    for (let count = 0; count < 100; count += 1)
      (await converse('mysql-8.0', [framed('')], { server })).atEnd()
    const newcomer = { address: '203.0.113.9', source: '203.0.113.9', open: 0, now: 0, random: Buffer.alloc }
    expect(String(server.crowd.refusal(newcomer))).toMatch(
      /Host '203\.0\.113\.9' is blocked because of many connection errors; unblock with 'mysqladmin flush-hosts'$/,
    )
  })
})

test.each(BOTH)('%s: a banner of the settings takes the place of its own', async (version) => {
  const { greeting } = await converse(version, [], {
    settings: { 'dbsrv_b.banner': '8.0.36-0ubuntu0.22.04.1' },
  })
  expect(greeting.payload.toString('latin1')).toContain('\n8.0.36-0ubuntu0.22.04.1\0')
})
