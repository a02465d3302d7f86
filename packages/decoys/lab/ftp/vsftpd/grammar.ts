// What a client may send to an FTP server, drawn at random.
import type { Endurance } from '../../../test/endurance.ts'
import { fragment, type Draw } from '../../../test/draw.ts'
import type { Grammar } from '../../../test/fresh.ts'
import { observe } from '../../../test/observe.ts'

/** PAM's delay and vsftpd's own take up to 4 s. */
const SILENCE_MS = 5_000

const VERBS =
  `ABOR ACCT ALLO APPE AUTH CDUP CWD DELE EPRT EPSV FEAT HELP LIST MDTM MKD MODE NLST NOOP OPTS PASV PBSZ PORT PROT PWD
QUIT REIN REST RETR RMD RNFR RNTO SITE SIZE SMNT STAT STOR STOU STRU SYST TYPE XCUP XPWD LANG CLNT MLSD MLST HOST CCC ADAT
GET HEAD POST EHLO`.split(/\s+/)
const NAMES = ['root', 'admin', 'anonymous', 'ftp', 'Administrator', 'a b', '', ' ', 'ü', 'x'.repeat(300)]
const WORDS = [
  '',
  ' ',
  'a',
  '/',
  '..',
  '-la',
  'TLS',
  'SSL',
  'UTF8 ON',
  'utf8 on',
  'UTF8 OFF',
  'I',
  'A',
  'P',
  '0',
  '%s%n',
]
const LENGTHS = [4_090, 4_091, 4_092, 4_093, 4_094, 4_095, 4_096, 4_097, 8_192]

const argument = (draw: Draw): string =>
  draw.chance(0.7)
    ? draw.pick(WORDS)
    : draw.chance(0.5)
      ? `${draw.int(100_000)}`
      : printable(draw, 1 + draw.int(40))

/** Any bytes but line ends. */
const printable = (draw: Draw, length: number): string => draw.bytes(length).replace(/[\r\n]/g, '?')

const cased = (draw: Draw, verb: string): string =>
  draw.pick([verb, verb, verb.toLowerCase(), verb[0] + verb.slice(1).toLowerCase()])

const end = (draw: Draw): string =>
  draw.chance(0.9) ? '\r\n' : draw.pick(['\n', '\r\r\n', ' \r\n', '\0\r\n'])

function line(draw: Draw): string {
  const kind = draw.int(20)
  if (kind < 5) return `${cased(draw, 'USER')} ${draw.pick(NAMES)}${end(draw)}`
  if (kind < 7) return `${cased(draw, 'PASS')} ${draw.pick(NAMES)}${end(draw)}`
  if (kind === 7) return draw.pick(['\r\n', '\n', ' \r\n', 'USER\r\n', 'PASS\r\n', 'USER \r\n', 'QUIT\r\n'])
  if (kind === 8) return printable(draw, 1 + draw.int(60)) + end(draw)
  if (kind === 9 && draw.chance(0.5))
    return `${draw.pick(VERBS)} ${'a'.repeat(draw.pick(LENGTHS))}`.slice(0, draw.pick(LENGTHS)) + end(draw)
  const words = argument(draw)
  return `${cased(draw, draw.pick(VERBS))}${words && ' '}${words}${end(draw)}`
}

export const grammar: Grammar = {
  masks: [],
  concurrency: 16,
  draw(draw) {
    const lines = draw.many(1, 12, () => line(draw))
    const send = draw.chance(0.3)
      ? fragment(draw, lines.join(''))
      : draw.chance(0.5)
        ? lines
        : [lines.join('')]
    return { name: JSON.stringify(send), ask: (server) => observe(server, send, SILENCE_MS) }
  },
}

export const endurance: Endurance = {
  request: 'USER a\r\n',
  drips: [
    { name: 'a line that never ends', first: '', rest: `USER ${'a'.repeat(120)}` },
    { name: 'lines', first: '', rest: 'NOOP\r\nUSER a\r\n' },
  ],
}
