// What a Telnet client says: the answers to telnetd's two rounds of questions, as turns.
import {
  bytes,
  DO,
  DONT,
  IAC,
  IS,
  OPTION,
  subnegotiation,
  WILL,
  WONT,
} from '../../src/services/telnet/protocol/commands.ts'
import type { Turn } from './dialogue.ts'

export const say = (verb: number, ...options: readonly number[]): string =>
  options.map((option) => bytes(IAC, verb, option)).join('')

/** Ends telnetd's first message. */
export const GREETED: Turn = { send: '', awaits: say(DO, OPTION.oldEnvironment) }

/** What telnetd asks first: the client's values. */
export const VALUES = [
  OPTION.terminalType,
  OPTION.terminalSpeed,
  OPTION.xDisplayLocation,
  OPTION.newEnvironment,
  OPTION.oldEnvironment,
] as const

export const valueOf = (option: number, text: string): string =>
  subnegotiation(option, IS, ...Buffer.from(text, 'latin1'))

/** What telnetd asks once it knows the terminal; its offers are 3 and 5. */
const ECHO_ROUND = [OPTION.echo, OPTION.linemode, OPTION.windowSize, OPTION.flowControl] as const

/** Up to the login prompt, for a client that has no option at all. */
export const refuseAll = (): Turn[] => [
  GREETED,
  {
    send: say(DONT, OPTION.authentication, OPTION.encryption) + say(WONT, ...VALUES),
    awaits: say(DO, OPTION.flowControl),
  },
  { send: say(DONT, OPTION.suppressGoAhead, OPTION.status) + say(WONT, ...ECHO_ROUND), awaits: ' login: ' },
]

/** Up to the login prompt, for a client such as Debian's. */
export const likeTelnet = (terminalType = 'xterm', size: readonly [number, number] = [80, 24]): Turn[] => [
  GREETED,
  {
    send:
      say(DONT, OPTION.authentication, OPTION.encryption) +
      say(WILL, OPTION.terminalType, OPTION.terminalSpeed) +
      say(WONT, OPTION.xDisplayLocation) +
      say(WILL, OPTION.newEnvironment) +
      say(WONT, OPTION.oldEnvironment),
    awaits: subnegotiation(OPTION.terminalType, 1),
  },
  {
    send:
      valueOf(OPTION.terminalSpeed, '38400,38400') +
      valueOf(OPTION.newEnvironment, '') +
      valueOf(OPTION.terminalType, terminalType),
    awaits: say(DO, OPTION.flowControl),
  },
  {
    send:
      say(DO, OPTION.suppressGoAhead) +
      say(WONT, OPTION.echo) +
      say(WILL, OPTION.linemode, OPTION.windowSize) +
      subnegotiation(OPTION.windowSize, size[0] >> 8, size[0] & 255, size[1] >> 8, size[1] & 255) +
      say(DO, OPTION.status) +
      say(WILL, OPTION.flowControl),
    awaits: ' login: ',
  },
  { send: say(DO, OPTION.echo) + say(WILL, OPTION.binary) },
]

export const user = (name: string, end = '\r\0'): Turn => ({ send: name + end, awaits: 'Password: ' })

export const password = (text: string, end = '\r\0'): Turn => ({ send: text + end, awaits: ' login: ' })
