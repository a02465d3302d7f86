// Logins of old clients, and frames that are odd.
import {
  FLAGS,
  framed,
  lengthEncoded,
  login,
  NATIVE,
  number,
  oldLogin,
  RESPONSE,
  USUAL,
  type LoginParts,
} from '../client.ts'

export type Case = readonly [name: string, ...send: string[]]

const packetOf = (parts: LoginParts): string => framed(login(parts))

export const old: Case[] = [
  ['old login', framed(oldLogin())],
  ['old login without password', framed(oldLogin({ response: '' }))],
  [
    'old login, secure',
    framed(oldLogin({ flags: FLAGS.mysql | FLAGS.secureConnection, response: `\x14${RESPONSE}` })),
  ],
  [
    'old login, secure, empty',
    framed(oldLogin({ flags: FLAGS.mysql | FLAGS.secureConnection, response: '\0' })),
  ],
  [
    'old login with database',
    framed(oldLogin({ flags: FLAGS.mysql | FLAGS.withDatabase, database: 'test' })),
  ],
  ['old login, no user', framed(oldLogin({ user: '' }))],
  ['old login, all flags', framed(oldLogin({ flags: 0xf5ff }))],
  ['old login, plug-in', framed(`${oldLogin()}\0${NATIVE}\0`)],
  ...[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10].map((length): Case => [
    `first ${length} bytes of an old login`,
    framed(oldLogin().slice(0, length)),
  ]),
]

const secure = (response: string): string =>
  framed(oldLogin({ flags: FLAGS.mysql | FLAGS.secureConnection, response }))

