// What MySQL's documents say of the plug-ins of MySQL 5.7 and 8.0, each with its page.
import { describe, expect, test } from 'vitest'
import { COMMON_PASSWORDS } from '../../../../session/common-passwords.data.ts'
import { FLAGS, framed, login, NATIVE, sslRequest, USUAL } from '../../../../../lab/mysql/client.ts'
import { UNKNOWN_PASSWORD } from '../../protocol/guess.ts'
import {
  SHA2,
  SHA256,
  SCRAMBLE,
  bytes,
  passwordOf,
  refusal,
  denied,
  BAD_HANDSHAKE,
  STRANGER,
  sha2Login,
  scrambleOf,
  encrypted,
} from '../../../../../lab/mysql/claims.ts'
import { converse, type Conversation } from '../../../../../lab/mysql/conversation.ts'

describe('mysql_native_password', () => {
  test('MySQL 5.7 refuses a response of 20 bytes by 1045, YES', async () => {
    const conversation = await converse('mysql-5.7', [framed(login())])
    expect(refusal(conversation)).toEqual(denied('root', 'YES'))
    expect(conversation.events).toMatchObject([{ logtype: '8001', fields: { PASSWORD: UNKNOWN_PASSWORD } }])
    expect(conversation.close).toBe('close')
  })

  test('without a response: 1045, NO', async () => {
    expect(refusal(await converse('mysql-5.7', [framed(login({ response: '' }))]))).toEqual(
      denied('root', 'NO'),
    )
  })

  test('a response of another length is a bad handshake', async () => {
    for (const length of [1, 8, 19, 21, 32])
      expect(
        refusal(await converse('mysql-5.7', [framed(login({ response: 'r'.repeat(length) }))])),
        `${length}`,
      ).toEqual(BAD_HANDSHAKE)
  })

  test('MySQL 5.7 asks a client of caching_sha2_password to switch, by the salt of its greeting', async () => {
    const { packets, salt } = await converse('mysql-5.7', [sha2Login()])
    expect(packets[0]!.payload).toEqual(Buffer.concat([bytes(`\xfe${NATIVE}\0`), salt, bytes('\0')]))
    expect(packets[0]!.sequence).toBe(2)
  })

  test('MySQL 8.0 asks for it with the salt of its greeting, even a client that names it', async () => {
    const named = framed(login({ user: 'app', plugin: NATIVE }))
    const { packets, salt } = await converse('mysql-8.0', [named], { context: STRANGER.native })
    expect(packets[0]!.payload).toEqual(Buffer.concat([bytes(`\xfe${NATIVE}\0`), salt, bytes('\0')]))
  })
})

describe('Caching_sha2_password information', () => {
  test('a client of another plug-in is asked to switch (Protocol::AuthSwitchRequest)', async () => {
    const { packets, salt } = await converse('mysql-8.0', [framed(login())])
    expect(packets[0]!.payload).toEqual(Buffer.concat([bytes(`\xfe${SHA2}\0`), salt, bytes('\0')]))
    expect(packets[0]!.sequence).toBe(2)
  })

  test('case 5B: an empty response, or one NUL, is no password', async () => {
    for (const response of ['', '\0']) {
      const conversation = await converse('mysql-8.0', [sha2Login({ response })])
      expect(refusal(conversation)).toEqual(denied('root', 'NO'))
      expect(passwordOf(conversation)).toBe('')
    }
  })

  test('a scramble of other than 32 bytes is refused at once', async () => {
    for (const length of [2, 20, 31, 33])
      expect(
        refusal(await converse('mysql-8.0', [sha2Login({ response: 'r'.repeat(length) })])),
        `${length}`,
      ).toEqual(denied('root', 'YES'))
  })

  test('a scramble is in no cache: perform_full_authentication (4) in Protocol::AuthMoreData', async () => {
    const { packets, events } = await converse('mysql-8.0', [sha2Login()])
    expect(packets).toMatchObject([{ sequence: 2, payload: bytes('\x01\x04') }])
    expect(events).toEqual([])
  })

  test('case 2D: a client that leaves then is reported with its scramble', async () => {
    const { atEnd, salt } = await converse('mysql-8.0', [sha2Login({ user: 'root' })])
    expect(atEnd()).toMatchObject([
      {
        logtype: '8001',
        fields: {
          USERNAME: 'root',
          CLIENT_HASH: bytes(SCRAMBLE).toString('hex'),
          SALT: salt.toString('hex'),
          PASSWORD: UNKNOWN_PASSWORD,
        },
      },
    ])
  })

  test('a common password is read from the scramble', async () => {
    const password = COMMON_PASSWORDS.at(-1)!
    const { atEnd } = await converse('mysql-8.0', [
      framed(login()),
      (salt: Buffer) => framed(scrambleOf(password, salt), 3),
    ])
    expect(atEnd()).toMatchObject([{ fields: { PASSWORD: password } }])
  })

  test('case 2A: through TLS the password comes in clear, and the login is refused', async () => {
    const conversation = await converse('mysql-8.0', [
      framed(sslRequest()),
      framed(login({ flags: USUAL | FLAGS.ssl, plugin: SHA2, response: SCRAMBLE }), 2),
      framed('Tr0ub4dor&3\0', 4),
    ])
    expect(conversation.packets[0]).toMatchObject({ sequence: 3, payload: bytes('\x01\x04') })
    expect(refusal(conversation)).toEqual(denied('root', 'YES'))
    expect(conversation.packets.at(-1)!.sequence).toBe(5)
    expect(passwordOf(conversation)).toBe('Tr0ub4dor&3')
    expect(conversation.events).toHaveLength(1)
  })

  test('case 2C: request_public_key (2) gets the key of 2,048 bits as PEM', async () => {
    const { packets } = await converse('mysql-8.0', [sha2Login(), framed('\x02', 3)])
    const { payload, sequence } = packets.at(-1)!
    expect([sequence, payload.length]).toEqual([4, 452])
    expect(payload.toString('latin1', 1)).toMatch(
      /^-----BEGIN PUBLIC KEY-----\n[^]*\n-----END PUBLIC KEY-----\n$/,
    )
  })

  test('case 2C: what is encrypted with that key is the password, without the salt', async () => {
    const conversation = await converse('mysql-8.0', [
      sha2Login(),
      framed('\x02', 3),
      (salt: Buffer, last: Buffer) =>
        framed(encrypted('correct horse battery staple', salt, last.subarray(1)), 5),
    ])
    expect(refusal(conversation)).toEqual(denied('root', 'YES'))
    expect(conversation.packets.at(-1)!.sequence).toBe(6)
    expect(conversation.events).toMatchObject([
      {
        fields: {
          USERNAME: 'root',
          PASSWORD: 'correct horse battery staple',
          CLIENT_HASH: bytes(SCRAMBLE).toString('hex'),
        },
      },
    ])
  })

  test('case 2B: a client that has the key may send the password at once', async () => {
    const { packets } = await converse('mysql-8.0', [sha2Login(), framed('\x02', 3)])
    const key = packets.at(-1)!.payload.subarray(1)
    const conversation = await converse('mysql-8.0', [
      sha2Login(),
      (salt: Buffer) => framed(encrypted('winter', salt, key), 3),
    ])
    expect([refusal(conversation), passwordOf(conversation)]).toEqual([denied('root', 'YES'), 'winter'])
  })

  test('bytes that the key does not decrypt, or too few, are refused as any password', async () => {
    for (const sent of ['\xff'.repeat(256), 'p'.repeat(255), 'secret\0', ''])
      expect(refusal(await converse('mysql-8.0', [sha2Login(), framed(sent, 3)])), `${sent.length}`).toEqual(
        denied('root', 'YES'),
      )
  })
})

