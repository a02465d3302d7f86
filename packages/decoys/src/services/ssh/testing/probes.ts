// The probe corpus: what scanners, broken clients and the curious send, right and wrong. Each probe is a name and what
// it does with a fresh connection; what the server then says is compared with the recorded answers of a real sshd.
import { message, string, u32 } from '../codec/fields.ts'
import { disconnect, MSG } from '../codec/messages.ts'
import { CLIENT_IDENT, clientKexInit, describe, openClient, usualOffer, type ClientOffer } from './client.ts'
import * as say from './requests.ts'

type Client = Awaited<ReturnType<typeof openClient>>
export interface Probe {
  readonly name: string
  readonly run: (client: Client) => Promise<string[]>
}

/** Bytes straight after the greeting; the server answers in text, if at all. */
const lines: [string, string | Buffer][] = [
  ['no ident at all', ''],
  ['an empty line', '\r\n'],
  ['a word', 'garbage\r\n'],
  ['a request of HTTP', 'GET / HTTP/1.0\r\n\r\n'],
  ['TLS', Buffer.from('16030100c8010000c403035b', 'hex')],
  ['a zero byte', Buffer.from([0])],
  ['SSH-1111', 'SSH-1111\r\n'],
  ['SSH-1111-', 'SSH-1111-OpenSSH_9.0\r\n'],
  ['SSH-2.0', 'SSH-2.0\r\n'],
  ['SSH-2.0-', 'SSH-2.0-\r\n'],
  ['SSH-2.0 without software, bare newline', 'SSH-2.0-\n'],
  ['lower case', 'ssh-2.0-x\r\n'],
  ['version 1.5', 'SSH-1.5-x\r\n'],
  ['version 3.0', 'SSH-3.0-x\r\n'],
  ['version 0.0', 'SSH-0.0-x\r\n'],
  ['version 1.98', 'SSH-1.98-x\r\n'],
  ['version -2.0', 'SSH--2.0-x\r\n'],
  ['version with a plus', 'SSH-+3.0-x\r\n'],
  ['version with a blank', 'SSH- 3. 0-x\r\n'],
  ['no minor', 'SSH-2.-x\r\n'],
  ['letters for a version', 'SSH-x.y-z\r\n'],
  ['a carriage return inside', 'SSH-2.0-x\ry\r\n'],
  ['a zero inside', 'SSH-2.0-x\0y\r\n'],
  ['two carriage returns', 'SSH-1.5-x\r\r\n'],
  ['a line of 8191', `${'a'.repeat(8191)}\r\n`],
  ['a line of 8192', `${'a'.repeat(8192)}\r\n`],
  ['a line of 8193 without an end', 'a'.repeat(8193)],
  ['a line of 100000', 'b'.repeat(100_000)],
  ['a line before the ident', `hello\r\n${CLIENT_IDENT}\r\n`],
  ['half an ident', 'SSH-2.0-Open'],
  ['only SSH-', 'SSH-'],
  ['OPTIONS', 'OPTIONS sip:nm SIP/2.0\r\n'],
  ['high bytes', Buffer.from('ff00fe0aff', 'hex')],
]

const lineProbe = ([name, bytes]: (typeof lines)[number]): Probe => ({
  name: `line: ${name}`,
  async run(client) {
    client.write(bytes)
    client.end()
    const said = [await client.line()]
    for (let text = await client.line(); text; text = await client.line()) said.push(text)
    return said
  },
})

/** Bytes after both identifications, before any key. The server's KEXINIT is read first. */
const raw: [string, Buffer][] = [
  ['nothing', Buffer.alloc(0)],
  ['length 0', packetOf(0)],
  ['length 4', packetOf(4)],
  ['length 5', packetOf(5)],
  ['length 12 of zeros', packetOf(12)],
  ['length 13', packetOf(13)],
  ['length 262144', packetOf(262_144, 64)],
  ['length 262140', packetOf(262_140, 64)],
  ['length 262148', packetOf(262_148, 64)],
  ['length 4294967295', packetOf(0xffff_ffff)],
  ['padding 3', packetOf(12, 12, 3)],
  ['padding 255', packetOf(12, 12, 255)],
  ['padding 11, no payload', packetOf(12, 12, 11)],
  ['padding 10', packetOf(12, 12, 10)],
  ['a second ident', Buffer.from(`${CLIENT_IDENT}\r\n`)],
  ['text', Buffer.from('aaaaaaaaaaaaaaaa')],
  ['zeros', Buffer.alloc(64)],
  ['high bytes', Buffer.alloc(64, 0xff)],
  ['half a packet', Buffer.from('0000', 'hex')],
]

function packetOf(length: number, size = 16, padding = 4): Buffer {
  return Buffer.concat([u32(length), Buffer.from([padding]), Buffer.alloc(Math.max(0, size - 1))])
}

