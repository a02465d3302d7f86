// What a client may say to the telnetd of BusyBox, drawn at random, as dialogues.
import { drawFrom, type Draw } from '../../../test/draw.ts'
import type { Endurance } from '../../../test/endurance.ts'
import type { Grammar, Mask } from '../../../test/fresh.ts'
import {
  bytes,
  COMMAND,
  DO,
  DONT,
  IAC,
  OPTION,
  subnegotiation,
  WILL,
  WONT,
} from '../../../src/services/telnet/protocol/commands.ts'
import { say } from '../client.ts'
import { converse } from '../converse.ts'
import type { Dialogue, Turn } from '../dialogue.ts'
import { ENDS, NAMES, PASSWORDS, typed } from '../typed.ts'

export const masks: readonly Mask[] = [
  { name: 'host name in the prompt', hide: (text) => text.replace(/[\w-]+ login: /g, 'H login: ') },
]

const LOGIN = ' login: '
const COMMANDS = [
  COMMAND.eraseLine,
  COMMAND.eraseCharacter,
  COMMAND.interruptProcess,
  COMMAND.break,
  241,
  249,
]

/** What the protocol knows besides data; it passes over most of it. */
const piece = (draw: Draw): string =>
  draw.pick([
    () => bytes(IAC, draw.pick(COMMANDS)),
    () => say(draw.pick([WILL, WONT, DO, DONT]), draw.int(40)),
    () => subnegotiation(OPTION.windowSize, 0, draw.int(256), 0, draw.int(255)),
    () => '\xff\xff',
  ])()

/** Ends login, or does not. */
const INTERRUPTIONS = [
  '\x03',
  '\x1c',
  '\x04',
  'ab\x04',
  'ab\x04\x04',
  'ab\x03',
  '\x13ab\x11',
  '\x1a',
  '  \x04',
]

function attempt(draw: Draw): Turn[] {
  const turns: Turn[] = []
  if (draw.chance(0.4)) turns.push({ send: draw.many(1, 4, () => piece(draw)).join('') })
  if (draw.chance(0.1)) turns.push({ send: bytes(IAC, COMMAND.areYouThere) })
  if (draw.chance(0.2)) turns.push({ send: draw.pick([...ENDS, '  \n', '\t\r\n']) })
  turns.push({ send: typed(draw, NAMES) + draw.pick(ENDS) })
  if (draw.chance(0.2)) turns.push({ send: piece(draw) })
  if (draw.chance(0.15)) turns.push({ send: draw.pick(INTERRUPTIONS) })
  if (draw.chance(0.8)) turns.push({ send: typed(draw, PASSWORDS) + draw.pick(ENDS), awaits: LOGIN })
  return turns
}

const turnsOf = (draw: Draw): Turn[] => [
  { send: '', awaits: LOGIN },
  ...draw.many(1, 3, () => attempt(draw)).flat(),
]

export const grammar: Grammar = {
  masks,
  concurrency: 12,
  draw(draw) {
    const turns = turnsOf(draw)
    return {
      name: JSON.stringify(turns.map(({ send }) => send)),
      async ask(server, patience) {
        const { said, close, delayMs } = await converse(server, { name: '', turns }, patience)
        return { text: said.join('\n—\n'), close, delayMs }
      },
    }
  },
}

/** Those that are recorded. */
export const dialogues: readonly Dialogue[] = Array.from({ length: 320 }, (_, at) => ({
  name: `drawn ${at + 1}`,
  turns: turnsOf(drawFrom(`busybox ${at}`)),
}))

export const endurance: Endurance = {
  request: bytes(IAC, COMMAND.areYouThere),
  drips: [{ name: 'a name that never ends', first: '', rest: 'a'.repeat(30) }],
}
