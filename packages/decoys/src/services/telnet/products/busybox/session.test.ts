// What the real telnetd and login of BusyBox 1.35 said to the same, on a machine whose name is that of the decoy.
import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { dialogues, masks } from '../../../../../lab/telnet/busybox/grammar.ts'
import { telnetDefaults } from '../../../../../lab/telnet/defaults.ts'
import { CLOSE, type Transcript, type Turn } from '../../../../../lab/telnet/dialogue.ts'
import { replayDialogue } from '../../../../../lab/telnet/replay.ts'
import { deriveFrom, testContext } from '../../../../../test/session-context.ts'
import { storyOf } from '../../../../machine/story.ts'

const ROUTER = { 'http.enabled': true, 'http.skin': 'router' }
const { hostName } = storyOf(ROUTER, deriveFrom('bird-1'))
const LOGIN = `${hostName} login: `
const GREETING = `\xff\xfd\x01\xff\xfd\x1f\xff\xfb\x01\xff\xfb\x03\r\r\n${LOGIN}`
const WINDOW = '\xff\xfb\x1f\xff\xfa\x1f\0\x50\0\x18\xff\xf0'

const held = (turns: readonly Turn[], changes = {}) =>
  replayDialogue({ name: '', turns }, telnetDefaults({ ...ROUTER, ...changes }))

const turn = (send: string, awaits?: string): Turn => ({ send, ...(awaits !== undefined && { awaits }) })
const refused = `\r\nLogin incorrect\r\n${LOGIN}`

test('99 of 100 dialogues are held as telnetd and login of BusyBox 1.35 hold them', () => {
  const file = new URL('../../../../../lab/telnet/busybox/answers.json', import.meta.url)
  const answers = JSON.parse(readFileSync(file, 'utf8')) as Record<string, Transcript>
  const hide = (text: string): string => masks.reduce((hidden, mask) => mask.hide(hidden), text)
  const shown = ({ said, closed }: Transcript): string =>
    `${said.map((text) => JSON.stringify(hide(text))).join('\n')}${closed ? ' closed' : ''}`
  const differences = dialogues.flatMap((dialogue) => {
    const [real, ours] = [answers[dialogue.name]!, replayDialogue(dialogue, telnetDefaults(ROUTER))].map(
      shown,
    )
    return real === ours
      ? []
      : [`${dialogue.name}\n${JSON.stringify(dialogue.turns)}\nreal ${real}\nours ${ours}`]
  })
  expect(dialogues.length).toBeGreaterThanOrEqual(300)
  expect(differences.length / dialogues.length, differences.join('\n\n')).toBeLessThanOrEqual(0.01)
})

test('it asks for a name at once, refuses three pairs three seconds later each, and closes', () => {
  const { said, closed, events } = held([
    turn(''),
    turn('admin\r\0'),
    turn('admin\r\0', refused),
    turn(`${WINDOW}x y\r\n`),
    turn('\xff\xff\r\n', refused),
    turn('z\n'),
    turn('\n', CLOSE),
  ])
  expect(said).toEqual([
    GREETING,
    'admin\r\nPassword: ',
    refused,
    'x y\r\nPassword: ',
    refused,
    'z\r\nPassword: ',
    '\r\nLogin incorrect\r\n',
  ])
  expect(closed).toBe(true)
  const fields = { TERMSIZE: '', TERMTYPE: '' }
  expect(events).toEqual(
    [
      { USERNAME: 'admin', PASSWORD: 'admin', ...fields },
      { USERNAME: 'x', PASSWORD: 'ÿ', ...fields, TERMSIZE: '80x24' },
      { USERNAME: 'z', PASSWORD: '', ...fields, TERMSIZE: '80x24' },
    ].map((it) => ({ logtype: '6001', fields: it })),
  )
})