const rawProbe = ([name, bytes]: (typeof raw)[number]): Probe => ({
  name: `raw: ${name}`,
  async run(client) {
    client.write(`${CLIENT_IDENT}\r\n`)
    await client.receive()
    client.write(bytes)
    client.end()
    return client.rest()
  },
})

/** Messages before the key exchange. */
const lax: ClientOffer = { ...usualOffer, kex: ['curve25519-sha256'] }
const kexInit = clientKexInit()
const laxInit = clientKexInit(lax)
const initWith = (part: Partial<ClientOffer>): Buffer => clientKexInit({ ...usualOffer, ...part })
const ecdhInit = (bytes: Buffer): Buffer => message(MSG.kexFirst, string(bytes))
const point = Buffer.from('09'.padEnd(64, '0'), 'hex')

const early: [string, ...Buffer[]][] = [
  ['a service request first', say.serviceRequest('ssh-userauth')],
  ['an auth request first', say.password('root', 'x')],
  ['newkeys first', Buffer.from([MSG.newKeys])],
  ['disconnect', disconnect('bye')],
  ['ignore first, strict', message(MSG.ignore, string('x')), kexInit],
  ['ignore first', message(MSG.ignore, string('x')), laxInit],
  ['debug first', message(MSG.debug, Buffer.from([1]), string('x'), string('')), laxInit],
  ['unimplemented first', message(MSG.unimplemented, u32(0)), laxInit],
  ['message 0', Buffer.from([0])],
  ['message 8', Buffer.from([8])],
  ['message 19', Buffer.from([19])],
  ['message 49', Buffer.from([49])],
  ['message 50 empty', Buffer.from([50])],
  ['message 100', Buffer.from([100])],
  ['message 191', Buffer.from([191])],
  ['message 192', message(MSG.ping, string('x'))],
  ['message 255', Buffer.from([255])],
  ['kexinit cut', kexInit.subarray(0, 40)],
  ['kexinit of one byte', kexInit.subarray(0, 1)],
  ['kexinit and one byte more', Buffer.concat([kexInit, Buffer.from([0])])],
  ['kexinit twice, strict', kexInit, kexInit],
  ['kexinit twice', laxInit, laxInit],
  ['no common kex', initWith({ kex: ['diffie-hellman-group1-sha1'] })],
  ['no common host key', initWith({ hostKeys: ['ssh-dss'] })],
  ['no common cipher', initWith({ ciphers: ['aes256-cbc'] })],
  ['no common mac', initWith({ ciphers: ['aes128-ctr'], macs: ['hmac-md5'] })],
  ['no common compression', initWith({ compression: ['lzma'] })],
  ['only empty lists', initWith({ kex: [''], hostKeys: [''], ciphers: [''], macs: [''], compression: [''] })],
  ['ignore during kex, strict', kexInit, message(MSG.ignore, string('x'))],
  ['ignore during kex', laxInit, message(MSG.ignore, string('x'))],
  ['service request during kex', laxInit, say.serviceRequest('ssh-userauth')],
  ['service request during kex, strict', kexInit, say.serviceRequest('ssh-userauth')],
  ['newkeys during kex', laxInit, Buffer.from([MSG.newKeys])],
  ['auth request during kex', laxInit, say.password('root', 'x')],
  ['message 31 during kex', laxInit, message(31, string(point))],
  ['message 34 during kex', laxInit, message(34, u32(2048), u32(2048), u32(8192))],
  ['ecdh with an empty key', kexInit, ecdhInit(Buffer.alloc(0))],
  ['ecdh with a short key', kexInit, ecdhInit(point.subarray(1))],
  ['ecdh with a long key', kexInit, ecdhInit(Buffer.concat([point, point]))],
  ['ecdh with a zero key', kexInit, ecdhInit(Buffer.alloc(32))],
  ['ecdh cut', kexInit, Buffer.from([MSG.kexFirst, 0, 0])],
  ['ecdh and more', kexInit, Buffer.concat([ecdhInit(point), Buffer.from([1])])],
  ['nistp256 with garbage', initWith({ kex: ['ecdh-sha2-nistp256'] }), ecdhInit(Buffer.alloc(65, 4))],
  ['nistp256 with an empty key', initWith({ kex: ['ecdh-sha2-nistp256'] }), ecdhInit(Buffer.alloc(0))],
  ['nistp256 compressed', initWith({ kex: ['ecdh-sha2-nistp256'] }), ecdhInit(Buffer.alloc(33, 2))],
  ['group14 with 0', initWith({ kex: ['diffie-hellman-group14-sha256'] }), ecdhInit(Buffer.alloc(0))],
  ['group14 with 1', initWith({ kex: ['diffie-hellman-group14-sha256'] }), ecdhInit(Buffer.from([1]))],
  ['group14 with -1', initWith({ kex: ['diffie-hellman-group14-sha256'] }), ecdhInit(Buffer.from([255]))],
  ['group14 with 2', initWith({ kex: ['diffie-hellman-group14-sha256'] }), ecdhInit(Buffer.from([2]))],
  [
    'group14 with a huge number',
    initWith({ kex: ['diffie-hellman-group14-sha256'] }),
    ecdhInit(Buffer.alloc(257, 0x7f)),
  ],
  [
    'sntrup with an empty key',
    initWith({ kex: ['sntrup761x25519-sha512@openssh.com'] }),
    ecdhInit(Buffer.alloc(0)),
  ],
  [
    'sntrup with half a key',
    initWith({ kex: ['sntrup761x25519-sha512@openssh.com'] }),
    ecdhInit(Buffer.alloc(1158)),
  ],
  ...(
    [
      ['1024', 1024, 1024, 1024],
      ['1024 to 8192', 1024, 1024, 8192],
      ['upside down', 8192, 4096, 2048],
      ['zero', 0, 0, 0],
      ['huge', 16_384, 16_384, 16_384],
      ['2049 exactly', 2049, 2049, 2049],
    ] as const
  ).map(([name, min, n, max]): [string, ...Buffer[]] => [
    `gex ${name}`,
    initWith({ kex: ['diffie-hellman-group-exchange-sha256'] }),
    message(MSG.gexRequest, u32(min), u32(n), u32(max)),
  ]),
  [
    'gex init without request',
    initWith({ kex: ['diffie-hellman-group-exchange-sha256'] }),
    message(MSG.gexInit, string(point)),
  ],
  [
    'gex old request',
    initWith({ kex: ['diffie-hellman-group-exchange-sha256'] }),
    message(MSG.kexFirst, u32(2048)),
  ],
]

