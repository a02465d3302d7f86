// The dialogues that telnetd and login of Debian 12 and our decoy hold alike.
import {
  bytes,
  COMMAND,
  DO,
  DONT,
  IAC,
  OPTION,
  SB,
  SEND,
  subnegotiation,
  WILL,
  WONT,
} from '../../../src/services/telnet/protocol/commands.ts'
import { GREETED, likeTelnet, password, refuseAll, say, user, valueOf } from '../client.ts'
import { CLOSE, type Dialogue, type Turn } from '../dialogue.ts'

const VERBS = { WILL, WONT, DO, DONT } as const

const named = (entries: readonly (readonly [string, readonly Turn[]])[]): Dialogue[] =>
  entries.map(([name, turns]) => ({ name, turns }))

/** Each option, said once before anything is agreed on. */
const firstWords = Object.entries(VERBS).flatMap(([name, verb]) =>
  Array.from({ length: 42 }, (_, option): Dialogue => ({
    name: `first ${name} ${option}`,
    turns: [GREETED, { send: say(verb, option) }, { send: say(verb, option) }],
  })),
)

/** Commands behind text, before the terminal is open. */
const early = Object.entries(COMMAND)
  .filter(([name]) => !['break', 'abort', 'suspend', 'subnegotiationEnd'].includes(name))
  .map(([name, command]): Dialogue => ({
    name: `${name} before the negotiation`,
    turns: [GREETED, { send: `abc${bytes(IAC, command)}d` }, ...refuseAll().slice(1), user('root')],
  }))

/** Each option, said at the prompt. */
const atPrompt = Object.entries(VERBS).flatMap(([name, verb]) =>
  [0, 1, 2, 3, 5, 6, 24, 25, 31, 32, 33, 34, 37, 38, 39].map((option): Dialogue => ({
    name: `${name} ${option} at the prompt`,
    turns: [...refuseAll(), { send: say(verb, option) }, user('root')],
  })),
)

/** Each control character within a name. */
const controls = [...Array(32).keys(), 127, 128, 255]
  .filter((code) => ![3, 10, 13, 28].includes(code))
  .map((code): Dialogue => ({
    name: `character ${code} in a name`,
    turns: [
      ...likeTelnet(),
      { send: `ad min${bytes(code).replace('\xff', '\xff\xff')}xy` },
      { send: '\x11z' },
      user(''),
    ],
  }))

const commands = Object.entries(COMMAND)
  .filter(([name]) => !['break', 'abort', 'interruptProcess', 'subnegotiationEnd'].includes(name))
  .map(([name, command]): Dialogue => ({
    name: `${name} in a name`,
    turns: [...likeTelnet(), { send: 'admin' }, { send: bytes(IAC, command) }, { send: 'x' }],
  }))

const types = ['xterm', 'XTERM', 'vt100', 'unknown', '', 'a b', 'x'.repeat(100)].map((type): Dialogue => ({
  name: `terminal type ${type}`,
  turns: [
    GREETED,
    { send: say(DONT, 37, 38) + say(WILL, 24) + say(WONT, 32, 35, 36, 39), awaits: subnegotiation(24, SEND) },
    { send: valueOf(24, type) },
    { send: valueOf(24, `${type}2`) },
    { send: valueOf(24, `${type}2`) },
    { send: valueOf(24, type) },
  ],
}))

