import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { sentBytes } from '../../../../../test/sent-bytes.ts'
import { testContext } from '../../../../../test/session-context.ts'
import type { Reply, Session } from '../../../../session/session.ts'
import { dialogues } from '../../../../../lab/telnet/telnetd/dialogues.ts'
import { hideAll } from '../../../../../lab/telnet/telnetd/mask.ts'
import { bytes, COMMAND, DO, DONT, IAC, OPTION, subnegotiation, WILL, WONT } from '../../protocol/commands.ts'
import { likeTelnet, password, refuseAll, say, user, VALUES } from '../../../../../lab/telnet/client.ts'
import { telnetDefaults as telnet } from '../../../../../lab/telnet/defaults.ts'
import type { Dialogue, Transcript, Turn } from '../../../../../lab/telnet/dialogue.ts'
import { replayDialogue } from '../../../../../lab/telnet/replay.ts'

/** The replies to what the client sends, also to what waited for several writes. */
const talk = (session: Session, text: string): Reply[] => {
  const replies = session.receive(Buffer.from(text, 'latin1'))
  while (session.hasMore) replies.push(...session.resume())
  return replies
}

/** A write(2) each. */
const writesOf = ({ send = '', furtherWrites = [] }: Reply): string[] =>
  [{ send }, ...furtherWrites].map((write) => hideAll(sentBytes(write).toString('latin1')))

const hold = (turns: readonly Turn[], settings = {}) => replayDialogue({ name: '', turns }, telnet(settings))

test('99 of 100 dialogues are held as telnetd 2.4 and login of Debian 12 hold them', () => {
  const answers = JSON.parse(
    readFileSync(new URL('../../../../../lab/telnet/telnetd/answers.json', import.meta.url), 'utf8'),
  ) as Record<string, Transcript>
  const shown = ({ said, closed }: Transcript): string =>
    `${said.map((text) => JSON.stringify(hideAll(text))).join('\n')}${closed ? ' closed' : ''}`
  const differences = dialogues.flatMap((dialogue: Dialogue) => {
    const [real, ours] = [answers[dialogue.name]!, replayDialogue(dialogue, telnet())].map(shown)
    return real === ours ? [] : [`${dialogue.name}\nreal ${real}\nours ${ours}`]
  })
  expect(dialogues.length).toBeGreaterThanOrEqual(300)
  expect(differences.length / dialogues.length, differences.join('\n\n')).toBeLessThanOrEqual(0.01)
})

test('a password raises its event with the terminal, before it is refused', () => {
  const { events, said } = hold([
    ...likeTelnet('vt220', [132, 43]),
    user('admin'),
    { send: 'h\xc3\xbcnter2\r\0', awaits: ' login: ' },
  ])
  expect(events).toEqual([
    {
      logtype: '6001',
      fields: { USERNAME: 'admin', PASSWORD: 'hünter2', TERMSIZE: '132x43', TERMTYPE: 'vt220' },
    },
  ])
  expect(said.at(-1)).toMatch(/^\r\n\r\nLogin incorrect\r\n/)
})

test('the event comes with the password, and the refusal 1.5 to 4.5 s later', () => {
  let now = 0
  const session = telnet()(testContext({ now: () => now }))
  session.open()
  for (const { send } of refuseAll()) if (send) talk(session, send)
  now += 20
  session.wake()
  talk(session, 'root\r\n')
  const [reply] = talk(session, 'toor\r\n')
  expect(reply?.events).toHaveLength(1)
  expect(String(reply?.send)).toBe('\r\n')
  expect(reply?.wakeMs).toBeGreaterThanOrEqual(1_500)
  expect(reply?.wakeMs).toBeLessThanOrEqual(4_500)
})

test('the fifth wrong password closes the connection', () => {
  const tries = Array.from({ length: 5 }, () => [user('a'), password('b')]).flat()
  const { said, closed, events } = hold([...refuseAll(), ...tries])
  expect(said.at(-1)).toMatch(/Login incorrect\r\nMaximum number of tries exceeded \(5\)\r\n$/)
  expect([closed, events.length]).toEqual([true, 5])
})

test('login ends after a minute', () => {
  let now = 0
  const session = telnet()(testContext({ now: () => now }))
  session.open()
  const replies = refuseAll().flatMap(({ send }) => talk(session, send))
  now += replies.at(-1)?.wakeMs ?? 0
  expect(session.wake()?.wakeMs).toBe(60_000 - now)
  now = 60_000
  expect(String(session.wake()?.send)).toBe('\r\nLogin timed out after 60 seconds.\r\n')
})

