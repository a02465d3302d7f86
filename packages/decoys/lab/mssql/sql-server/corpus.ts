// Probes, each with what the documents say that a SQL Server 2019 makes of it. No real server was there to ask.
import { initToken, negotiateToken, responseToken } from '../../windows/ntlm-client.ts'
import type { Probe } from '../../../test/probe.ts'
import {
  ENCRYPT,
  login,
  message,
  oldLogin,
  options,
  packet,
  prelogin,
  TDS,
  TYPE,
  VERSION_OPTION,
  type LoginParts,
  type Option,
  type PreloginParts,
} from '../client.ts'

export interface Claim extends Probe {
  /** As `describe.ts` puts it. */
  readonly expects: string
}

type Row = readonly [name: string, expects: string, ...send: readonly Buffer[]]

const CLOSED = '(closed)'
const WAITS = ''
/** What each of them is answered. */
const ENCRYPTION_ANSWERS = {
  [ENCRYPT.off]: 0,
  [ENCRYPT.on]: 1,
  [ENCRYPT.notSupported]: 2,
  [ENCRYPT.required]: 1,
} as const

const refused = (user: string): string => `18456 Login failed for user '${user}'. ${CLOSED}`
const UNTRUSTED = `18452 Login failed. The login is from an untrusted domain and cannot be used with Integrated authentication. ${CLOSED}`
const agreed = ({ encryption = ENCRYPT.notSupported, instance = '', mars }: PreloginParts): string =>
  [
    `PRELOGIN 15.0.2000.0 encryption ${ENCRYPTION_ANSWERS[encryption as keyof typeof ENCRYPTION_ANSWERS]}`,
    `instance ${['', 'mssqlserver'].includes(instance.toLowerCase()) ? 0 : 1}`,
    ...(mars === undefined ? [] : [`mars ${mars === 1 ? 1 : 0}`]),
  ].join(' ')

const logIn = (parts: LoginParts = {}): Buffer => packet(TYPE.login, login(parts))
const ask = (parts: PreloginParts = {}): Buffer => packet(TYPE.prelogin, prelogin(parts))

const ENCRYPTIONS = Object.values(ENCRYPT)
const INSTANCES = [undefined, '', 'MSSQLServer', 'SQLEXPRESS', 'MSSQLSERVER2'] as const
const preloginRows: readonly Row[] = ENCRYPTIONS.flatMap((encryption) =>
  INSTANCES.flatMap((instance) =>
    [undefined, 0, 1].flatMap((mars) =>
      [undefined, 1].map((federation): Row => {
        const parts: PreloginParts = {
          encryption,
          ...(instance !== undefined && { instance }),
          ...(mars !== undefined && { mars }),
          ...(federation !== undefined && { federation }),
        }
        return [`prelogin ${JSON.stringify(parts)}`, agreed(parts), ask(parts)]
      }),
    ),
  ),
)