const linemode = named([
  ['triplets', [...likeTelnet(), { send: say(WILL, 34) }, { send: subnegotiation(34, 3, 0, 3, 0) }]],
  ['triplets of ours', [...likeTelnet(), { send: say(WILL, 34) }, { send: subnegotiation(34, 3, 0, 2, 0) }]],
  [
    'another erase character',
    [
      ...likeTelnet(),
      { send: say(WILL, 34) },
      { send: subnegotiation(34, 3, 10, 2, 8) },
      { send: 'abc\x08d' },
    ],
  ],
  [
    'a character not supported',
    [...likeTelnet(), { send: say(WILL, 34) }, { send: subnegotiation(34, 3, 3, 0, 255, 19, 2, 1) }],
  ],
  [
    'other characters for flow control',
    [
      ...likeTelnet(),
      { send: say(WILL, 34) },
      { send: subnegotiation(34, 3, 15, 2, 1, 16, 2, 2) },
      { send: 'a\x02b\x01' },
    ],
  ],
  [
    'defaults of the client',
    [
      ...likeTelnet(),
      { send: say(WILL, 34) },
      { send: subnegotiation(34, 3, 1, 3, 0, 2, 2, 9, 3, 3, 0, 10, 129, 8, 18, 1, 3) },
    ],
  ],
  [
    'more triplets than fit',
    [
      ...likeTelnet(),
      { send: say(WILL, 34) },
      { send: subnegotiation(34, 3, ...Array.from({ length: 20 }, () => [0, 3, 0]).flat()) },
      { send: subnegotiation(34, 3, ...Array.from({ length: 60 }, (_, at) => [30 + at, 2, at]).flat()) },
      { send: subnegotiation(34, 3, ...Array.from({ length: 60 }, (_, at) => [255, 2, at]).flat()) },
    ],
  ],
  ['edit mode', [...likeTelnet(), { send: say(WILL, 34) }, { send: subnegotiation(34, 1, 3) }]],
  [
    'no edit mode',
    [...likeTelnet(), { send: say(WILL, 34) }, { send: subnegotiation(34, 1, 2) }, { send: 'a' }],
  ],
  ['mode acknowledged', [...likeTelnet(), { send: say(WILL, 34) }, { send: subnegotiation(34, 1, 7) }]],
  [
    'line ends in line mode',
    [...likeTelnet(), { send: say(WILL, 34) }, user('root', '\r\n'), password('x', '\r\0')],
  ],
  ['line mode switched off', [...likeTelnet(), { send: say(WILL, 34) }, { send: say(WONT, 34) }]],
  ['kludge', [...refuseAll(), { send: say(WILL, 6) }, { send: say(DO, 3) }, user('root', '\r\n')]],
  ['kludge refused', [...refuseAll(), { send: say(WONT, 6) }, user('root', '\r\n')]],
])

const status = named([
  ['status early', [GREETED, { send: say(DO, 5) }, { send: subnegotiation(5, SEND) }]],
  ['status', [...likeTelnet(), { send: subnegotiation(5, SEND) }]],
  ['status without line mode', [...refuseAll(), { send: say(DO, 5) + subnegotiation(5, SEND) }]],
  ['status of another kind', [...likeTelnet(), { send: subnegotiation(5, 7) + subnegotiation(5) }]],
])

const security = named([
  ['authentication offered', [GREETED, { send: say(WILL, 37) }, { send: subnegotiation(37, 0, 0, 0) }]],
  ['authentication twice', [GREETED, { send: say(WILL, 37) }, { send: say(WONT, 37) + say(WILL, 37) }]],
  ['a ticket', [GREETED, { send: say(WILL, 37) }, { send: subnegotiation(37, 0, 2, 0, 0, 1, 2, 3) }]],
  ['a step of another kind', [GREETED, { send: say(WILL, 37) }, { send: subnegotiation(37, 0, 2, 2, 9) }]],
  ['forwarded credentials', [GREETED, { send: say(WILL, 37) }, { send: subnegotiation(37, 0, 2, 2, 4, 1) }]],
  ...[[110], [110, 130, 1, 0], [110, 3, 2, 1, 5], [78, 1]].map(
    (ticket) =>
      [
        `a ticket of bytes ${ticket.join(' ')}`,
        [GREETED, { send: say(WILL, 37) }, { send: subnegotiation(37, 0, 2, 2, 0, ...ticket) }],
      ] as const,
  ),
  ...[[7], [7, 1], [7, 1, 2, 3], [8], [8, 1, 2, 3]].map(
    (key) =>
      [
        `a key by bytes ${key.join(' ')}`,
        [GREETED, { send: say(WILL, 38) }, { send: subnegotiation(38, ...key) }],
      ] as const,
  ),
  ['ciphers', [GREETED, { send: say(WILL, 38) }, { send: say(DO, 38) + subnegotiation(38, 1, 1, 2) }]],
  [
    'a cipher chosen',
    [GREETED, { send: say(WILL, 38) }, { send: subnegotiation(38, 0, 1, 1, 2, 3, 4, 5, 6, 7, 8) }],
  ],
  ['encryption requested', [GREETED, { send: say(WILL, 38) }, { send: subnegotiation(38, 5) }]],
  [
    'encryption ended',
    [GREETED, { send: say(WILL, 38) }, { send: subnegotiation(38, 4) + subnegotiation(38, 6) }],
  ],
])