test('what telnetd writes one by one, as strace shows it, is written one by one', () => {
  let now = 0
  const session = telnet()(testContext({ now: () => now }))
  session.open()
  const said = (text: string): string[] => {
    now += 20
    return [session.wake() ?? {}, ...talk(session, text)].flatMap(writesOf).filter((written) => written)
  }
  const [areYouThere, yes] = [bytes(IAC, COMMAND.areYouThere), '\r\n[Yes]\r\n']
  const size = subnegotiation(OPTION.windowSize, 0, 80, 0, 24)
  const refusals = say(DONT, OPTION.authentication, OPTION.encryption) + say(WONT, ...VALUES)
  expect(said(say(WILL, OPTION.linemode) + refusals)).toEqual([
    `${say(DO, OPTION.linemode)}${subnegotiation(OPTION.linemode, 1, 16)}\0`,
    say(WILL, OPTION.suppressGoAhead) +
      say(DO, OPTION.echo, OPTION.windowSize) +
      say(WILL, OPTION.status) +
      say(DO, OPTION.flowControl),
  ])
  const rest = say(WONT, OPTION.echo, OPTION.flowControl) + say(WILL, OPTION.windowSize) + size
  expect(said(say(DONT, OPTION.suppressGoAhead) + say(DO, OPTION.status) + rest)).toEqual([
    say(WILL, OPTION.echo) + say(DO, OPTION.binary) + say(DONT, OPTION.linemode),
    '\r\nLinux K (H) (T)\r\n\r\n',
    'H login: ',
  ])
  expect(said(areYouThere + size + areYouThere)).toEqual([yes, yes])
  const status = bytes(DO, OPTION.binary, WILL, OPTION.echo, WILL, OPTION.status, DO, OPTION.windowSize)
  expect(said(areYouThere + subnegotiation(OPTION.status, 1) + areYouThere)).toEqual([
    yes,
    subnegotiation(OPTION.status, 0, ...Buffer.from(status, 'latin1')),
    yes,
  ])
  expect(said(`${areYouThere}root\r\n`)).toEqual([yes, 'root\r\n', 'Password: '])
})

test('a client that answers no question is sent no banner, and waits', () => {
  const session = telnet()(testContext())
  const greeting = Buffer.from(session.open().send ?? '')
  expect(greeting.toString('latin1')).toMatch(/^(\xff[\xfb\xfd].)+$/s)
  expect(session.receive(Buffer.from('root\r\ntoor\r\n')).every(({ send }) => !send?.length)).toBe(true)
  expect(session.idle()?.close).toBeUndefined()
})

test('a password is not echoed, a name is', () => {
  const { said } = hold([...refuseAll(), user('root', '\r\n'), { send: 'secret\r\n' }])
  expect(said.at(-2)).toBe('root\r\nPassword: ')
  expect(said.at(-1)).not.toContain('secret')
})

test('two machines have two names, and two connections two terminals', () => {
  const runner = telnet()
  const bannerOf = (seed: number, run = runner): string => {
    const derive = (_: string, length: number): Buffer => Buffer.alloc(length, seed)
    const session = run(testContext({ derive }))
    session.open()
    return refuseAll()
      .flatMap(({ send }) => talk(session, send))
      .map((reply) => sentBytes(reply).toString('latin1'))
      .join('')
  }
  expect(bannerOf(1)).toMatch(/\(\w+-010101\) \(pts\/0\)/)
  expect(bannerOf(2)).toMatch(/\(\w+-020202\) \(pts\/1\)/)
})

test('it makes no difference how the client cuts its bytes, while login waits', () => {
  const whole = hold([...refuseAll(), user('ad\x7fdmin'), { send: 'x\r\n' }])
  const cut = hold([
    ...refuseAll(),
    ...[...'ad\x7fdmin\r\0'].map((send) => ({ send })),
    { send: 'x' },
    { send: '\r\n' },
  ])
  expect(cut.events).toEqual(whole.events)
  expect(cut.said.slice(3).join('')).toBe(whole.said.slice(3).join(''))
})

test('no garbage makes the session throw, and none makes it hold more than a few lines', () => {
  const piece = fc.oneof(
    fc.constantFrom(
      ...[WILL, WONT, DO].map((verb) => say(verb, ...VALUES)),
      '\r\n',
      'root',
      bytes(IAC),
      '\xff\xfa',
    ),
    fc.string({
      unit: fc.integer({ min: 0, max: 255 }).map((code) => String.fromCharCode(code)),
      maxLength: 60,
    }),
  )
  fc.assert(
    fc.property(fc.array(piece), fc.boolean(), (sent, isAtPrompt) => {
      hold([...(isAtPrompt ? refuseAll() : []), ...sent.map((send) => ({ send }))])
    }),
    { numRuns: 300 },
  )
})
