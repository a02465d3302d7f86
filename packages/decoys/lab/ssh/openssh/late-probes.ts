// Probes under keys: authentication, messages in the wrong order, damaged packets.
import { message, string, u32 } from '../../../src/services/ssh/protocol/codec/fields.ts'
import { disconnect, MSG } from '../../../src/services/ssh/protocol/codec/messages.ts'
import { clientKexInit, usualOffer, type ClientOffer } from '../client.ts'
import { lax, numbers } from './early-probes.ts'
import type { Probe } from './probe.ts'
import * as requests from '../requests.ts'

const userauth = requests.serviceRequest('ssh-userauth')
const key = Buffer.concat([string('ssh-ed25519'), string(Buffer.alloc(32, 7))])
const noneFor = (service: string): Buffer =>
  message(MSG.authRequest, string('root'), string(service), string('none'))
/** The offer, and the messages after the key exchange. */
export const lateMessages: readonly (readonly [name: string, offer: ClientOffer, ...payloads: Buffer[]])[] = [
  ['userauth', usualOffer, userauth],
  ['ssh-connection', usualOffer, requests.serviceRequest('ssh-connection')],
  ['an unknown service', usualOffer, requests.serviceRequest('nonsense')],
  ['an empty service', usualOffer, requests.serviceRequest('')],
  ['a service request with more', usualOffer, Buffer.concat([userauth, Buffer.from([0])])],
  ['userauth twice', usualOffer, userauth, userauth],
  ['auth without service', usualOffer, requests.none('root')],
  ['none', usualOffer, userauth, requests.none('root')],
  ['none twice', usualOffer, userauth, requests.none('root'), requests.none('root')],
  ['a key', usualOffer, userauth, requests.none('root'), requests.publicKey('root', 'ssh-ed25519', key)],
  [
    'a key with a signature',
    usualOffer,
    userauth,
    requests.publicKey('root', 'ssh-ed25519', key, Buffer.alloc(64)),
  ],
  ['a key of an unknown type', usualOffer, userauth, requests.publicKey('root', 'nonsense', key)],
  ['a key of another type', usualOffer, userauth, requests.publicKey('root', 'ssh-rsa', key)],
  ['a cut key', usualOffer, userauth, requests.publicKey('root', 'ssh-ed25519', key).subarray(0, -9)],
  [
    'six keys',
    usualOffer,
    userauth,
    ...Array.from({ length: 6 }, () => requests.publicKey('root', 'ssh-ed25519', key)),
  ],
  [
    'none and six keys',
    usualOffer,
    userauth,
    requests.none('root'),
    ...Array.from({ length: 6 }, () => requests.publicKey('root', 'ssh-ed25519', key)),
  ],
  [
    'keyboard-interactive',
    usualOffer,
    userauth,
    requests.otherMethod('root', 'keyboard-interactive', string(''), string('')),
  ],
  ['gssapi', usualOffer, userauth, requests.otherMethod('root', 'gssapi-with-mic', u32(0))],
  ['an unknown method', usualOffer, userauth, requests.otherMethod('root', 'nonsense')],
  ['an empty method', usualOffer, userauth, requests.otherMethod('root', '')],
  [
    'hostbound key',
    usualOffer,
    userauth,
    requests.otherMethod(
      'root',
      'publickey-hostbound-v00@openssh.com',
      Buffer.from([0]),
      string('ssh-ed25519'),
      string(key),
      string(key),
    ),
  ],
  ['another user', usualOffer, userauth, requests.none('root'), requests.none('admin')],
  ['an empty user', usualOffer, userauth, requests.none('')],
  ['a zero in the user', usualOffer, userauth, requests.none('ro\0ot')],
  ['a zero at the end of the user', usualOffer, userauth, requests.none('root\0'), requests.none('root')],
  ['a zero in the password', usualOffer, userauth, requests.password('root', 'a\0b')],
  ['a zero at the end of the service', usualOffer, requests.serviceRequest('ssh-userauth\0')],
  ['a zero in the service', usualOffer, requests.serviceRequest('ssh-userauth\0x')],
  ['a zero in the algorithm', usualOffer, userauth, requests.publicKey('root', 'ssh-ed\x0025519', key)],
  ['a long service', usualOffer, requests.serviceRequest('x'.repeat(3000))],
  ['a service of two signs', usualOffer, requests.serviceRequest('%s%n')],
  ['a long user', usualOffer, userauth, requests.none('u'.repeat(30_000))],
  ['another long user', usualOffer, userauth, requests.none('u'.repeat(2000)), requests.none('v')],
  ['a user with a style', usualOffer, userauth, requests.none('root:style'), requests.none('root:style')],
  ['a user with a role', usualOffer, userauth, requests.none('root/role'), requests.none('root/role')],
  ['another service', usualOffer, userauth, noneFor('ssh-connection'), noneFor('nonsense')],
  ['an unknown service to log in to', usualOffer, userauth, noneFor('nonsense')],
  ['a password of 1025', usualOffer, userauth, requests.password('root', 'p'.repeat(1025))],
  ['a big ignore', usualOffer, message(MSG.ignore, string('x'.repeat(200_000))), userauth],
  ['a password', usualOffer, userauth, requests.password('root', 'wrong')],
  ['an empty password', usualOffer, userauth, requests.password('root', '')],
  ['a password change', usualOffer, userauth, requests.passwordChange('root', 'a', 'b')],
  ['a password cut', usualOffer, userauth, requests.password('root', 'wrong').subarray(0, -2)],
  [
    'a password with more',
    usualOffer,
    userauth,
    Buffer.concat([requests.password('root', 'wrong'), Buffer.from([0])]),
  ],
  ['an auth request cut', usualOffer, userauth, Buffer.from([MSG.authRequest, 0, 0, 0, 9])],
  ['ignore', usualOffer, message(MSG.ignore, string('x')), userauth],
  ['debug', usualOffer, message(MSG.debug, Buffer.from([1]), string('x'), string('')), userauth],
  ['a ping', usualOffer, message(MSG.ping, string('x')), userauth],
  ['message 0', usualOffer, Buffer.from([0])],
  ['message 8', usualOffer, Buffer.from([8]), userauth],
  ['message 60', usualOffer, userauth, Buffer.from([60])],
  ['message 61', usualOffer, userauth, Buffer.from([61, 0, 0, 0, 0])],
  ['message 61 behind a request', usualOffer, userauth, requests.none('root'), Buffer.from([61]), userauth],
  ['message 63 behind a request', usualOffer, userauth, requests.none('root'), Buffer.from([63]), userauth],
  ['message 62 behind a request', usualOffer, userauth, requests.none('root'), Buffer.from([62]), userauth],
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

const lateProbe = ([name, offer, ...payloads]: (typeof lateMessages)[number]): Probe => ({
  name: `late: ${name}`,
  async run(client) {
    const { extInfo } = await client.exchange(offer)
    for (const payload of payloads) client.send(payload)
    client.end()
    return [...(extInfo ? [extInfo] : []), ...(await client.rest())]
  },
})

const lateNumbers = numbers.map((number): (typeof lateMessages)[number] => [
  `number ${number}`,
  usualOffer,
  Buffer.from([number]),
  userauth,
])

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

export const lateProbes: readonly Probe[] = [
  ...lateMessages.map(lateProbe),
  ...lateNumbers.map(lateProbe),
  ...kinds.flatMap((kind) => damages.map((damage) => damageProbe(kind, damage))),
]