describe('unknown users', () => {
  test('MySQL 8.0 draws a plug-in for each and remembers it, MySQL 5.7 has one for all', async () => {
    const asked = (version: string, server?: Conversation['server']): Promise<Conversation> =>
      converse(version, [framed(login({ user: 'nobody', plugin: 'none' }))], server && { server })
    const first = await asked('mysql-8.0')
    const plugin = first.packets[0]!.payload.toString('latin1', 1).split('\0')[0]
    expect([SHA2, NATIVE, SHA256]).toContain(plugin)
    for (let again = 0; again < 5; again += 1)
      expect((await asked('mysql-8.0', first.server)).packets[0]!.payload.toString('latin1')).toContain(
        plugin,
      )
    expect((await asked('mysql-5.7')).packets[0]!.payload.toString('latin1')).toContain(NATIVE)
  })

  test.each([
    ['a', SHA2, STRANGER.sha2],
    ['b', NATIVE, STRANGER.native],
    ['c', SHA256, STRANGER.sha256],
  ])('stranger %s is asked for %s', async (user, plugin, context) => {
    const { packets } = await converse('mysql-8.0', [framed(login({ user, plugin: 'none' }))], { context })
    expect(packets[0]!.payload.toString('latin1')).toContain(`\xfe${plugin}\0`)
  })
})

describe('SHA-256 authentication', () => {
  const start = framed(login({ user: 'app', plugin: SHA256, response: '\x01' }))
  const options = { context: STRANGER.sha256 }

  test('the switch to it has a salt of its own', async () => {
    let draws = 0
    const random = (length: number): Buffer =>
      length === 4 ? Buffer.from([0, 0, 0, 2]) : Buffer.alloc(length, 0x50 + (draws += 1))
    const { packets, salt } = await converse('mysql-8.0', [start], { context: { random } })
    expect(packets[0]!.payload.subarray(-21, -1).equals(salt)).toBe(false)
  })

  test('1 asks for the public key, and the password is read with the salt of the switch', async () => {
    const conversation = await converse(
      'mysql-8.0',
      [
        start,
        framed('\x01', 3),
        (salt: Buffer, last: Buffer) => framed(encrypted('Pa55word!', salt, last.subarray(1)), 5),
      ],
      options,
    )
    expect([refusal(conversation), passwordOf(conversation)]).toEqual([denied('app', 'YES'), 'Pa55word!'])
  })

  test('through TLS the password comes in clear; one NUL is none', async () => {
    const through = (password: string): Promise<Conversation> =>
      converse(
        'mysql-8.0',
        [
          framed(sslRequest()),
          framed(login({ flags: USUAL | FLAGS.ssl, user: 'app', plugin: SHA256, response: '' }), 2),
          framed(password, 4),
        ],
        options,
      )
    expect(passwordOf(await through('letmein-7\0'))).toBe('letmein-7')
    expect(refusal(await through('\0'))).toEqual(denied('app', 'NO'))
  })
})
