// Probes before the first keys: broken packets, messages in the wrong order, invalid offers and public values.
import { message, string, u32 } from '../../../src/services/ssh/protocol/codec/fields.ts'
import { disconnect, MSG } from '../../../src/services/ssh/protocol/codec/messages.ts'
import { CLIENT_IDENT, clientKexInit, usualOffer, type ClientOffer } from '../client.ts'
import type { Probe } from './probe.ts'
import * as requests from '../requests.ts'

/** Bytes after both identifications; the server's KEXINIT is read first. */
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

/** An offer without the strict key exchange. */
export const lax: ClientOffer = { ...usualOffer, kex: ['curve25519-sha256'] }
const kexInit = clientKexInit()
const laxInit = clientKexInit(lax)
const initWith = (part: Partial<ClientOffer>): Buffer => clientKexInit({ ...usualOffer, ...part })
const ecdhInit = (bytes: Buffer): Buffer => message(MSG.kexFirst, string(bytes))
const point = Buffer.from('09'.padEnd(64, '0'), 'hex')

/** Messages before and during the key exchange. */
const early: [string, ...Buffer[]][] = [
  ['a service request first', requests.serviceRequest('ssh-userauth')],
  ['an auth request first', requests.password('root', 'x')],
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
  ['a zero in a list', initWith({ kex: ['curve25519-sha256', 'a\0b'] })],
  ['a zero at the end of a list', initWith({ kex: ['curve25519-sha256\0'] }), ecdhInit(point)],
  ['unknown names around', initWith({ kex: ['x', '', 'curve25519-sha256', 'y'] }), ecdhInit(point)],
  ['no common kex', initWith({ kex: ['diffie-hellman-group1-sha1'] })],
  ['no common host key', initWith({ hostKeys: ['ssh-dss'] })],
  ['no common cipher', initWith({ ciphers: ['aes256-cbc'] })],
  ['no common mac', initWith({ ciphers: ['aes128-ctr'], macs: ['hmac-md5'] })],
  ['no common compression', initWith({ compression: ['lzma'] })],
  ['only empty lists', initWith({ kex: [''], hostKeys: [''], ciphers: [''], macs: [''], compression: [''] })],
  ['ignore during kex, strict', kexInit, message(MSG.ignore, string('x'))],
  ['ignore during kex', laxInit, message(MSG.ignore, string('x'))],
  ['service request during kex', laxInit, requests.serviceRequest('ssh-userauth')],
  ['service request during kex, strict', kexInit, requests.serviceRequest('ssh-userauth')],
  ['newkeys during kex', laxInit, Buffer.from([MSG.newKeys])],
  ['auth request during kex', laxInit, requests.password('root', 'x')],
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
      ['wish below the least', 2048, 1024, 8192],
      ['wish above the most', 2048, 9000, 8500],
      ['wish above all', 2048, 9000, 9000],
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
/** Numbers of messages that are sent without content. */
export const numbers = [
  1, 2, 3, 4, 5, 6, 7, 9, 20, 21, 22, 29, 30, 31, 32, 33, 34, 35, 42, 51, 52, 53, 63, 81, 99, 128, 193,
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

export const earlyProbes: readonly Probe[] = [
  ...raw.map(rawProbe),
  ...early.map(earlyProbe),
  ...numbers.map((number) => earlyProbe([`number ${number}`, Buffer.from([number])])),
  ...numbers.map((number) => earlyProbe([`number ${number} during kex`, laxInit, Buffer.from([number])])),
]
