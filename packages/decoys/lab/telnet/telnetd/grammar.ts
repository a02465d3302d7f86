// What a client may say to a Telnet server, drawn at random, as dialogues.
import type { Draw } from '../../../test/draw.ts'
import type { Endurance } from '../../../test/endurance.ts'
import type { Grammar } from '../../../test/fresh.ts'
import {
  bytes,
  COMMAND,
  DO,
  DONT,
  IAC,
  IS,
  OPTION,
  SB,
  SEND,
  subnegotiation,
  WILL,
  WONT,
} from '../../../src/services/telnet/protocol/commands.ts'
import { GREETED, likeTelnet, refuseAll, say, user, valueOf, VALUES } from '../client.ts'
import { converse } from '../converse.ts'
import type { Turn } from '../dialogue.ts'
import { ENDS, NAMES, PASSWORDS, typed } from '../typed.ts'
import { masks } from './mask.ts'

export { masks }

const VERBS = [WILL, WONT, DO, DONT] as const
const TYPES = [
  'xterm',
  'XTERM',
  'vt100',
  'linux',
  'ansi',
  'unknown',
  'network',
  'xterm-kitty',
  '',
  'a'.repeat(40),
]
/** At random: the options of a client, agreed on up to the login prompt. */
function opening(draw: Draw): Turn[] {
  const kind = draw.int(4)
  if (kind === 0) return refuseAll()
  if (kind === 1) return likeTelnet(draw.pick(['xterm', 'vt220', 'linux', 'screen']))
  return mixed(draw)
}

function mixed(draw: Draw): Turn[] {
  const has = VALUES.filter(() => draw.chance(0.5))
  const answers = VALUES.map((option) => say(has.includes(option) ? WILL : WONT, option))
  const isOffered = (): string => say(draw.chance(0.2) ? DO : DONT, OPTION.authentication)
  const first = shuffle(draw, [
    ...answers,
    isOffered(),
    say(draw.chance(0.2) ? DO : DONT, OPTION.encryption),
  ]).join('')
  const turns: Turn[] = [GREETED]
  if (has.length === 0) turns.push({ send: first, awaits: say(DO, OPTION.flowControl) })
  else {
    turns.push({ send: first, awaits: bytes(IAC, COMMAND.subnegotiationEnd) })
    const known = draw.pick(TYPES.slice(0, 5))
    const values = has.map((option) => valueOf(option, option === OPTION.terminalType ? known : '9600,9600'))
    turns.push({ send: shuffle(draw, values).join(''), awaits: say(DO, OPTION.flowControl) })
  }
  const hasSize = draw.chance(0.5)
  const rest = shuffle(draw, [
    say(draw.chance(0.7) ? DO : DONT, OPTION.suppressGoAhead),
    say(draw.chance(0.3) ? WILL : WONT, OPTION.linemode),
    say(draw.chance(0.7) ? DO : DONT, OPTION.status),
    say(draw.chance(0.4) ? WILL : WONT, OPTION.flowControl),
    say(WONT, OPTION.echo),
  ])
  const size = hasSize
    ? say(WILL, OPTION.windowSize) + subnegotiation(OPTION.windowSize, 0, draw.int(256), 0, draw.int(256))
    : say(WONT, OPTION.windowSize)
  turns.push({ send: rest.join('') + size, awaits: ' login: ' })
  if (draw.chance(0.7)) turns.push({ send: later(draw) })
  return turns
}

/** The answers to what telnetd asks with its banner. */
const later = (draw: Draw): string =>
  shuffle(draw, [
    say(draw.chance(0.8) ? DO : DONT, OPTION.echo),
    say(draw.chance(0.5) ? WILL : WONT, OPTION.binary),
    say(draw.chance(0.3) ? WILL : WONT, OPTION.timingMark),
  ]).join('')

function shuffle<T>(draw: Draw, items: readonly T[]): T[] {
  const left = [...items]
  return Array.from({ length: left.length }, () => left.splice(draw.int(left.length), 1)[0]!)
}

/** Commands that write what is typed, before there is a terminal. */
function early(draw: Draw): Turn[] {
  const commands = [COMMAND.interruptProcess, COMMAND.eraseCharacter, COMMAND.eraseLine, COMMAND.abortOutput]
  const piece = (): string => draw.pick(['', 'ab', 'root\r\n']) + bytes(IAC, draw.pick(commands))
  return [GREETED, { send: draw.many(1, 3, piece).join('') }, ...opening(draw).slice(1)]
}

