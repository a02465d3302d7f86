// The probes that MariaDB 10.11 of Debian 12 and our decoy answer alike.
import { byWord } from '@rookery/kernel/by-word.ts'
import type { Probe } from '../../../test/probe.ts'
import {
  attributesOf,
  FLAGS,
  framed,
  login,
  NATIVE,
  number,
  RESPONSE,
  USUAL,
  type LoginParts,
} from '../client.ts'
import { framing, old, type Case } from './odd-frames.ts'

export const concurrency = 16

const packetOf = (parts: LoginParts): string => framed(login(parts))

const USERS = byWord<string>({
  root: 'root',
  mysql: 'mysql',
  admin: 'admin',
  empty: '',
  blank: ' ',
  'upper case': 'ROOT',
  quoted: "'root'",
  'one quote': "'",
  'two quotes': "''",
  'quote in front': "'root",
  'double quotes': '"root"',
  'quote inside': "ro'ot",
  at: 'root@localhost',
  percent: '%s%n%d',
  backslash: 'a\\b',
  newline: 'a\r\nb',
  tab: 'a\tb',
  control: 'a\x01\x1b\x7fb',
  'utf-8': 'm\xc3\xbcller',
  'utf-8 of three': '\xe2\x82\xac',
  'utf-8 of four': 'a\xf0\x9f\x98\x80b',
  'latin1 bytes': 'm\xfcller',
  'lone continuation': 'a\x80b',
  'cut at the end': 'abc\xc3',
  'three cut': 'abc\xe2\x82',
  overlong: '\xc0\xaf',
  'overlong of three': '\xe0\x80\xaf',
  surrogate: '\xed\xa0\x80',
  'only high': '\xff\xfe\xfd',
  'of 79': 'u'.repeat(79),
  'of 80': 'u'.repeat(80),
  'of 81': 'u'.repeat(81),
  'of 127': 'u'.repeat(127),
  'of 128': 'u'.repeat(128),
  'of 129': 'u'.repeat(129),
  'of 300': 'u'.repeat(300),
  'of 384': 'u'.repeat(384),
  'of 1000': 'u'.repeat(1_000),
  'wide of 200': '\xc3\xbc'.repeat(200),
  'wide of 127 and more': `${'\xe2\x82\xac'.repeat(127)}\xc3\xbcx`,
})

const users = Object.entries(USERS).flatMap(([name, user]): Case[] => [
  [`user ${name}`, packetOf({ user })],
  [`user ${name}, no password`, packetOf({ user, response: '' })],
  [`user ${name}, utf8mb3`, packetOf({ user, collation: 33 })],
  [`user ${name}, latin1`, packetOf({ user, collation: 8 })],
])

const utf8 = (...codes: readonly number[]): string =>
  Buffer.from(String.fromCodePoint(...codes)).toString('latin1')
const range = (first: number, last: number): number[] =>
  Array.from({ length: last - first + 1 }, (_, i) => first + i)
const bytesFrom = (first: number, last: number): string => String.fromCharCode(...range(first, last))

/** Characters that do not print, and bytes above ASCII, in several character sets. */
const characters: Case[] = [
  ...[45, 33, 8, 11, 63].flatMap((collation): Case[] => [
    [`control characters in ${collation}`, packetOf({ user: bytesFrom(1, 31), collation })],
    [`bytes from 7f in ${collation}`, packetOf({ user: bytesFrom(0x7f, 0x9f), collation })],
    [`bytes from a0 in ${collation}`, packetOf({ user: bytesFrom(0xa0, 0xcf), collation })],
    [`bytes from d0 in ${collation}`, packetOf({ user: bytesFrom(0xd0, 0xff), collation })],
    [`UTF-8 in ${collation}`, packetOf({ user: 'm\xc3\xbcller', collation })],
    [`UTF-8 from U+0080 in ${collation}`, packetOf({ user: utf8(...range(0x80, 0xa1)), collation })],
    [
      `UTF-8, invisible, in ${collation}`,
      packetOf({
        user: utf8(0xad, 0x200b, 0x200e, 0x2028, 0x202e, 0xe000, 0xfeff, 0xfffd, 0xfffe, 0xffff),
        collation,
      }),
    ],
    [
      `UTF-8 of four in ${collation}`,
      packetOf({ user: `a${utf8(0x1f600, 0x10ffff)}\xf4\x90\x80\x80\xf8\x80b`, collation }),
    ],
    [`cut UTF-8 of four in ${collation}`, packetOf({ user: 'abc\xf0\x9f\x98', collation })],
    [`400 umlauts in ${collation}`, packetOf({ user: '\xfc'.repeat(400), collation })],
  ]),
  ...Object.entries({ 'of 128 control characters': 128, 'of 90 control characters': 90, 'of 87': 87 }).map(
    ([name, length]): Case => [`a long message ${name}`, packetOf({ user: '\x01'.repeat(length) })],
  ),
  ...[1, 3, 4, 5, 7, 9, 10, 12, 18, 19, 20, 24, 25, 26, 28, 31, 36, 37, 38, 39, 40, 41, 51, 57, 59, 97].map(
    (collation): Case => [`symbols in ${collation}`, packetOf({ user: '@[]^`{|}~#$', collation })],
  ),
]

const proxies: Case[] = [
  ['proxy header 1', 'PROXY TCP4 192.0.2.1 192.0.2.2 1 2\r\n'],
  ['proxy header 1, beginning', 'PROX'],
  ['proxy header 2', '\r\n\r\n\0\r\nQUIT\n\x21\x11\0\x0c'],
  ['proxy header behind a switch', packetOf({ plugin: 'x' }), 'PROXY UNKNOWN\r\n'],
  ['proxy header 2 behind a switch', packetOf({ plugin: 'x' }), '\r\n\r\n\0\r\nQUIT\n'],
  ['proxy header, small letters', 'proxy unknown\r\n'],
]

