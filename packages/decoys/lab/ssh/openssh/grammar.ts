// What a client may send to an SSH server, drawn at random: identifications, packets before keys, messages under keys.
import type { Endurance } from '../../../test/endurance.ts'
import { type Draw } from '../../../test/draw.ts'
import type { FreshProbe, Grammar } from '../../../test/fresh.ts'
import { observe } from '../../../test/observe.ts'
import { message, string, u32 } from '../../../src/services/ssh/protocol/codec/fields.ts'
import { disconnect, MSG } from '../../../src/services/ssh/protocol/codec/messages.ts'
import { CLIENT_IDENT, clientKexInit, openClient, usualOffer, type ClientOffer } from '../client.ts'
import * as requests from '../requests.ts'

const SILENCE_MS = 1_000

const VERSIONS = ['2.0', '1.99', '1.5', '3.0', '2.1', '02.0', '2', '2.x', '-2.0', '1111', '', '2.0 ', '99.99']
const SOFTWARE = [
  'OpenSSH_8.4',
  'libssh_0.9.6',
  'Go',
  'paramiko_2.12',
  'x',
  '',
  ' ',
  'x y',
  'PuTTY_Release_0.78',
  'Probe-1',
  'OpenSSH_6.6',
  'PuTTY_Release_0.62',
  'WinSCP_release_5.5',
  'x'.repeat(300),
]

function ident(draw: Draw): string {
  const end = draw.pick(['\r\n', '\r\n', '\n', '\r', '\r\r\n', '\0\r\n'])
  if (draw.chance(0.15)) return draw.bytes(1 + draw.int(60)) + end
  if (draw.chance(0.1)) return 'a'.repeat(draw.pick([8_190, 8_191, 8_192, 8_193])) + end
  if (draw.chance(0.1))
    return draw.pick([
      'GET / HTTP/1.0\r\n\r\n',
      'EHLO x\r\n',
      '\x16\x03\x01\r\n',
      'SSH-2.0\r\n',
      'ssh-2.0-x\r\n',
      'SSH-1111\r\n',
    ])
  return `SSH-${draw.pick(VERSIONS)}-${draw.pick(SOFTWARE)}${end}`
}

/** A packet of the binary protocol in clear; sometimes its length or padding lies. */
function packet(draw: Draw, payload: Buffer): Buffer {
  const padding = 4 + ((8 - ((payload.length + 9) % 8)) % 8)
  const length = draw.chance(0.85)
    ? payload.length + padding + 1
    : draw.pick([0, 1, 4, 5, 11, 13, 262_144, 262_152, 0xffff_ffff])
  const shown = draw.chance(0.92) ? padding : draw.pick([0, 1, 3, 255])
  return Buffer.concat([u32(length), Buffer.from([shown]), payload, Buffer.alloc(padding)])
}

const ALGORITHMS: Readonly<Record<keyof Omit<ClientOffer, 'isGuessSent'>, readonly string[]>> = {
  kex: [
    'curve25519-sha256',
    'ecdh-sha2-nistp256',
    'diffie-hellman-group14-sha256',
    'kex-strict-c-v00@openssh.com',
    'ext-info-c',
    'diffie-hellman-group1-sha1',
    'x',
    '',
  ],
  hostKeys: ['ssh-ed25519', 'rsa-sha2-512', 'ecdsa-sha2-nistp256', 'ssh-dss', 'ssh-rsa', ''],
  ciphers: ['chacha20-poly1305@openssh.com', 'aes128-ctr', 'aes256-gcm@openssh.com', '3des-cbc', 'x', ''],
  macs: ['hmac-sha2-256-etm@openssh.com', 'hmac-sha2-256', 'hmac-md5', ''],
  compression: ['none', 'zlib@openssh.com', 'zlib', ''],
}

const offer = (draw: Draw): ClientOffer => {
  const names = (kind: keyof typeof ALGORITHMS): string[] => [
    ...usualOffer[kind].filter(() => draw.chance(0.8)),
    ...draw.many(0, 2, () => draw.pick(ALGORITHMS[kind])),
  ]
  return {
    kex: names('kex'),
    hostKeys: names('hostKeys'),
    ciphers: names('ciphers'),
    macs: names('macs'),
    compression: names('compression'),
    isGuessSent: draw.chance(0.1),
  }
}

const bytes = (draw: Draw, length: number): Buffer => Buffer.from(draw.bytes(length), 'latin1')

function payload(draw: Draw): Buffer {
  const kind = draw.int(9)
  if (kind < 3) return clientKexInit(offer(draw))
  if (kind === 3) return Buffer.from([draw.int(256)])
  if (kind === 4) return message(MSG.kexFirst, string(bytes(draw, draw.pick([0, 1, 31, 32, 33, 65]))))
  if (kind === 5) return message(MSG.ignore, string(draw.bytes(draw.int(40))))
  if (kind === 6) return disconnect('bye')
  if (kind === 7)
    return Buffer.concat([
      Buffer.from([draw.pick([1, 2, 3, 4, 5, 7, 20, 21, 30, 34, 50])]),
      bytes(draw, draw.int(30)),
    ])
  return requests.serviceRequest('ssh-userauth')
}

