// JARM and JA3S: what a server's ServerHellos say of its library and its configuration. Ten hellos are sent, as the authors
// of JARM have published them (github.com/salesforce/jarm, 2020; JA3S: github.com/salesforce/ja3).
import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

type Order = 'forward' | 'reverse' | 'top half' | 'bottom half' | 'middle out'

interface Hello {
  readonly name: string
  /** 0x0304 stands in the extension alone (RFC 8446, 4.2.1). */
  readonly version: number
  readonly ciphers: Order
  /** Without the suites of TLS 1.3. */
  readonly isWithoutTls13?: true
  readonly hasGrease?: true
  /** Neither `h2` nor `http/1.1` is among its protocols. */
  readonly hasRareProtocols?: true
  /** The highest in its `supported_versions`; without it, there is no such extension. */
  readonly upTo?: number
  /** Of its protocols and versions. */
  readonly order: 'forward' | 'reverse'
}

const [TLS_1_1, TLS_1_2, TLS_1_3] = [0x0302, 0x0303, 0x0304]

const HELLOS: readonly Hello[] = [
  { name: '1.2 forward', version: TLS_1_2, ciphers: 'forward', upTo: TLS_1_2, order: 'reverse' },
  { name: '1.2 reverse', version: TLS_1_2, ciphers: 'reverse', upTo: TLS_1_2, order: 'forward' },
  { name: '1.2 top half', version: TLS_1_2, ciphers: 'top half', order: 'forward' },
  {
    name: '1.2 bottom half',
    version: TLS_1_2,
    ciphers: 'bottom half',
    hasRareProtocols: true,
    order: 'forward',
  },
  {
    name: '1.2 middle out',
    version: TLS_1_2,
    ciphers: 'middle out',
    hasGrease: true,
    hasRareProtocols: true,
    order: 'reverse',
  },
  { name: '1.1 forward', version: TLS_1_1, ciphers: 'forward', order: 'forward' },
  { name: '1.3 forward', version: TLS_1_3, ciphers: 'forward', upTo: TLS_1_3, order: 'reverse' },
  { name: '1.3 reverse', version: TLS_1_3, ciphers: 'reverse', upTo: TLS_1_3, order: 'forward' },
  {
    name: '1.3 with ciphers of 1.2',
    version: TLS_1_3,
    ciphers: 'forward',
    isWithoutTls13: true,
    upTo: TLS_1_3,
    order: 'forward',
  },
  {
    name: '1.3 middle out',
    version: TLS_1_3,
    ciphers: 'middle out',
    hasGrease: true,
    upTo: TLS_1_3,
    order: 'reverse',
  },
]

/** By their numbers at IANA, in JARM's order. */
const CIPHERS = `
  0016 0033 0067 c09e c0a2 009e 0039 006b c09f c0a3 009f 0045 00be 0088 00c4 009a c008 c009 c023 c0ac c0ae c02b c00a c024 c0ad
  c0af c02c c072 c073 cca9 1302 1301 cc14 c007 c012 c013 c027 c02f c014 c028 c030 c060 c061 c076 c077 cca8 1305 1304 1303 cc13
  c011 000a 002f 003c c09c c0a0 009c 0035 003d c09d c0a1 009d 0041 00ba 0084 00c0 0007 0004 0005
`
  .trim()
  .split(/\s+/)
  .map((hex) => parseInt(hex, 16))

const isTls13 = (cipher: number): boolean => cipher >> 8 === 0x13

/** A cipher's place among them is its part of the fingerprint. */
const BY_NUMBER = [...CIPHERS].sort((a, b) => Number(isTls13(a)) - Number(isTls13(b)) || a - b)

/** `h2` has no place of its own: in each order it follows `spdy/3`. */
const PROTOCOLS = [
  ['http/0.9'],
  ['http/1.0'],
  ['http/1.1'],
  ['spdy/1'],
  ['spdy/2'],
  ['spdy/3', 'h2'],
  ['h2c'],
  ['hq'],
]
const RARE_PROTOCOLS = [['http/0.9'], ['http/1.0'], ['spdy/1'], ['spdy/2'], ['spdy/3'], ['h2c'], ['hq']]