const earlyProbe = ([name, ...payloads]: (typeof early)[number]): Probe => ({
  name: `early: ${name}`,
  async run(client) {
    client.write(`${CLIENT_IDENT}\r\n`)
    await client.receive()
    for (const payload of payloads) client.write(client.pack(payload))
    client.end()
    return client.rest()
  },
})

/** Messages after the key exchange; one answer is awaited for each, then the client leaves. */
const userauth = say.serviceRequest('ssh-userauth')
const key = Buffer.concat([string('ssh-ed25519'), string(Buffer.alloc(32, 7))])
const late: [string, ClientOffer, ...Buffer[]][] = [
  ['userauth', usualOffer, userauth],
  ['ssh-connection', usualOffer, say.serviceRequest('ssh-connection')],
  ['an unknown service', usualOffer, say.serviceRequest('nonsense')],
  ['an empty service', usualOffer, say.serviceRequest('')],
  ['a service request with more', usualOffer, Buffer.concat([userauth, Buffer.from([0])])],
  ['userauth twice', usualOffer, userauth, userauth],
  ['auth without service', usualOffer, say.none('root')],
  ['none', usualOffer, userauth, say.none('root')],
  ['none twice', usualOffer, userauth, say.none('root'), say.none('root')],
  ['a key', usualOffer, userauth, say.none('root'), say.publicKey('root', 'ssh-ed25519', key)],
  [
    'a key with a signature',
    usualOffer,
    userauth,
    say.publicKey('root', 'ssh-ed25519', key, Buffer.alloc(64)),
  ],
  ['a key of an unknown type', usualOffer, userauth, say.publicKey('root', 'nonsense', key)],
  ['a key of another type', usualOffer, userauth, say.publicKey('root', 'ssh-rsa', key)],
  ['a cut key', usualOffer, userauth, say.publicKey('root', 'ssh-ed25519', key).subarray(0, -9)],
  [
    'six keys',
    usualOffer,
    userauth,
    ...Array.from({ length: 6 }, () => say.publicKey('root', 'ssh-ed25519', key)),
  ],
  [
    'none and six keys',
    usualOffer,
    userauth,
    say.none('root'),
    ...Array.from({ length: 6 }, () => say.publicKey('root', 'ssh-ed25519', key)),
  ],
  [
    'keyboard-interactive',
    usualOffer,
    userauth,
    say.otherMethod('root', 'keyboard-interactive', string(''), string('')),
  ],
  ['gssapi', usualOffer, userauth, say.otherMethod('root', 'gssapi-with-mic', u32(0))],
  ['an unknown method', usualOffer, userauth, say.otherMethod('root', 'nonsense')],
  ['an empty method', usualOffer, userauth, say.otherMethod('root', '')],
  [
    'hostbound key',
    usualOffer,
    userauth,
    say.otherMethod(
      'root',
      'publickey-hostbound-v00@openssh.com',
      Buffer.from([0]),
      string('ssh-ed25519'),
      string(key),
      string(key),
    ),
  ],
  ['another user', usualOffer, userauth, say.none('root'), say.none('admin')],
  ['an empty user', usualOffer, userauth, say.none('')],
  ['a password', usualOffer, userauth, say.password('root', 'wrong')],
  ['an empty password', usualOffer, userauth, say.password('root', '')],
  ['a password change', usualOffer, userauth, say.passwordChange('root', 'a', 'b')],
  ['a password cut', usualOffer, userauth, say.password('root', 'wrong').subarray(0, -2)],
  [
    'a password with more',
    usualOffer,
    userauth,
    Buffer.concat([say.password('root', 'wrong'), Buffer.from([0])]),
  ],
  ['an auth request cut', usualOffer, userauth, Buffer.from([MSG.authRequest, 0, 0, 0, 9])],
  ['ignore', usualOffer, message(MSG.ignore, string('x')), userauth],
  ['debug', usualOffer, message(MSG.debug, Buffer.from([1]), string('x'), string('')), userauth],
  ['a ping', usualOffer, message(MSG.ping, string('x')), userauth],
  ['message 0', usualOffer, Buffer.from([0])],
  ['message 8', usualOffer, Buffer.from([8]), userauth],
  ['message 60', usualOffer, userauth, Buffer.from([60])],
  ['message 61', usualOffer, userauth, Buffer.from([61, 0, 0, 0, 0])],
  ['message 80', usualOffer, userauth, Buffer.from([80])],
  ['message 90', usualOffer, userauth, message(90, string('session'), u32(0), u32(9), u32(9))],
  ['message 191', usualOffer, Buffer.from([191]), userauth],
  ['kexinit again', usualOffer, clientKexInit()],
  ['kexinit again after the service', usualOffer, userauth, clientKexInit()],
  ['kexinit again, lax', lax, clientKexInit(lax)],
  ['newkeys again', usualOffer, Buffer.from([MSG.newKeys])],
  ['unimplemented number, lax', lax, Buffer.from([8])],
  ['ext-info', usualOffer, message(MSG.extInfo, u32(1), string('a'), string('b')), userauth],
  ['ext-info, lax', lax, message(MSG.extInfo, u32(1), string('a'), string('b')), userauth],
  ['ext-info with a lie', usualOffer, message(MSG.extInfo, u32(5)), userauth],
  ['disconnect', usualOffer, disconnect('bye')],
  ['disconnect cut', usualOffer, Buffer.from([MSG.disconnect])],
]