test.each([
  ['a name that is edited', ['adm\x15bob\r\0'], ['adm\b \b\b \b\b \bbob\r\nPassword: ']],
  ['what is typed ahead', ['u\npw\n'], ['u\r\npw\r\nPassword: ']],
  ['options of the client', ['\xff\xfb\x18\xff\xfc\x01\xff\xfd\x05'], ['']],
  ['whether it is there', ['\xff\xf1\xff\xf6'], ['\xff\xff\xf1']],
  ['blanks', ['  \r\n', '\r\n'], [`  \r\n${LOGIN}`, `\r\n${LOGIN}`]],
  ['ten empty names', ['\n', '\n'.repeat(9)], [`\r\n${LOGIN}`, '\r\n'.repeat(9) + LOGIN.repeat(8)]],
  ['the end of the file', ['\x04'], ['']],
  [
    'the size of a window, whose 255 is doubled,',
    ['\xff\xfa\x1f\0\xff\xff\0\x75\xff\xf0', 'b\r'],
    ['u', 'b\r\nPassword: '],
  ],
  ['a subnegotiation', ['\xff\xfa\x18\0vt100\xff\xf0'], ['^@vt100']],
  ['a command in two segments', ['a\xff', '\xfb\x01b'], ['a', 'b']],
  ['a NUL at the end of a segment', ['\0', 'a\0\0'], ['', 'a^@']],
  ['an end of the file behind a part', ['u\r\n', 'ab\x04', 'w\r\n'], ['u\r\nPassword: ', '', '\r\n']],
])('%s is answered as by the real one', (_, sent, expected) => {
  expect(held([turn(''), ...sent.map((send) => turn(send))]).said.slice(1)).toEqual(expected)
})

test('what stands behind a quoted line feed answers the next prompt', () => {
  const { said, events } = held([
    turn(''),
    turn('a\x16\nb\r'),
    turn('1\r', `${refused}Password: `),
    turn('2\r'),
  ])
  expect(said.slice(1)).toEqual(['a^\b^Jb\r\nPassword: ', `${refused}Password: `, '\r\n'])
  expect(events.map(({ fields }) => fields['USERNAME'])).toEqual(['a', 'b'])
})

test.each(['\x04', 'ab\x03'])('%j at a prompt for the password is a refused answer', (send) => {
  const { said, events } = held([turn(''), turn('u\r\n'), turn(send, refused)])
  expect(said[2]).toBe(refused)
  expect(events).toHaveLength(1)
})

test('a client that says nothing hears of it after a minute', () => {
  let now = Date.UTC(2026, 10, 20)
  const session = telnetDefaults(ROUTER)(testContext({ now: () => now }))
  expect(session.open()?.wakeMs).toBe(2)
  now += 2
  expect(session.wake()?.wakeMs).toBe(59_998)
  now += 59_998
  const reply = session.wake()
  expect(reply?.send?.toString()).toBe('\r\r\nLogin timed out after 60 seconds\r\r\n')
  expect(reply?.close).toBe('close')
})

test('what comes before the prompt hastens its line and is discarded, and nobody is there yet', () => {
  let now = Date.UTC(2026, 10, 20)
  const session = telnetDefaults(ROUTER)(testContext({ now: () => now }))
  expect(session.open()?.send?.toString('latin1')).toBe(GREETING.slice(0, 12))
  const replies = session.receive(Buffer.from('\xff\xf6root\r\n', 'latin1'))
  expect(replies.map(({ send }) => send?.toString('latin1'))).toEqual(['\r\r\n'])
  now += 1
  expect(session.wake()?.send?.toString('latin1')).toBe(LOGIN)
})

test('the texts of the settings are what a device says, too', () => {
  const texts = {
    'telnet.banner': 'Branch %h\non %t',
    'telnet.user_prompt': 'Name: ',
    'telnet.password_prompt': 'Word: ',
    'telnet.authentication_failed_prompt': 'No',
  }
  const { said } = held([turn(''), turn('a\r\n'), turn('b\r\n', 'Name: ')], texts)
  expect(said[0]).toMatch(new RegExp(`\r\r\nBranch ${hostName}\r\n\ron pts/0\r\n\rName: $`))
  expect(said.slice(1)).toEqual(['a\r\nWord: ', '\r\nNo\r\nName: '])
})

test.each([
  [{ 'modbus.enabled': true }, true],
  [{ 'snmp.enabled': true, 'http.skin': 'printer' }, true],
  [{ 'http.enabled': true, 'http.skin': 'nas' }, false],
])('a machine with %j has a BusyBox: %j', (changes, isBusybox) => {
  const [first] = replayDialogue({ name: '', turns: [turn('')] }, telnetDefaults(changes)).said
  expect(first!.startsWith('\xff\xfd\x01\xff\xfd\x1f')).toBe(isBusybox)
})

test('no garbage makes the session throw', () => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ maxLength: 300 }), { maxLength: 5 }), (segments) => {
      let now = Date.UTC(2026, 10, 20)
      const session = telnetDefaults(ROUTER)(testContext({ now: () => now }))
      session.open()
      for (const segment of segments) {
        for (const { error } of session.receive(Buffer.from(segment))) expect(error).toBeUndefined()
        now += 3_000
        expect(session.wake()?.error).toBeUndefined()
      }
    }),
    { numRuns: 300 },
  )
})