const bare = (...list: readonly Option[]): Buffer => packet(TYPE.prelogin, options([VERSION_OPTION, ...list]))
const oddPrelogins: readonly Row[] = [
  ['version alone', agreed({}), bare()],
  ['encryption twice', agreed({ encryption: 0 }), bare([1, Buffer.from([0])], [1, Buffer.from([1])])],
  ['unknown option', agreed({}), bare([0x42, Buffer.from('abc')])],
  ['empty encryption', agreed({}), bare([1, Buffer.alloc(0)])],
  ['with a client certificate', agreed({ encryption: 1 }), bare([1, Buffer.from([0x81])])],
  ['instance without its NUL', agreed({ instance: 'MSSQLServer' }), bare([2, Buffer.from('MSSQLServer')])],
  ['mars of two bytes', agreed({ mars: 1 }), bare([4, Buffer.from([1, 0])])],
  ['empty mars', agreed({ mars: 0 }), bare([4, Buffer.alloc(0)])],
  ['trace id and nonce', agreed({}), ask({ traceId: true, nonce: true })],
  ['by byte', agreed({}), ...[...ask()].map((byte) => Buffer.from([byte]))],
  ['in packets of 20', agreed({}), message(TYPE.prelogin, prelogin(), 20)],
  ['in packets of 9', agreed({}), message(TYPE.prelogin, prelogin(), 9)],
  [
    'bytes behind its contents',
    agreed({}),
    packet(TYPE.prelogin, Buffer.concat([prelogin(), Buffer.alloc(9)])),
  ],
  ['encryption first', CLOSED, packet(TYPE.prelogin, options([[1, Buffer.from([0])], VERSION_OPTION]))],
  ['no version', CLOSED, packet(TYPE.prelogin, options([[1, Buffer.from([0])]]))],
  ['version of 5 bytes', CLOSED, packet(TYPE.prelogin, options([[0, Buffer.alloc(5)]]))],
  ['version of 7 bytes', CLOSED, packet(TYPE.prelogin, options([[0, Buffer.alloc(7)]]))],
  ['terminator alone', CLOSED, packet(TYPE.prelogin, Buffer.from([0xff]))],
  ['no terminator', CLOSED, packet(TYPE.prelogin, options([VERSION_OPTION], []))],
  ['empty', CLOSED, packet(TYPE.prelogin, Buffer.alloc(0))],
  ...[4, 5, 9, 0x20, 0x7f].map((value): Row => [
    `encryption ${value}`,
    CLOSED,
    bare([1, Buffer.from([value])]),
  ]),
  ...[1, 5, 6, 10, 15, 20, 25, 30].map((length): Row => [
    `cut at ${length}`,
    CLOSED,
    packet(TYPE.prelogin, prelogin().subarray(0, length)),
  ]),
  ['a second time', `${agreed({})} ${CLOSED}`, ask(), ask()],
  ['ignored', WAITS, packet(TYPE.prelogin, prelogin(), { status: 3 })],
  ['ignored, then a login', refused('sa'), packet(TYPE.prelogin, prelogin(), { status: 3 }), logIn()],
]

const OTHER_TYPES = [
  0, 1, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 0x11, 0x13, 0x14, 0x15, 0x16, 0x17, 0x20, 0x30, 0x40,
  0x50, 0x80, 0xaa, 0xe3, 0xfd, 0xff,
]
const framing: readonly Row[] = [
  ['nothing', WAITS],
  ['seven bytes', WAITS, logIn().subarray(0, 7)],
  ['header alone', WAITS, logIn().subarray(0, 8)],
  ['all but one byte', WAITS, logIn().subarray(0, -1)],
  ...OTHER_TYPES.map((type): Row => [`first packet of type ${type}`, CLOSED, packet(type, Buffer.alloc(30))]),
  ...OTHER_TYPES.map((type): Row => [
    `type ${type} after prelogin`,
    `${agreed({})} ${CLOSED}`,
    ask(),
    packet(type, Buffer.alloc(30)),
  ]),
  ...[0, 1, 7, 0x8000, 0xffff].map((length): Row => [
    `length ${length}`,
    CLOSED,
    packet(TYPE.login, login(), { length }),
  ]),
  ...[2, 4, 8, 0x10, 0x80].map((status): Row => [
    `no end of message, status ${status}`,
    WAITS,
    packet(TYPE.login, login(), { status }),
  ]),
  ...[9, 0x81, 0x05].map((status): Row => [
    `end of message, status ${status}`,
    refused('sa'),
    packet(TYPE.login, login(), { status }),
  ]),
  ['packet id 0', refused('sa'), packet(TYPE.login, login(), { id: 0 })],
  ['packet id 77', refused('sa'), packet(TYPE.login, login(), { id: 77 })],
  ['a login by byte', refused('sa'), ...[...logIn()].map((byte) => Buffer.from([byte]))],
  ...[9, 16, 40, 94, 102, 200].map((size): Row => [
    `a login in packets of ${size}`,
    refused('sa'),
    message(TYPE.login, login(), size),
  ]),
  ['prelogin and login in one segment', `${agreed({})} ${refused('sa')}`, Buffer.concat([ask(), logIn()])],
  ['two logins in one segment', refused('sa'), Buffer.concat([logIn(), logIn()])],
  [
    'a login and an attention',
    refused('sa'),
    Buffer.concat([logIn(), packet(TYPE.attention, Buffer.alloc(0))]),
  ],
]