const lateProbe = ([name, offer, ...payloads]: (typeof late)[number]): Probe => ({
  name: `late: ${name}`,
  async run(client) {
    const { extInfo } = await client.exchange(offer)
    for (const payload of payloads) client.send(payload)
    client.end()
    return [...(extInfo ? [extInfo] : []), ...(await client.rest())]
  },
})

/** Damaged packets after the key exchange, under each kind of protection. */
const kinds: [string, Partial<ClientOffer>][] = [
  ['chacha20', {}],
  ['gcm', { ciphers: ['aes128-gcm@openssh.com'] }],
  ['etm', { ciphers: ['aes128-ctr'] }],
  ['plain mac', { ciphers: ['aes128-ctr'], macs: ['hmac-sha2-256'] }],
  ['umac', { ciphers: ['aes256-ctr'], macs: ['umac-64@openssh.com'] }],
]
const damages: [string, (packet: Buffer) => Buffer][] = [
  ['wrong tag', (packet) => flip(packet, packet.length - 1)],
  ['wrong body', (packet) => flip(packet, 8)],
  ['wrong length', (packet) => flip(packet, 0)],
  ['slightly wrong length', (packet) => Buffer.concat([flip(packet, 3), Buffer.alloc(512)])],
  ['half', (packet) => packet.subarray(0, 10)],
]

function flip(packet: Buffer, at: number): Buffer {
  const copy = Buffer.from(packet)
  copy[at]! ^= 1
  return copy
}

const damageProbe = (kind: (typeof kinds)[number], damage: (typeof damages)[number]): Probe => ({
  name: `damage: ${kind[0]}, ${damage[0]}`,
  async run(client) {
    await client.exchange({ ...usualOffer, ...kind[1] })
    client.write(damage[1](client.pack(userauth)))
    client.end()
    return client.rest()
  },
})

export const probes: readonly Probe[] = [
  ...lines.map(lineProbe),
  ...raw.map(rawProbe),
  ...early.map(earlyProbe),
  ...late.map(lateProbe),
  ...kinds.flatMap((kind) => damages.map((damage) => damageProbe(kind, damage))),
]

/** Runs one probe against a server. */
export async function runProbe(probe: Probe, port: number, host?: string): Promise<string[]> {
  const client = await openClient(port, host)
  try {
    return await probe.run(client)
  } finally {
    client.destroy()
  }
}

export { describe }
