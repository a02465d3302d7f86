// What a client may send to a database server, drawn at random: logins, old ones, other protocols, in clear and through TLS.
import { setTimeout as sleep } from 'node:timers/promises'
import { connect as connectTls } from 'node:tls'
import { fragment, type Draw } from '../../../test/draw.ts'
import type { Endurance } from '../../../test/endurance.ts'
import type { FreshProbe, Grammar } from '../../../test/fresh.ts'
import { observe, watch, type Endpoint, type Observation } from '../../../test/observe.ts'
import { FLIGHT_MASK } from '../../https/describe-flight.ts'
import { drawHello } from '../../https/draw-hello.ts'
import {
  attributesOf,
  FLAGS,
  framed,
  login,
  NATIVE,
  number,
  oldLogin,
  RESPONSE,
  sslRequest,
  USUAL,
  type LoginParts,
} from '../client.ts'
import { maskAddress, maskSalt, maskThread } from './mask.ts'

const SILENCE_MS = 300

const USERS = [
  'root',
  'mysql',
  'admin',
  '',
  'ROOT',
  "'root'",
  'm\xc3\xbcller',
  'm\xfcller',
  'a b',
  '%s',
  'x'.repeat(200),
]
const PLUGINS = [
  NATIVE,
  NATIVE,
  NATIVE,
  '',
  'caching_sha2_password',
  'mysql_old_password',
  'mysql_clear_password',
  'dialog',
  'y',
]
const LENGTHS = [0, 0, 1, 8, 19, 20, 20, 20, 20, 21, 32, 250]
const COLLATIONS = [45, 45, 45, 33, 33, 8, 8, 63, 0, 11, 217, 224, 255]
const DATABASES = ['mysql', '', 'test', 'm\xc3\xbc', '\xff', 'd'.repeat(70)]
const TOGGLED = Object.values(FLAGS).filter((flag) => flag !== FLAGS.ssl && flag !== FLAGS.compress)
const OTHERS = [
  'GET / HTTP/1.0\r\n\r\n',
  '\r\n\r\n',
  'HELP\r\n',
  'SSH-2.0-x\r\n',
  '*1\r\n$4\r\nPING\r\n',
  '\x03\0\0\x0b\x06\xe0\0\0\0\0\0',
]

const user = (draw: Draw): string =>
  draw.chance(0.7) ? draw.pick(USERS) : draw.bytes(1 + draw.int(90)).replaceAll('\0', 'x')

function drawLogin(draw: Draw): string {
  const parts: LoginParts = {
    user: user(draw),
    response: draw.bytes(draw.pick(LENGTHS)),
    collation: draw.pick(COLLATIONS),
    plugin: draw.pick(PLUGINS),
    ...(draw.chance(0.3) && { database: draw.pick(DATABASES) }),
    ...(draw.chance(0.3) && {
      attributes: draw.chance(0.8)
        ? attributesOf({ _os: 'Linux', program_name: 'x' })
        : draw.bytes(draw.int(12)),
    }),
    ...(draw.chance(0.1) && { reserved: draw.bytes(23) }),
  }
  if (draw.chance(0.75)) return login(parts)
  const turned = draw.many(1, 3, () => draw.pick(TOGGLED)).reduce((flags, flag) => flags ^ flag, USUAL)
  return login({ ...parts, flags: turned >>> 0 })
}

const drawOld = (draw: Draw): string =>
  oldLogin({
    user: user(draw),
    flags:
      draw.pick([FLAGS.mysql, FLAGS.withDatabase, FLAGS.secureConnection, FLAGS.transactions]) |
      draw.pick([0, FLAGS.mysql]),
    response: draw.bytes(draw.pick(LENGTHS)),
    database: draw.pick(['', 'test']),
  })

/** Now and then cut, or longer than it should be. */
function payload(draw: Draw): string {
  const whole = draw.chance(0.85) ? drawLogin(draw) : drawOld(draw)
  if (draw.chance(0.8)) return whole
  return draw.chance(0.7) ? whole.slice(0, draw.int(whole.length)) : whole + draw.bytes(draw.int(300))
}

function first(draw: Draw): string {
  if (draw.chance(0.05)) return draw.pick(OTHERS)
  if (draw.chance(0.03)) return draw.bytes(1 + draw.int(80))
  const sequence = draw.chance(0.93) ? 1 : draw.int(256)
  return framed(payload(draw), sequence)
}

/** Answers to a request to switch, or what comes behind a refusal. */
const next = (draw: Draw): string =>
  framed(
    draw.chance(0.7) ? draw.bytes(draw.pick(LENGTHS)) : payload(draw),
    draw.chance(0.85) ? 3 : draw.int(8),
  )