const USERS = [
  'sa',
  '',
  'SA',
  'admin',
  'CORP\\bob',
  'bob@corp.example.net',
  "o'brien",
  'müller',
  '用户',
  '%s%n',
  'a\nb',
  'u'.repeat(128),
]
const logins: readonly Row[] = [
  ...Object.entries(TDS).flatMap(([name, version]) =>
    USERS.map((user): Row => [
      `${name} ${JSON.stringify(user.slice(0, 20))}`,
      refused(user),
      logIn({ version, user }),
    ]),
  ),
  ...ENCRYPTIONS.flatMap((encryption) =>
    Object.entries(TDS).map(([name, version]): Row => [
      `encryption ${encryption}, then ${name}`,
      `${agreed({ encryption })} ${refused('sa')}`,
      ask({ encryption }),
      logIn({ version }),
    ]),
  ),
  ['no password', refused('sa'), logIn({ password: '' })],
  ['a password of 128 characters', refused('sa'), logIn({ password: 'p'.repeat(128) })],
  ['a new password', refused('sa'), logIn({ newPassword: 'fresh', options3: 1 })],
  ['a language', refused('sa'), logIn({ language: 'Deutsch' })],
  ['the fixed part of TDS 7.4 under 7.1', refused('sa'), logIn({ patch: [[4, '01000071']] })],
  ['a database', refused('sa'), logIn({ database: 'master' })],
  ['a file', refused('sa'), logIn({ file: 'f'.repeat(260) })],
  ['no names', refused('sa'), logIn({ host: '', app: '', server: '', library: '' })],
  [
    'features',
    refused('sa'),
    logIn({ options3: 0x10, extension: Buffer.from('6000000001000000000aff', 'hex') }),
  ],
]

const patched = (name: string, at: number, bytes: string): Row => [
  `patched: ${name}`,
  CLOSED,
  logIn({ patch: [[at, bytes]] }),
]
const malformed: readonly Row[] = [
  patched('length 0', 0, '00000000'),
  patched('length of one less', 0, 'ff000000'),
  patched('huge length', 0, 'ffffffff'),
  patched('TDS 6', 4, '00000060'),
  patched('TDS 0', 4, '00000000'),
  patched('TDS version as a number', 4, '04000000'),
  ...[36, 40, 44, 48, 52, 60].map((at) => patched(`offset at ${at} outside`, at, 'ff7f')),
  ...[38, 42, 46, 50, 54, 62].map((at) => patched(`length at ${at} outside`, at, '7f00')),
  ...[38, 42, 46, 50, 54, 62, 66, 70, 84, 88].map((at) => patched(`length at ${at} of 65,535`, at, 'ffff')),
  patched('host begins at 0', 36, '0000'),
  patched('host begins at 93', 36, '5d00'),
  patched('SSPI outside', 80, 'ff7f'),
  ...[0, 1, 4, 36, 85, 86, 93].map((length): Row => [
    `login cut at ${length}`,
    CLOSED,
    packet(TYPE.login, login().subarray(0, length)),
  ]),
  ['a byte behind its end', CLOSED, packet(TYPE.login, Buffer.concat([login(), Buffer.alloc(1)]))],
  ...(
    ['host', 'user', 'password', 'app', 'server', 'library', 'language', 'database', 'newPassword'] as const
  ).map((name): Row => [`${name} of 129 characters`, CLOSED, logIn({ [name]: 'x'.repeat(129) })]),
  ['file of 261 characters', CLOSED, logIn({ file: 'x'.repeat(261) })],
  [
    'more than 128 KiB',
    CLOSED,
    ...Array.from({ length: 5 }, () => packet(TYPE.login, Buffer.alloc(30_000), { status: 0 })),
  ],
]

const old: readonly Row[] = [
  ['old login', CLOSED, packet(TYPE.oldLogin, oldLogin(), { status: 0 })],
  ['old login, first packet of two', CLOSED, message(TYPE.oldLogin, oldLogin(), 512)],
  ['old login, cut', CLOSED, packet(TYPE.oldLogin, oldLogin().subarray(0, 100))],
  ['old login, its header', WAITS, packet(TYPE.oldLogin, oldLogin()).subarray(0, 8)],
  [
    'old login with long names',
    CLOSED,
    packet(TYPE.oldLogin, oldLogin({ user: 'u'.repeat(30), password: 'p'.repeat(30) })),
  ],
  ['old login after prelogin', `${agreed({})} ${CLOSED}`, ask(), packet(TYPE.oldLogin, oldLogin())],
]

