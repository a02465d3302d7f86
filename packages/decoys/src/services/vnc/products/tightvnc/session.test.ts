import { expect, test } from 'vitest'
import { defaultSettings } from '../../../../../test/default-settings.ts'
import { readAnswers } from '../../../../../test/probe.ts'
import { differences } from '../../../../../test/replay.ts'
import { testContext } from '../../../../../test/session-context.ts'
import { descriptors } from '../../../../descriptors.gen.ts'
import type { Listener, Reply } from '../../../../session/session.ts'
import { responseTo } from '../../protocol/guess.ts'
import service from '../../service.ts'
import { probes } from '../../../../../lab/vnc/tightvnc/corpus.ts'
import { mask } from '../../../../../lab/vnc/tightvnc/mask.ts'

const SETTINGS = { 'device.name': 'desk', 'vnc.enabled': true, 'vnc.version': 'tightvnc-1.3.10' }
const listener = (): Listener => service.listeners(defaultSettings(descriptors, SETTINGS))[0]!

const CHALLENGE = Buffer.from('000102030405060708090a0b0c0d0e0f', 'hex')
const WRONG = '0123456789abcdef'
const V8 = 'RFB 003.008\n'

/** Sends the parts on a connection of its own; what the client gets, and what is raised. */
function talk(
  { startSession }: Listener,
  parts: readonly (string | Buffer)[],
  { host = '192.0.2.7', seconds = 0 } = {},
) {
  const context = { now: () => seconds * 1_000, random: () => CHALLENGE, src: { host, port: 40_000 } }
  const session = startSession(testContext(context))
  const replies: Reply[] = [session.open()]
  for (const part of parts) replies.push(...session.receive(Buffer.from(part as string, 'latin1')))
  return {
    session,
    text: replies.map(({ send = '' }) => send.toString('latin1')).join(''),
    events: replies.flatMap(({ events = [] }) => events),
    last: replies.at(-1),
  }
}

test('99 of 100 probes are answered as TightVNC answers them', () => {
  const answers = readAnswers(new URL('../../../../../lab/vnc/tightvnc/', import.meta.url))
  const found = differences(probes, answers, () => listener().startSession, mask)
  expect(found.length / probes.length, JSON.stringify(found, null, 1)).toBeLessThanOrEqual(0.01)
})

test('a viewer that prefers Tight is offered no tunnel and one way to log in, and its password is in the event', () => {
  const response = responseTo(CHALLENGE, 'letmein')
  const { text, events } = talk(listener(), [V8, '\x10', '\0\0\0\x02', response])
  expect(text).toBe(
    `${V8}\x02\x02\x10` +
      '\0\0\0\0\0\0\0\x01\0\0\0\x02STDVVNCAUTH_' +
      CHALLENGE.toString('latin1') +
      '\0\0\0\x01\0\0\0\x15Authentication failed',
  )
  expect(events).toEqual([
    {
      logtype: '12001',
      fields: {
        PASSWORD: 'letmein',
        SERVER_CHALLENGE: CHALLENGE.toString('hex'),
        CLIENT_RESPONSE: response.toString('hex'),
      },
    },
  ])
})

test('who leaves Tight when a password is asked for has tried none', () => {
  const { session } = talk(listener(), [V8, '\x10', '\0\0\0\x02'])
  expect(session.closed()).toMatchObject([
    { logtype: '12001', fields: { PASSWORD: '', CLIENT_RESPONSE: '' } },
  ])
})

test('a source is blocked from its fifth wrong password on, for a time that doubles, and others are not', () => {
  const server = listener()
  const attempt = (seconds: number, host?: string): string =>
    talk(server, [V8, '\x02', WRONG], { seconds, ...(host && { host }) }).text.slice(-32)
  for (const seconds of [0, 1, 2, 3]) expect(attempt(seconds)).toContain('Authentication failed')
  expect(attempt(4)).toContain('too many tries')
  for (const seconds of [4, 13.9]) expect(attempt(seconds)).toBe('Too many authentication failures')
  expect(attempt(14)).toContain('too many tries')
  expect(attempt(33.9)).toBe('Too many authentication failures')
  expect(attempt(34)).toContain('too many tries')
  expect(attempt(34, '192.0.2.8')).not.toContain('many')
})

test('a blocked client of any version is refused in its own form', () => {
  const server = listener()
  for (let tries = 0; tries < 5; tries += 1) talk(server, [V8, '\x02', WRONG])
  const reason = '\0\0\0\x20Too many authentication failures'
  for (const [minor, form] of [
    [3, '\0\0\0\0'],
    [7, '\0'],
    [8, '\0'],
  ] as const) {
    const { text, last } = talk(server, [`RFB 003.00${minor}\n`])
    expect(text).toBe(V8 + form + reason)
    expect(last).toMatchObject({ close: 'close' })
  }
})

test('who sends a part of a message has two minutes for the rest; who is silent stays', () => {
  const { session, last } = talk(listener(), [V8, '\x02', WRONG.slice(0, 5)])
  expect(last).toMatchObject({ wakeMs: 120_000 })
  expect(session.wake()).toMatchObject({ close: 'end' })
  const silent = talk(listener(), [V8.slice(0, 5), V8.slice(5)]).session
  expect(silent.wake()?.close).toBeUndefined()
})

test('what is left unread resets the connection behind the refusal', () => {
  const { text, last } = talk(listener(), [V8, `\x02${WRONG}x`])
  expect(text).toContain('Authentication failed')
  expect(last).toMatchObject({ close: 'reset' })
})