const segments = (draw: Draw): string[] => {
  const all = [first(draw), ...draw.many(0, 2, () => next(draw))]
  return draw.chance(0.25) ? fragment(draw, all.join('')) : all
}

export const grammar: Grammar = {
  masks: [
    { name: FLIGHT_MASK.name, hide: hideFlight },
    { name: 'thread id', hide: maskThread },
    { name: 'salt', hide: maskSalt },
    { name: 'own address', hide: maskAddress },
  ],
  concurrency: 6,
  draw(draw) {
    const kind = draw.int(20)
    if (kind < 3) return throughTls(draw)
    if (kind === 3) return hello(draw)
    const send = segments(draw)
    const ends = draw.chance(0.1)
    return {
      name: JSON.stringify(send) + (ends ? ' end' : ''),
      ask: (server, patience) => observe(server, send, SILENCE_MS, patience, ends),
    }
  },
}

/** The flight follows the greeting. */
function hideFlight(text: string): string {
  const greetingEnd = 4 + (text.charCodeAt(0) | (text.charCodeAt(1) << 8))
  return text.slice(0, greetingEnd) + FLIGHT_MASK.hide(text.slice(greetingEnd))
}

/** A hello, or anything else, behind the request for TLS. */
function hello(draw: Draw): FreshProbe {
  const send = [framed(sslRequest()), draw.chance(0.8) ? drawHello(draw) : draw.bytes(1 + draw.int(60))]
  return {
    name: `hello ${JSON.stringify(send)}`,
    ask: (server, patience) => observe(server, send, SILENCE_MS, patience),
  }
}

function throughTls(draw: Draw): FreshProbe {
  const version = draw.pick(['TLSv1.2', 'TLSv1.3'] as const)
  const packets = [
    framed(payload(draw), draw.chance(0.93) ? 2 : draw.int(4)),
    ...draw.many(0, 1, () => framed(draw.bytes(draw.pick(LENGTHS)), 4)),
  ]
  return {
    name: `${version} ${JSON.stringify(packets)}`,
    ask: (server, patience) => askThroughTls(server, packets, version, SILENCE_MS * patience),
  }
}

async function askThroughTls(
  server: Endpoint,
  packets: readonly string[],
  maxVersion: 'TLSv1.2' | 'TLSv1.3',
  silenceMs: number,
): Promise<Observation> {
  const { socket, seen } = watch(server)
  for (let waited = 0; seen.text === '' && seen.close === 'open' && waited < 2_000; waited += 5)
    await sleep(5)
  if (seen.close !== 'open') return { text: seen.text, close: seen.close, delayMs: 0 }
  const greeting = seen.text
  socket.write(Buffer.from(framed(sslRequest()), 'latin1'))
  socket.removeAllListeners('data')
  const tls = connectTls({ socket, maxVersion, rejectUnauthorized: false })
  let text = greeting
  const ended = (how: 'FIN' | 'RST'): void => {
    if (seen.close !== 'open') return
    seen.close = how
    seen.lastAt = performance.now()
  }
  tls.on('data', (bytes: Buffer) => {
    text += bytes.toString('latin1')
    seen.lastAt = performance.now()
  })
  tls.on('end', () => ended('FIN'))
  tls.on('error', () => ended('RST'))
  await new Promise<void>((resolve) => tls.once('secureConnect', resolve).once('close', () => resolve()))
  for (const one of packets) {
    if (seen.close === 'open' && tls.writable) tls.write(Buffer.from(one, 'latin1'))
    await sleep(15)
  }
  const sentAt = performance.now()
  const patienceMs = (): number => (seen.lastAt > sentAt ? silenceMs : Math.max(silenceMs, 600))
  while (seen.close === 'open' && performance.now() - Math.max(seen.lastAt, sentAt) < patienceMs())
    await sleep(5)
  socket.destroy()
  return { text, close: seen.close, delayMs: Math.max(0, seen.lastAt - sentAt) }
}

export const endurance: Endurance = {
  request: framed(
    number(USUAL, 4) + number(0x100_0000, 4) + '\x2d' + '\0'.repeat(23) + `root\0\x14${RESPONSE}${NATIVE}\0`,
  ),
  drips: [
    {
      name: 'a login that never ends',
      first: '',
      rest: framed(login({ user: 'u'.repeat(200) })).slice(0, 120),
    },
    { name: 'a header', first: framed(login()).slice(0, 3), rest: '\x01' },
  ],
}