const collations = Array.from({ length: 256 }, (_, collation): Case => [
  `collation ${collation}`,
  packetOf({ collation }),
])

const responses = [0, 1, 7, 8, 9, 16, 19, 20, 21, 32, 40, 41, 64, 127, 128, 200, 250, 251, 255].flatMap(
  (length): Case[] => [
    [`response of ${length}`, packetOf({ response: 'r'.repeat(length) })],
    [
      `response of ${length}, length-encoded`,
      packetOf({ response: 'r'.repeat(length), flags: USUAL | FLAGS.lengthEncoded }),
    ],
    [`response of ${length}, switched`, packetOf({ plugin: 'x' }), framed('r'.repeat(length), 3)],
  ],
)

const PLUGINS = [
  '',
  NATIVE,
  'MYSQL_NATIVE_PASSWORD',
  'mysql_native_passwor',
  'mysql_old_password',
  'caching_sha2_password',
  'sha256_password',
  'mysql_clear_password',
  'client_ed25519',
  'dialog',
  'auth_gssapi_client',
  'unix_socket',
  'x',
  'p'.repeat(300),
]
const plugins = PLUGINS.flatMap((plugin): Case[] => [
  [`plug-in ${plugin.slice(0, 24)}`, packetOf({ plugin })],
  [`plug-in ${plugin.slice(0, 24)}, no password`, packetOf({ plugin, response: '' })],
  [`plug-in ${plugin.slice(0, 24)}, then a response`, packetOf({ plugin }), framed(RESPONSE, 3)],
  [`plug-in ${plugin.slice(0, 24)}, then nothing`, packetOf({ plugin }), framed('', 3)],
  [`plug-in ${plugin.slice(0, 24)}, then out of order`, packetOf({ plugin }), framed(RESPONSE, 2)],
])

const DATABASES = [
  '',
  'mysql',
  'information_schema',
  'nothing',
  'a b',
  '../x',
  'm\xc3\xbc',
  'd'.repeat(65),
  'd'.repeat(300),
]
const databases = DATABASES.flatMap((database): Case[] => [
  [`database ${database.slice(0, 24)} ${database.length}`, packetOf({ database })],
  [`database ${database.slice(0, 24)} ${database.length}, no plug-in`, packetOf({ database, plugin: '' })],
])

const BAD_DATABASES = [
  '\xff',
  'abc\xc3',
  'a\x80b\x01\x1f\x7f\\"\'',
  'm\xfcller',
  utf8(0x1f600),
  `a${utf8(0x1f600)}b\xff`,
  '\xed\xa0\x80',
  `\x80${'z'.repeat(63)}`,
  `\x80${'z'.repeat(58)}`,
  `\x80${'z'.repeat(60)}`,
  `\x80${'z'.repeat(61)}`,
  `${'z'.repeat(100)}\xff`,
  '\x80'.repeat(15),
  '\x80'.repeat(16),
  '\x80'.repeat(17),
  '\x80'.repeat(200),
  `${'\xc3\xbc'.repeat(40)}\xff`,
]
const badDatabases = [45, 33, 8, 11, 63].flatMap((collation) =>
  BAD_DATABASES.map((database, index): Case => [
    `bad database ${index} in ${collation}`,
    packetOf({ database, collation }),
  ]),
)

const lengths = Array.from({ length: 64 }, (_, length): Case => [
  `first ${length} bytes of a login`,
  framed(login().slice(0, length)),
])

const singleFlags = Array.from({ length: 32 }, (_, bit) => bit).flatMap((bit): Case[] =>
  2 ** bit === FLAGS.ssl
    ? []
    : [
        [`flag ${bit} turned`, packetOf({ flags: (USUAL ^ (1 << bit)) >>> 0 })],
        [`flag ${bit} alone with 4.1`, packetOf({ flags: ((1 << bit) | FLAGS.protocol41) >>> 0 })],
      ],
)

const ATTRIBUTES = byWord<string>({
  none: '',
  empty: attributesOf({}),
  usual: attributesOf({ _client_name: 'libmariadb', _pid: '4711', _os: 'Linux' }),
  'too long': '\x20abc',
  'length alone': '\x05',
  'a prefix of two bytes': '\xfc\x03\x00abc',
  'a cut prefix': '\xfc\x03',
  null: '\xfb',
  'a bad prefix': '\xff',
  'of eight bytes': `\xfe${number(3, 8)}abc`,
  huge: `\xfe${'\xff'.repeat(8)}`,
  'odd inside': '\x04\x03ab\x09',
})
const attributes = Object.entries(ATTRIBUTES).flatMap(([name, text]): Case[] => [
  [`attributes ${name}`, packetOf({ attributes: text })],
  [`attributes ${name}, database`, packetOf({ attributes: text, database: 'x' })],
  [
    `attributes ${name}, no plug-in`,
    packetOf({ attributes: text, plugin: '', flags: (USUAL & ~FLAGS.pluginAuth) | FLAGS.attributes }),
  ],
])

export const probes: readonly Probe[] = [
  ...framing,
  ...lengths,
  ...old,
  ...users,
  ...characters,
  ...proxies,
  ...responses,
  ...plugins,
  ...databases,
  ...badDatabases,
  ...attributes,
  ...singleFlags,
  ...collations,
].map(([name, ...send]) => ({ name, send }))