/** ServerHellos that do not come within this time count as refused. */
const PATIENCE_MS = 20_000

export interface ServerPrint {
  readonly jarm: string
  /** By the name of the hello: the JA3S of the answer, or `refused`. */
  readonly ja3s: ReadonlyMap<string, string>
}

/** Sends the ten hellos, one after another. */
export async function fingerprintOf(host: string, port: number): Promise<ServerPrint> {
  const answers: (ServerHello | undefined)[] = []
  for (const hello of HELLOS) answers.push(await askFor(helloBytes(hello, host), host, port))
  return {
    jarm: jarmOf(answers),
    ja3s: new Map(HELLOS.map(({ name }, index) => [name, ja3sOf(answers[index])])),
  }
}

interface ServerHello {
  readonly version: number
  readonly cipher: number
  /** Numbers at IANA, in their order. */
  readonly extensions: readonly number[]
  readonly protocol: string
}

/** 62 characters: three of each answer, then what the answers together say of extensions. */
export function jarmOf(answers: readonly (ServerHello | undefined)[]): string {
  if (answers.every((answer) => answer === undefined)) return '0'.repeat(62)
  const choices = answers.map((answer) =>
    answer ? hex(BY_NUMBER.indexOf(answer.cipher) + 1, 2) + 'abcdef'[answer.version & 0xff] : '000',
  )
  const extensions = answers.map((answer) =>
    answer ? answer.protocol + answer.extensions.map((type) => hex(type, 4)).join('-') : '',
  )
  const digest = createHash('sha256').update(extensions.join('')).digest('hex')
  return choices.join('') + digest.slice(0, 32)
}

export function ja3sOf(answer: ServerHello | undefined): string {
  if (!answer) return 'refused'
  const text = `${answer.version},${answer.cipher},${answer.extensions.join('-')}`
  return createHash('md5').update(text).digest('hex')
}

const hex = (value: number, digits: number): string => value.toString(16).padStart(digits, '0')

async function askFor(hello: Buffer, host: string, port: number): Promise<ServerHello | undefined> {
  const socket = connect({ host, port })
  try {
    await once(socket, 'connect')
    socket.write(hello)
    return readServerHello(await firstRecord(socket))
  } finally {
    socket.destroy()
  }
}

/** The first record of the peer, or what came of it before the end. */
async function firstRecord(socket: Socket): Promise<Buffer> {
  let bytes = Buffer.alloc(0)
  const isWhole = (): boolean => bytes.length >= 5 && bytes.length >= 5 + bytes.readUInt16BE(3)
  return new Promise((resolve) => {
    const done = (): void => resolve(bytes)
    socket.setTimeout(PATIENCE_MS, done)
    socket.once('close', done).once('end', done).on('error', done)
    socket.on('data', (more) => {
      bytes = Buffer.concat([bytes, more])
      if (isWhole()) done()
    })
  })
}

const HANDSHAKE = 22
const SERVER_HELLO = 2
const ALPN = 16

/** Undefined for an alert, and whatever else is no ServerHello (RFC 8446, 4.1.3). */
export function readServerHello(record: Buffer): ServerHello | undefined {
  if (record[0] !== HANDSHAKE || record[5] !== SERVER_HELLO) return undefined
  const idBytes = record[43] ?? 0
  const version = record.readUInt16BE(9)
  const cipher = record.readUInt16BE(44 + idBytes)
  const extensions: number[] = []
  let protocol = ''
  const end = 9 + record.readUIntBE(6, 3)
  for (let at = 49 + idBytes; at + 4 <= end; at += 4 + record.readUInt16BE(at + 2)) {
    const type = record.readUInt16BE(at)
    extensions.push(type)
    if (type === ALPN) protocol = record.toString('latin1', at + 7, at + 4 + record.readUInt16BE(at + 2))
  }
  return { version, cipher, extensions, protocol }
}

