// What [MS-TDS] says of a server, by section: packets, PRELOGIN, LOGIN7 and the tokens of an answer.
import { expect, it, test } from 'vitest'
import {
  ENCRYPT,
  login,
  message,
  options,
  optionsOf,
  packet,
  prelogin,
  refusalOf,
  TDS,
  TYPE,
  VERSION_OPTION,
  oldLogin,
} from '../../../../../lab/mssql/client.ts'
import { converse, refusalTo, VERSION_NAMES } from '../../../../../lab/mssql/conversation.ts'

const logIn = packet(TYPE.login, login())
const hex = (bytes: Buffer | undefined): string => bytes?.toString('hex') ?? ''
const CLOSED = { packets: [], isClosed: true }

test('2.2.3.1.1: an answer is a tabular result (4), as is that to PRELOGIN', () => {
  const { packets } = converse([packet(TYPE.prelogin, prelogin()), logIn])
  expect(packets.map(({ type }) => type)).toEqual([4, 4])
})

test.each([0, 1, 3, 4, 5, 6, 7, 8, 9, 0x0e, 0x13, 0x16, 0x47, 0xff])(
  '2.2.3.1.1: a first packet of type %i is none that a login begins with, and the server closes',
  (type) => {
    expect(converse([packet(type, Buffer.alloc(20))])).toMatchObject(CLOSED)
  },
)

test('2.2.3.1.2: a message ends with the packet that has the bit EOM', () => {
  const parts = message(TYPE.login, login(), 64)
  expect(converse([parts]).packets).toHaveLength(1)
  expect(converse([parts.subarray(0, 64)])).toMatchObject({ packets: [], isClosed: false })
})

test('2.2.3.1.2: a message that is to be ignored has no answer', () => {
  const ignored = packet(TYPE.prelogin, prelogin(), { status: 3 })
  expect(converse([ignored])).toMatchObject({ packets: [], isClosed: false })
  expect(converse([ignored, logIn]).packets).toHaveLength(1)
})

test('2.2.3.1.3: the length is big-endian and counts the header', () => {
  const { replies } = converse([packet(TYPE.prelogin, prelogin())])
  const bytes = Buffer.from(replies.at(-1)!.send!)
  expect(bytes.readUInt16BE(2)).toBe(bytes.length)
})

test.each([0, 7, 32_768, 65_535])(
  '2.2.3.1.3: a length of %i is impossible, and the server closes',
  (length) => {
    expect(converse([packet(TYPE.login, login(), { length })])).toMatchObject(CLOSED)
  },
)

test('2.2.3.1.3: a header alone has no answer yet', () => {
  expect(converse([logIn.subarray(0, 8)])).toMatchObject({ packets: [], isClosed: false })
})

test('2.2.3.1.4: the answer to PRELOGIN has no SPID, that to a login the one of its session', () => {
  const { packets } = converse([packet(TYPE.prelogin, prelogin()), logIn])
  expect(packets[0]!.spid).toBe(0)
  expect(packets[1]!.spid).toBeGreaterThan(50)
})

test('2.2.3.1.5 and 6: packets count from 1, and the window is 0', () => {
  const { packets } = converse([packet(TYPE.prelogin, prelogin()), logIn])
  expect(packets.map(({ id, window }) => [id, window])).toEqual([
    [1, 0],
    [1, 0],
  ])
})

test('2.2.6.5: the answer has version, encryption, instance and an empty thread id, in this order', () => {
  const [answer] = converse([packet(TYPE.prelogin, prelogin())]).packets
  expect(optionsOf(answer!.payload).map(([token, { length }]) => [token, length])).toEqual([
    [0, 6],
    [1, 1],
    [2, 1],
    [3, 0],
  ])
})

test('2.2.6.5: the contents stand behind the terminator, in the order of their options', () => {
  const [answer] = converse([packet(TYPE.prelogin, prelogin({ mars: 0 }))]).packets
  expect(hex(answer!.payload)).toBe(
    '00001a00060100200001020021000103002200000400220001ff' + '0f0007d00000' + '02' + '00' + '00',
  )
})

const NUMBERS = [
  '0b0008340000',
  '0c0007d00000',
  '0d0006410000',
  '0e0003e80000',
  '0f0007d00000',
  '100003e80000',
]
test.each(VERSION_NAMES.map((name, i) => [name, NUMBERS[i]]))(
  '2.2.6.5: SQL Server %s says that its version is %s',
  (version, number) => {
    const [answer] = converse([packet(TYPE.prelogin, prelogin())], { version: version! }).packets
    expect(hex(optionsOf(answer!.payload)[0]![1])).toBe(number)
  },
)