/** Everything in clear: what comes back is text, the KEXINIT (its cookie masked), and packets in clear. */
function clearProbe(draw: Draw): FreshProbe {
  const first = draw.chance(0.6) ? `${CLIENT_IDENT}\r\n` : ident(draw)
  const packets = draw.many(0, 4, () => packet(draw, payload(draw)).toString('latin1'))
  const send = draw.chance(0.7) ? [first, ...packets] : [[first, ...packets].join('')]
  return {
    name: JSON.stringify(send).slice(0, 1_500),
    ask: (server, patience) => observe(server, send, SILENCE_MS * patience, patience),
  }
}

const USERS = ['root', 'admin', '', 'a b', 'x'.repeat(200), 'ro\0ot']
const userauth = requests.serviceRequest('ssh-userauth')

function keyedMessage(draw: Draw): Buffer {
  const user = draw.pick(USERS.slice(0, draw.chance(0.8) ? 2 : USERS.length))
  const key = Buffer.concat([string('ssh-ed25519'), string(bytes(draw, 32))])
  switch (draw.int(11)) {
    case 0:
      return requests.password(user, draw.pick(['x', '', 'p'.repeat(1_025), 'ü']))
    case 1:
    case 2:
      return requests.none(user)
    case 3:
      return requests.publicKey(user, draw.pick(['ssh-ed25519', 'rsa-sha2-256', 'ssh-dss', 'x']), key)
    case 4:
      return requests.publicKey(user, 'ssh-ed25519', key, bytes(draw, draw.pick([0, 64, 83])))
    case 5:
      return requests.otherMethod(
        user,
        draw.pick(['keyboard-interactive', 'hostbased', 'gssapi-with-mic', 'x', '']),
        string(''),
        string(''),
      )
    case 6:
      return message(MSG.ignore, string(draw.bytes(draw.int(100))))
    case 7:
      return Buffer.from([draw.int(256)])
    case 8:
      return requests.serviceRequest(draw.pick(['ssh-userauth', 'ssh-connection', 'x', '']))
    case 9:
      return Buffer.concat([Buffer.from([draw.pick([50, 5, 80, 90, 7, 3, 4])]), bytes(draw, draw.int(40))])
    default:
      return userauth
  }
}

const GCM = { ciphers: ['aes128-gcm@openssh.com'] }
const CTR = { ciphers: ['aes128-ctr'], macs: ['hmac-sha2-256'] }

/** After a key exchange. The answers are described, one a line. */
function keyedProbe(draw: Draw): FreshProbe {
  const chosen = { ...usualOffer, ...draw.pick([{}, {}, GCM, CTR]) }
  const messages = [...(draw.chance(0.9) ? [userauth] : []), ...draw.many(1, 7, () => keyedMessage(draw))]
  return {
    name: `under ${chosen.ciphers.join()}: ${messages.map((one) => JSON.stringify(one.toString('latin1').slice(0, 60))).join(' ')}`,
    async ask({ host, port, from }) {
      const client = await openClient(port, host, from)
      const isKeyed = await client.exchange(chosen).then(
        () => true,
        () => false,
      )
      try {
        if (!isKeyed) return { text: 'no keys', close: client.close(), delayMs: 0 }
        const startedAt = performance.now()
        for (const one of messages) client.send(one)
        client.end()
        const lines = await client.rest()
        return {
          text: lines.map((line) => line.trimEnd()).join('\n'),
          close: client.close(),
          delayMs: performance.now() - startedAt,
        }
      } finally {
        client.destroy()
      }
    },
  }
}

/** The cookie of a KEXINIT in clear follows its message number, and random padding its end. */
const hideKexInit = (text: string): string =>
  text.replace(
    /(\x00\x00[^][^][^]\x14)[^]{16}(?=\x00\x00[^]{2}[a-z])([^]*?\x00\x00\x00\x00\x00)[^]{0,11}(?=$|\x00\x00\x00)/g,
    '$1COOKIE$2',
  )

/**
 * sshd doubles the least time of a user until it exceeds what PAM took. That time, 5 to 9.3 ms, is a secret of the machine: on one
 * a refusal takes 2.0 s or 4.1, on another 3.1, whatever PAM took.
 */
const MACHINE_FACTOR = 2.1

export const grammar: Grammar = {
  machineFactor: MACHINE_FACTOR,
  masks: [{ name: 'cookie and padding of KEXINIT', hide: hideKexInit }],
  concurrency: 4,
  draw: (draw) => (draw.chance(0.6) ? clearProbe(draw) : keyedProbe(draw)),
}

export const endurance: Endurance = {
  request: 'SSH-2.0-a\r\n',
  drips: [
    { name: 'an identification that never ends', first: '', rest: `SSH-2.0-${'a'.repeat(100)}` },
    { name: 'a packet that never ends', first: 'SSH-2.0-a\r\n', rest: `\0\0\x04\0\x04${'a'.repeat(100)}` },
  ],
}