export const framing: Case[] = [
  ['old login, response of 0 bytes and more', secure('\0abc')],
  ['insecure, plug-in named', packetOf({ flags: USUAL & ~FLAGS.secureConnection })],
  ['insecure, no plug-in', packetOf({ flags: USUAL & ~FLAGS.secureConnection, plugin: '' })],
  [
    'insecure, no plug-in, no password',
    packetOf({ flags: USUAL & ~FLAGS.secureConnection, plugin: '', response: '' }),
  ],
  [
    'insecure, no flag of plug-ins',
    packetOf({ flags: USUAL & ~FLAGS.secureConnection & ~FLAGS.pluginAuth, response: 'ABCDEFGH' }),
  ],
  [
    'insecure, no flag of plug-ins, no password',
    packetOf({ flags: USUAL & ~FLAGS.secureConnection & ~FLAGS.pluginAuth, response: '' }),
  ],
  [
    'no flag of plug-ins, other length',
    packetOf({ flags: USUAL & ~FLAGS.pluginAuth, response: 'ABCDEFGH', plugin: '' }),
  ],
  [
    'old plug-in, no password, insecure',
    packetOf({ plugin: 'mysql_old_password', response: '', flags: USUAL & ~FLAGS.secureConnection }),
  ],
  ['old plug-in in capitals', packetOf({ plugin: 'MYSQL_OLD_PASSWORD' })],
  ['nothing'],
  ['sequence 0', framed(login(), 0)],
  ['sequence 2', framed(login(), 2)],
  ['sequence 255', framed(login(), 255)],
  ['header alone', '\x05\0\0\x01'],
  ['three bytes', '\x05\0\0'],
  ['empty packet', framed('')],
  ['empty packet out of order', framed('', 0)],
  ['two packets', framed(login()) + framed(login())],
  ['login and query', framed(login()) + framed('\x03SELECT 1', 0)],
  ['login and quit', framed(login()) + framed('\x01', 0)],
  ['by byte', ...framed(login({ user: 'ab' }))],
  ['in halves', framed(login()).slice(0, 30), framed(login()).slice(30)],
  ['length too short', framed(login(), 1, 40)],
  ['change user first', framed(`\x11root\0\x14${RESPONSE}mysql\0\x08\0${NATIVE}\0`)],
  ['change user after a switch', packetOf({ plugin: 'x' }), framed(`\x11root\0\x14${RESPONSE}\0`, 3)],
  ['query first', framed('\x03SELECT VERSION()', 0)],
  ['query as login', framed('\x03SELECT VERSION()')],
  ['quit first', framed('\x01', 0)],
  ['ping first', framed('\x0e', 0)],
  ['nothing behind the response', framed(login({ plugin: '' }))],
  ['no NUL behind the user', framed(login({ plugin: '', response: '' }).slice(0, -2))],
  ['plug-in without NUL', framed(login().slice(0, -1))],
  ['more behind the plug-in', framed(`${login()}more`)],
  ['reserved bytes set', packetOf({ reserved: 'x'.repeat(23) })],
  ['own capabilities', packetOf({ reserved: `${'\0'.repeat(19)}\x1f\0\0\0` })],
  ['own capabilities, all', packetOf({ reserved: `${'\0'.repeat(19)}\xff\xff\xff\xff` })],
  ['greatest packet 0', packetOf({ maxPacket: 0 })],
  ['greatest packet all bits', packetOf({ maxPacket: 0xffff_ffff })],
  ['response too long for the packet', framed(login({ plugin: '' }).slice(0, -1))],
  ['database without NUL', framed(login({ database: 'abc', plugin: '' }).slice(0, -1))],
  ['database is missing', framed(login({ flags: USUAL | FLAGS.withDatabase, plugin: '' }))],
  ['response cut, database', framed(login({ database: '', plugin: '' }).slice(0, -1))],
  ['all flags but TLS', packetOf({ flags: (0xffff_ffff & ~FLAGS.ssl) >>> 0, attributes: '\0' })],
  ['text', 'hello\r\n'],
  ['blank lines', '\r\n\r\n'],
  ['http', 'GET / HTTP/1.0\r\n\r\n'],
  ['http options', 'OPTIONS / HTTP/1.0\r\n\r\n'],
  ['help', 'HELP\r\n'],
  [
    'tls hello',
    '\x16\x03\0\0S\x01\0\0O\x03\0?G\xd7\xf7\xba,\xee\xea\xb2`~\xf3\0\xfd\x82{\xb9\xd5\x96\xc8w\x9b\xe6\xc4\xdb',
  ],
  ['smb', '\0\0\0\xa4\xffSMBr\0\0\0\0\x08\x01@'],
  ['redis', '*1\r\n$4\r\nPING\r\n'],
  ['ssh', 'SSH-2.0-OpenSSH_9.2\r\n'],
  ['rdp', '\x03\0\0\x0b\x06\xe0\0\0\0\0\0'],
  ['tds', '\x12\x01\0\x34\0\0\0\0\0\0\x15\0\x06\x01\0\x1b'],
  ['NULs', '\0'.repeat(64)],
  ['high bytes', '\xff'.repeat(64)],
  ['a packet of 16 KiB', framed(login({ user: 'u'.repeat(16_384) }))],
  ['a packet of 20 KB', framed(login() + 'x'.repeat(20_000))],
  ['a packet of 70 KB', framed(login() + 'x'.repeat(70_000))],
  ['a large header', '\xfe\xff\xff\x01abc'],
  ['the largest header', '\xff\xff\xff\x01abc'],
  ['largest header out of order', '\xff\xff\xff\x02abc'],
  ['TLS asked for with a short packet', framed(number(USUAL | FLAGS.ssl, 4))],
  ['TLS asked for by an old client, short', framed(number(FLAGS.mysql, 1))],
  [
    'length-encoded response by two bytes',
    framed(login({ flags: USUAL | FLAGS.lengthEncoded }).replace(`\x14${RESPONSE}`, `\xfc\x14\0${RESPONSE}`)),
  ],
  [
    'length-encoded response by three bytes',
    framed(
      login({ flags: USUAL | FLAGS.lengthEncoded }).replace(`\x14${RESPONSE}`, `\xfd\x14\0\0${RESPONSE}`),
    ),
  ],
  [
    'length-encoded response by eight bytes',
    framed(
      login({ flags: USUAL | FLAGS.lengthEncoded }).replace(
        `\x14${RESPONSE}`,
        `\xfe\x14${'\0'.repeat(7)}${RESPONSE}`,
      ),
    ),
  ],
  [
    'length-encoded response, null',
    framed(login({ flags: USUAL | FLAGS.lengthEncoded }).replace(`\x14${RESPONSE}`, '\xfb')),
  ],
  [
    'length-encoded response, bad',
    framed(login({ flags: USUAL | FLAGS.lengthEncoded }).replace(`\x14${RESPONSE}`, `\xff${RESPONSE}`)),
  ],
  [
    'length-encoded response, huge',
    framed(
      login({ flags: USUAL | FLAGS.lengthEncoded }).replace(`\x14${RESPONSE}`, `\xfe${'\xff'.repeat(8)}`),
    ),
  ],
  [
    'length-encoded response and database, two bytes',
    framed(
      login({ database: 'abc', flags: USUAL | FLAGS.lengthEncoded | FLAGS.withDatabase }).replace(
        `\x14${RESPONSE}`,
        `\xfc\x14\0${RESPONSE}`,
      ),
    ),
  ],
  [
    'long response, length-encoded',
    framed(login({ response: 'r'.repeat(300), flags: USUAL | FLAGS.lengthEncoded })),
  ],
  ['text behind attributes', framed(login({ attributes: `${lengthEncoded('\x01a\x01b')}rest` }))],
]