function helloBytes(hello: Hello, host: string): Buffer {
  const known = hello.isWithoutTls13 ? CIPHERS.filter((cipher) => !isTls13(cipher)) : CIPHERS
  const ciphers = [...(hello.hasGrease ? [grease()] : []), ...inOrder(known, hello.ciphers)]
  const body = Buffer.concat([
    numbers([Math.min(hello.version, TLS_1_2)]),
    randomBytes(32),
    sized(1, randomBytes(32)),
    sized(2, numbers(ciphers)),
    sized(1, Buffer.alloc(1)),
    sized(2, extensionsOf(hello, host)),
  ])
  const message = Buffer.concat([Buffer.from([1]), sized(3, body)])
  const recordVersion = hello.version === TLS_1_3 ? 0x0301 : hello.version
  return Buffer.concat([Buffer.from([HANDSHAKE]), numbers([recordVersion]), sized(2, message)])
}

function extensionsOf(hello: Hello, host: string): Buffer {
  const { hasGrease, hasRareProtocols, upTo, order } = hello
  const greased = hasGrease ? [grease()] : []
  const protocols = inOrder(hasRareProtocols ? RARE_PROTOCOLS : PROTOCOLS, order).flat()
  const shares = [...(hasGrease ? [numbers([grease(), 1]), Buffer.alloc(1)] : []), numbers([0x1d, 32])]
  const all: [type: number, content: Buffer][] = [
    ...greased.map((type): [number, Buffer] => [type, Buffer.alloc(0)]),
    [0, sized(2, Buffer.concat([Buffer.alloc(1), sized(2, Buffer.from(host))]))],
    [23, Buffer.alloc(0)],
    [1, Buffer.from([1])],
    [0xff01, Buffer.alloc(1)],
    [10, sized(2, numbers([0x1d, 0x17, 0x18, 0x19]))],
    [11, sized(1, Buffer.alloc(1))],
    [35, Buffer.alloc(0)],
    [ALPN, sized(2, Buffer.concat(protocols.map((name) => sized(1, Buffer.from(name)))))],
    [13, sized(2, numbers([0x0403, 0x0804, 0x0401, 0x0503, 0x0805, 0x0501, 0x0806, 0x0601, 0x0201]))],
    [51, sized(2, Buffer.concat([...shares, randomBytes(32)]))],
    [45, sized(1, Buffer.from([1]))],
  ]
  if (upTo !== undefined) {
    const versions = [0x0301, 0x0302, 0x0303, 0x0304].filter((version) => version <= upTo)
    all.push([43, sized(1, numbers([...(hasGrease ? [grease()] : []), ...inOrder(versions, order)]))])
  }
  return Buffer.concat(all.map(([type, content]) => Buffer.concat([numbers([type]), sized(2, content)])))
}

function inOrder<T>(all: readonly T[], order: Order): readonly T[] {
  const middle = all.length >> 1
  const isOdd = all.length % 2 === 1
  switch (order) {
    case 'forward':
      return all
    case 'reverse':
      return all.toReversed()
    case 'bottom half':
      return all.slice(isOdd ? middle + 1 : middle)
    case 'top half':
      return all.slice(0, isOdd ? middle + 1 : middle).reverse()
    case 'middle out':
      return all
        .map((item, index) => ({ item, distance: index - (isOdd ? middle : middle - 0.5) }))
        .sort((a, b) => Math.abs(a.distance) - Math.abs(b.distance) || b.distance - a.distance)
        .map(({ item }) => item)
  }
}

/** One of the values that nobody is to know (RFC 8701). */
const grease = (): number => 0x0a0a + 0x1010 * (randomBytes(1)[0]! % 16)

const numbers = (values: readonly number[]): Buffer =>
  Buffer.concat(values.map((value) => Buffer.from([value >> 8, value & 0xff])))

function sized(lengthBytes: number, content: Buffer): Buffer {
  const length = Buffer.alloc(lengthBytes)
  length.writeUIntBE(content.length, 0, lengthBytes)
  return Buffer.concat([length, content])
}