test.each([
  ['off', ENCRYPT.off, 'off', ENCRYPT.off],
  ['on', ENCRYPT.on, 'on', ENCRYPT.on],
  ['not supported', ENCRYPT.notSupported, 'not supported', ENCRYPT.notSupported],
  ['required', ENCRYPT.required, 'on', ENCRYPT.on],
])('2.2.6.5: encryption %s is answered by %3$s', (_, asked, __, answered) => {
  const { packets, replies } = converse([packet(TYPE.prelogin, prelogin({ encryption: asked }))])
  expect(optionsOf(packets[0]!.payload)[1]![1][0]).toBe(answered)
  expect(replies.at(-1)!.tls !== undefined).toBe(asked !== ENCRYPT.notSupported)
})

test('2.2.6.5: a client that does not name encryption has none', () => {
  const { packets } = converse([packet(TYPE.prelogin, options([VERSION_OPTION]))])
  expect(optionsOf(packets[0]!.payload)[1]![1][0]).toBe(ENCRYPT.notSupported)
})

test.each([
  ['', 0],
  ['MSSQLServer', 0],
  ['mssqlserver', 0],
  ['SQLEXPRESS', 1],
])('2.2.6.5: the instance "%s" is answered by %i', (instance, validity) => {
  const { packets } = converse([packet(TYPE.prelogin, prelogin({ instance }))])
  expect(optionsOf(packets[0]!.payload)[2]![1][0]).toBe(validity)
})

test.each([
  [undefined, undefined],
  [0, 0],
  [1, 1],
])('2.2.6.5: MARS %s is answered by %s', (mars, answered) => {
  const { packets } = converse([packet(TYPE.prelogin, prelogin(mars === undefined ? {} : { mars }))])
  expect(new Map(optionsOf(packets[0]!.payload)).get(4)?.[0]).toBe(answered)
})

test.each([
  ['2012', undefined],
  ['2019', undefined],
  ['2022', 0],
])('2.2.6.5: federated authentication asked of SQL Server %s is answered by %s', (version, answered) => {
  const { packets } = converse([packet(TYPE.prelogin, prelogin({ federation: 1 }))], { version })
  expect(new Map(optionsOf(packets[0]!.payload)).get(6)?.[0]).toBe(answered)
})

test('2.2.6.5: trace id and nonce are of no interest to the server', () => {
  const { packets } = converse([packet(TYPE.prelogin, prelogin({ traceId: true, nonce: true }))])
  expect(optionsOf(packets[0]!.payload)).toHaveLength(4)
})

test.each<[string, Buffer]>([
  ['the version is not the first option', options([[1, Buffer.from([2])], VERSION_OPTION])],
  ['the version has four bytes', options([[0, Buffer.alloc(4)]])],
  ['there is no option', options([])],
  ['the list does not end', options([VERSION_OPTION], [])],
  ['a content lies outside', options([VERSION_OPTION]).subarray(0, 10)],
  ['it is empty', Buffer.alloc(0)],
  ['the encryption has no meaning', options([VERSION_OPTION, [1, Buffer.from([9])]])],
])('3.3.5.1: the server closes when PRELOGIN is malformed: %s', (_, payload) => {
  expect(converse([packet(TYPE.prelogin, payload)])).toMatchObject(CLOSED)
})

test('3.3.5.1: PRELOGIN may come in several packets', () => {
  expect(converse([message(TYPE.prelogin, prelogin({ instance: 'x'.repeat(90) }), 40)]).packets).toHaveLength(
    1,
  )
})

test('3.3.5.5: a second PRELOGIN is no login, and the server closes', () => {
  const { packets, isClosed } = converse([
    packet(TYPE.prelogin, prelogin()),
    packet(TYPE.prelogin, prelogin()),
  ])
  expect([packets.length, isClosed]).toEqual([1, true])
})

test.each([TYPE.batch, TYPE.rpc, TYPE.attention, TYPE.bulk, TYPE.sspi, TYPE.oldLogin])(
  '3.3.5.5: a packet of type %i in place of the login closes, without an answer',
  (type) => {
    const { packets, isClosed } = converse([
      packet(TYPE.prelogin, prelogin()),
      packet(type, Buffer.alloc(30)),
    ])
    expect([packets.length, isClosed]).toEqual([1, true])
  },
)

test('2.2.1.7: an attention before the login is no login: the server closes', () => {
  expect(converse([packet(TYPE.attention, Buffer.alloc(0))])).toMatchObject(CLOSED)
})

const text = (characters: number): string => 'u'.repeat(characters)