/** One command, negotiation or subnegotiation. */
function protocolPiece(draw: Draw): string {
  const kind = draw.int(10)
  if (kind < 6)
    return say(draw.pick(VERBS), draw.chance(0.8) ? draw.int(42) : draw.int(256)).replace(
      /^\xff\xfd\x12$/,
      '',
    )
  if (kind === 6)
    return bytes(
      IAC,
      draw.pick([COMMAND.areYouThere, 241, 242, 249, IAC, COMMAND.eraseCharacter, COMMAND.eraseLine]),
    )
  if (kind === 7) return subnegotiation(OPTION.status, SEND)
  if (kind === 8 && draw.chance(0.3))
    return subnegotiation(OPTION.encryption, draw.int(10), ...draw.many(0, 3, () => draw.int(256)))
  if (kind === 8 && draw.chance(0.3))
    return subnegotiation(
      OPTION.authentication,
      IS,
      2,
      2,
      draw.int(6),
      ...draw.many(0, 3, () => draw.pick([0, 3, 78, 110])),
    )
  if (kind === 8)
    return subnegotiation(
      draw.pick([OPTION.windowSize, OPTION.terminalSpeed, OPTION.terminalType, 50]),
      IS,
      ...draw.many(0, 6, () => draw.int(256)),
    )
  return bytes(IAC, SB, draw.int(50), draw.int(4)) + bytes(IAC, COMMAND.subnegotiationEnd)
}

/** Tries to log in, with whatever else a client may send. */
function attempt(draw: Draw): Turn[] {
  const turns: Turn[] = []
  if (draw.chance(0.4)) turns.push({ send: draw.many(1, 4, () => protocolPiece(draw)).join('') })
  if (draw.chance(0.3)) turns.push({ send: typed(draw, NAMES) })
  turns.push({ send: typed(draw, NAMES) + draw.pick(ENDS), awaits: 'Password: ' })
  if (draw.chance(0.2)) turns.push({ send: protocolPiece(draw) })
  if (draw.chance(0.7)) turns.push({ send: typed(draw, PASSWORDS) + draw.pick(ENDS), awaits: ' login: ' })
  return turns
}

/** A client that changes line mode, or its special characters, at the prompt. */
function inLineMode(draw: Draw): Turn[] {
  const triplet = (): number[] => [
    draw.int(21),
    draw.pick([0, 1, 2, 3, 130, 128 + draw.int(4)]),
    draw.int(128),
  ]
  const piece = (): string =>
    draw.pick([
      say(draw.pick([WILL, WONT]), OPTION.linemode),
      say(draw.pick([WILL, WONT]), OPTION.timingMark),
      say(draw.pick([DO, DONT]), draw.pick([OPTION.suppressGoAhead, OPTION.echo, OPTION.binary])),
      say(draw.pick([WILL, WONT]), OPTION.binary),
      subnegotiation(OPTION.linemode, 3, ...draw.many(1, 6, triplet).flat()),
      subnegotiation(OPTION.linemode, 1, draw.int(32)),
      subnegotiation(OPTION.status, SEND),
    ])
  return [
    { send: say(WILL, OPTION.linemode) },
    ...draw.many(1, 4, () => ({ send: draw.chance(0.7) ? piece() : typed(draw, NAMES) })),
    { send: draw.pick(ENDS) },
  ]
}

/** What ends login, stops its output or discards it. */
const INTERRUPTIONS = [
  '\x03',
  '\x1a',
  '\x13abc',
  '\x13abc\x11',
  'abc\x13',
  '\x04',
  'abc\x04',
  '\x1c',
  bytes(IAC, COMMAND.interruptProcess),
  bytes(IAC, COMMAND.suspend),
  bytes(IAC, COMMAND.endOfFile),
  bytes(IAC, COMMAND.abortOutput),
  bytes(IAC, COMMAND.abort),
  say(DO, OPTION.logout),
]

function dialogue(draw: Draw): Turn[] {
  const kind = draw.int(12)
  // Before anything is agreed on.
  if (kind < 2)
    return [
      GREETED,
      ...draw.many(1, 4, () => ({ send: draw.many(1, 3, () => protocolPiece(draw)).join('') })),
    ]
  if (kind === 2) {
    const name = draw.chance(0.5) ? [user(draw.pick(['root', 'admin', '-x']))] : []
    return [...opening(draw), ...name, { send: draw.pick(INTERRUPTIONS) }, { send: draw.pick(['', '\r\0']) }]
  }
  if (kind === 4 && draw.chance(0.5)) return [...early(draw), user('root')]
  if (kind === 3) return [...opening(draw), ...draw.many(1, 4, () => ({ send: protocolPiece(draw) }))]
  if (kind > 9) return [...opening(draw), ...inLineMode(draw)]
  return [...opening(draw), ...draw.many(1, 2, () => attempt(draw)).flat()]
}

export const grammar: Grammar = {
  masks,
  concurrency: 12,
  draw(draw) {
    const turns = dialogue(draw)
    return {
      name: JSON.stringify(turns.map(({ send }) => send)),
      async ask(server, patience) {
        const { said, close, delayMs } = await converse(server, { name: '', turns }, patience)
        return { text: said.join('\n—\n'), close, delayMs }
      },
    }
  },
}

export const endurance: Endurance = {
  request: bytes(IAC, COMMAND.areYouThere),
  drips: [
    { name: 'options, byte by byte', first: '', rest: say(WONT, ...VALUES) + say(DONT, 37, 38) },
    { name: 'a name that never ends', first: refusals(), rest: 'a'.repeat(30) },
  ],
}

/** All refusals at once: telnetd takes those to questions that it has not asked yet as such. */
function refusals(): string {
  return refuseAll()
    .map(({ send }) => send)
    .join('')
}