const sspi = (token: Buffer, parts: LoginParts = {}): Buffer =>
  logIn({ user: '', password: '', sspi: token, ...parts })
const CHALLENGE = 'SSPI challenge'
const windows: readonly Row[] = [
  ...Object.entries(TDS).map(([name, version]): Row => [
    `NTLM, ${name}`,
    CHALLENGE,
    sspi(negotiateToken(), { version }),
  ]),
  ...ENCRYPTIONS.map((encryption): Row => [
    `NTLM, encryption ${encryption}`,
    `${agreed({ encryption })} ${CHALLENGE}`,
    ask({ encryption }),
    sspi(negotiateToken()),
  ]),
  ['NTLM in SPNEGO', CHALLENGE, sspi(initToken(negotiateToken()))],
  ['NTLM in a later token of SPNEGO', CHALLENGE, sspi(responseToken(negotiateToken()))],
  ['NTLM without flags', CHALLENGE, sspi(negotiateToken(0))],
  ['NTLM in packets of 60', CHALLENGE, message(TYPE.login, login({ sspi: negotiateToken() }), 60)],
  ['no token', UNTRUSTED, sspi(Buffer.from('nothing'))],
  ['an empty token', UNTRUSTED, sspi(Buffer.alloc(0))],
  ['NTLM, cut', UNTRUSTED, sspi(negotiateToken().subarray(0, 10))],
  ['NTLM, of a type that is not', UNTRUSTED, sspi(Buffer.from('4e544c4d5353500009000000', 'hex'))],
  [
    'a second negotiation',
    `${CHALLENGE} ${UNTRUSTED}`,
    sspi(negotiateToken()),
    packet(TYPE.sspi, negotiateToken()),
  ],
  [
    'garbage behind the challenge',
    `${CHALLENGE} ${UNTRUSTED}`,
    sspi(negotiateToken()),
    packet(TYPE.sspi, Buffer.from('x')),
  ],
  [
    'nothing behind the challenge',
    `${CHALLENGE} ${UNTRUSTED}`,
    sspi(negotiateToken()),
    packet(TYPE.sspi, Buffer.alloc(0)),
  ],
  ['a login behind the challenge', `${CHALLENGE} ${CLOSED}`, sspi(negotiateToken()), logIn()],
  [
    'an attention behind the challenge',
    `${CHALLENGE} ${CLOSED}`,
    sspi(negotiateToken()),
    packet(TYPE.attention, Buffer.alloc(0)),
  ],
]

const others: readonly Row[] = Object.entries({
  http: 'GET / HTTP/1.0\r\n\r\n',
  options: 'OPTIONS / HTTP/1.0\r\n\r\n',
  rtsp: 'OPTIONS / RTSP/1.0\r\n\r\n',
  help: 'HELP\r\n\r\n\r\n',
  ssh: 'SSH-2.0-OpenSSH_9.2\r\n',
  redis: '*1\r\n$4\r\nPING\r\n',
  tls: '\x16\x03\x00\x00S\x01\x00\x00O\x03\x00?G',
  smb: '\0\0\0\xa4\xffSMBr\0\0\0\0\x08',
  rdp: '\x03\0\0\x0b\x06\xe0\0\0\0\0\0',
  ldap: '0\x84\0\0\0-\x02\x01\x07c\x84\0',
  mysql: '\x20\0\0\x01\x85\xa6\x03\0\0\0\0\x01',
  postgres: '\0\0\0\x08\x04\xd2\x16\x2f',
  NULs: '\0'.repeat(64),
  'high bytes': '\xff'.repeat(64),
}).map(([name, text]): Row => [`protocol ${name}`, CLOSED, Buffer.from(text, 'latin1')])

export const probes: readonly Claim[] = [
  ...preloginRows,
  ...oddPrelogins,
  ...framing,
  ...logins,
  ...malformed,
  ...old,
  ...windows,
  ...others,
].map(([name, expects, ...send]) => ({
  name,
  expects,
  send: send.map((segment) => segment.toString('latin1')),
}))
