// What of a login MariaDB refuses first, and where its limits are.
import { expect, test } from 'vitest'
import { attributesOf, framed, login } from '../../../../lab/mysql/client.ts'
import { converse } from '../../../../lab/mysql/conversation.ts'
import { BAD_HANDSHAKE, denied, errorOf, refusal, SCRAMBLE, SHA2 } from '../../../../lab/mysql/claims.ts'

const MARIADB = 'mariadb-10.11'
const refusalOf = async (...segments: string[]) => refusal(await converse(MARIADB, segments))

test.each([76, 100, 127, 158, 191, 217, 250])(
  'with a collation that the server does not know (%i), names are read in its own',
  async (collation) => {
    const name = framed(login({ user: 'a\xff\xf0\x9f\x98\x80b', collation }))
    expect(await refusalOf(name)).toEqual(denied('a??b', 'YES'))
    expect(await refusalOf(framed(login({ database: '\xff', collation })))).toMatchObject({ code: 1300 })
  },
)

test('a malformed name of a database is refused before malformed attributes, those before an old method', async () => {
  const parts = { attributes: '\x05ab', plugin: 'mysql_old_password' }
  expect(await refusalOf(framed(login({ ...parts, database: '\xff' })))).toMatchObject({ code: 1300 })
  expect(await refusalOf(framed(login(parts)))).toEqual(BAD_HANDSHAKE)
})

test('a login with malformed attributes is refused, and its user is reported', async () => {
  const { events } = await converse(MARIADB, [framed(login({ user: 'eve', attributes: '\x05ab' }))])
  expect(events).toMatchObject([{ logtype: '8001', fields: { USERNAME: 'eve' } }])
})

test('attributes may have 65,535 bytes, and no more', async () => {
  // Name and lengths take five.
  const withAttributes = (bytes: number): string =>
    framed(login({ attributes: attributesOf({ a: 'v'.repeat(bytes - 5) }) }))
  expect(await refusalOf(withAttributes(65_536))).toEqual(BAD_HANDSHAKE)
  expect(await refusalOf(withAttributes(65_535))).toEqual(denied('root', 'YES'))
})

test('a login whose database is longer than what is kept is refused without a further question', async () => {
  expect(await refusalOf(framed(login({ database: 'd'.repeat(40_000) })))).toEqual(denied('root', 'YES'))
})

test('a packet of 16 MiB less one waits for the next, and both together may be no longer', async () => {
  const full = login().padEnd(0xff_ffff, 'x')
  const behind = async (...segments: string[]) => {
    const { packets, close } = await converse(MARIADB, [framed(full), ...segments])
    return { sequence: packets[0]?.sequence, error: errorOf(packets[0]), close }
  }
  expect(await behind()).toEqual({})
  expect(await behind(framed('', 2))).toMatchObject({ sequence: 3, error: denied('root', 'YES') })
  expect(await behind(framed('', 3))).toMatchObject({ sequence: 2, error: { code: 1156 } })
  const tooLarge = "Got a packet bigger than 'max_allowed_packet' bytes"
  const error = { code: 1153, state: '08S01', message: tooLarge }
  expect(await behind(framed('x', 2))).toEqual({ sequence: 3, error, close: 'reset' })
})

test.each([
  ['mysql-5.7', 4],
  ['mysql-8.0', 64],
])('%s takes a payload below its max_allowed_packet of %i MiB', async (version, mebibytes) => {
  const most = mebibytes * 1_024 * 1_024
  const sequenceOf = async (length: number) => {
    const { packets } = await converse(
      version,
      piecesOf(login({ plugin: SHA2, response: SCRAMBLE }).padEnd(length, 'x')),
    )
    return [packets[0]?.sequence, errorOf(packets[0])?.code]
  }
  const count = Math.floor(most / FULL) + 1
  expect(await sequenceOf(most - 1)).toEqual([count + 1, undefined])
  expect(await sequenceOf(most)).toEqual([count + 1, 1153])
})

const FULL = 0xff_ffff

/** The packets of a long payload. */
function piecesOf(payload: string): string[] {
  const pieces: string[] = []
  for (let at = 0; at <= payload.length; at += FULL)
    pieces.push(framed(payload.slice(at, at + FULL), pieces.length + 1))
  return pieces
}