const logins = named([
  ['a login', [...likeTelnet(), user('root'), password('toor')]],
  ['a login without options', [...refuseAll(), user('root', '\r\n'), password('toor', '\r\n')]],
  ['a login with line feeds', [...refuseAll(), user('root', '\n'), password('toor', '\n')]],
  ['a login with returns', [...refuseAll(), user('root', '\r'), password('toor', '\r')]],
  ['an empty name', [...refuseAll(), user('')]],
  ['an empty password', [...refuseAll(), user('root'), password('')]],
  ['a name with a hyphen', [...refuseAll(), user('-froot'), password('x')]],
  ['a name with a plus', [...refuseAll(), user('+x'), password('x')]],
  ['a long name', [...refuseAll(), user('n'.repeat(600)), password('x')]],
  ['a name of 511', [...refuseAll(), user('n'.repeat(511))]],
  ['a name of 510', [...refuseAll(), user('n'.repeat(510))]],
  ['a longer name', [...refuseAll(), user('n'.repeat(4_200))]],
  ['a long password', [...refuseAll(), user('root'), password('p'.repeat(600))]],
  ['end of file for a name', [...refuseAll(), { send: '\x04', awaits: ' login: ' }]],
  ['end of file behind a name', [...refuseAll(), { send: 'root\x04', awaits: 'Password: ' }]],
  ['end of file for a password', [...refuseAll(), user('root'), { send: '\x04', awaits: ' login: ' }]],
  ['name and password at once', [...refuseAll(), { send: 'root\r\ntoor\r\n', awaits: 'Password: ' }]],
  [
    'two lines while PAM waits',
    [...refuseAll(), user('root'), { send: 'x\r\n' }, { send: 'a\r\nb', awaits: ' login: ' }],
  ],
  ['an interrupted password', [...refuseAll(), user('root'), { send: 'ab\x03cd' }, { send: '\r\n' }]],
  ['an interrupt by command', [...refuseAll(), { send: 'ab' }, { send: bytes(IAC, 244), awaits: CLOSE }]],
  ['a stop', [...refuseAll(), { send: 'ab\x1acd' }, user('')]],
  ['quit', [...refuseAll(), { send: '\x1c', awaits: CLOSE }]],
  ['stopped output', [...refuseAll(), { send: '\x13abc' }, { send: 'd\x11' }, user('')]],
  [
    'five logins',
    [
      ...refuseAll(),
      ...Array.from({ length: 4 }, () => [user('a'), password('b')]).flat(),
      user('a'),
      { send: 'b\r\0', awaits: CLOSE },
    ],
  ],
  ['logout', [...refuseAll(), { send: say(DO, OPTION.logout) }]],
  ['logout early', [GREETED, { send: say(DO, OPTION.logout) }]],
  ['no end of a subnegotiation', [GREETED, { send: bytes(IAC, SB, 24, 0, 65, IAC, WILL, 1) }, { send: 'x' }]],
  [
    'output aborted twice',
    [GREETED, { send: bytes(IAC, 245).repeat(2) }, ...refuseAll().slice(1), user('root')],
  ],
  [
    'output aborted behind an echo',
    [GREETED, { send: say(WILL, 1) + bytes(IAC, 245) }, ...refuseAll().slice(1)],
  ],
  [
    'a ticket without content',
    [GREETED, { send: say(WILL, 37) }, { send: subnegotiation(37, 0, 2, 2, 0, 0x6e, 0) }],
  ],
  ['typed ahead of everything', [GREETED, { send: 'root\r\n' }, { send: say(DO, 3) }]],
  ['eight bits', [...likeTelnet(), user('\xe4\xf6'), password('\xff\xff')]],
  ['seven bits', [...refuseAll(), { send: say(WONT, 0) }, user('\xe4\xf6'), password('x')]],
  ['no echo', [...refuseAll(), { send: say(DONT, 1) }, user('root'), password('x')]],
  ['binary output', [...likeTelnet(), { send: say(DO, 0) }, user('root'), password('x')]],
])

export const dialogues: readonly Dialogue[] = [
  ...firstWords,
  ...early,
  ...atPrompt,
  ...controls,
  ...commands,
  ...types,
  ...linemode,
  ...status,
  ...security,
  ...logins,
]