test.each<[string, Buffer]>([
  ['shorter than its fixed part', login().subarray(0, 85)],
  ['a length that is not its own', login({ patch: [[0, '00010000']] })],
  ['bytes behind its end', Buffer.concat([login(), Buffer.alloc(1)])],
  ['ibHostName of 0', login({ patch: [[36, '0000']] })],
  ['ibHostName inside of the fixed part', login({ patch: [[36, '1000']] })],
  ['a user outside', login({ patch: [[40, 'ff7f']] })],
  ['a password that ends outside', login({ patch: [[46, '7f00']] })],
  ['a user of 129 characters', login({ user: text(129) })],
  ['a host of 129 characters', login({ host: text(129) })],
  ['a database of 129 characters', login({ database: text(129) })],
  ['a new password of 129 characters', login({ newPassword: text(129) })],
  ['a file of 261 characters', login({ file: text(261) })],
  ['an SSPI token outside', login({ patch: [[80, 'f000']] })],
  ['a list of features outside', login({ options3: 0x10, extension: Buffer.from('ffff0000', 'hex') })],
  ['no version of TDS 7', login({ patch: [[4, '00000060']] })],
])('2.2.6.4: a LOGIN7 is malformed by %s, and the server closes (17832)', (_, payload) => {
  expect(converse([packet(TYPE.login, payload)])).toMatchObject({ ...CLOSED, events: [] })
})

test('2.2.6.4: texts have up to 128 characters, the file up to 260', () => {
  const parts = { user: text(128), host: text(128), app: text(128), database: text(128), file: text(260) }
  expect(refusalTo(login(parts)).text).toBe(`Login failed for user '${text(128)}'.`)
})

test('2.2.6.4: a login of more than 128 KiB is malformed', () => {
  const parts = Array.from({ length: 5 }, () => packet(TYPE.login, Buffer.alloc(30_000), { status: 0 }))
  expect(converse(parts)).toMatchObject(CLOSED)
})

test('2.2.6.4: the password is unscrambled', () => {
  const { events } = converse([packet(TYPE.login, login({ password: 'Pässwörd 1€😀' }))])
  expect(events[0]!.fields['PASSWORD']).toBe('Pässwörd 1€😀')
})

test('2.2.6.4: extended features, another language or a file change nothing', () => {
  const extension = Buffer.from('6000000001000000000aff', 'hex')
  const parts = { language: 'Deutsch', file: 'c:\\a.mdf', options3: 0x10, extension }
  expect(refusalTo(login(parts)).number).toBe(18_456)
})

it.each(VERSION_NAMES)(
  '2.2.7.10: SQL Server %s refuses a user by error 18456, state 1, class 14',
  (version) => {
    expect(refusalTo(login(), version)).toEqual({
      number: 18_456,
      state: 1,
      class: 14,
      text: "Login failed for user 'sa'.",
      server: 'DB-7',
      procedure: '',
      line: 1,
      doneStatus: 2,
      command: 0,
      rowBytes: 8,
    })
  },
)

test.each([TDS.v70, TDS.v71, TDS.v71rev1])(
  '2.2.7.10 and 2.2.7.6: before TDS 7.2 the line has two bytes and the row count four (%i)',
  (version) => {
    expect(refusalTo(login({ version }))).toMatchObject({ line: 1, rowBytes: 4 })
  },
)

test.each([TDS.v72, TDS.v73a, TDS.v73b, TDS.v74, 0x7500_0000])(
  '2.2.7.10 and 2.2.7.6: since TDS 7.2 the line has four bytes and the row count eight (%i)',
  (version) => {
    expect(refusalTo(login({ version }))).toMatchObject({ line: 1, rowBytes: 8 })
  },
)

test('2.2.7.6: DONE says that there was an error, and the server closes', () => {
  const { packets, isClosed } = converse([logIn])
  expect(refusalOf(packets[0]!.payload).doneStatus).toBe(2)
  expect(isClosed).toBe(true)
})

test('2.2.7.10: a user without a name is refused by the same words', () => {
  expect(refusalTo(login({ user: '', password: '' })).text).toBe("Login failed for user ''.")
})

test('3.3.5.1: the login record of TDS 4.2 is closed without an answer, and reported', () => {
  expect(converse([packet(TYPE.oldLogin, oldLogin(), { status: 0 })])).toMatchObject({
    ...CLOSED,
    events: [
      {
        logtype: '9001',
        fields: { USERNAME: 'sa', PASSWORD: 'secret', HOSTNAME: 'ATTACKER', APPNAME: 'hydra' },
      },
    ],
  })
})
