import { expect, test } from 'vitest'
import { readAnswers } from '../../../../../test/probe.ts'
import { differences } from '../../../../../test/replay.ts'
import { testContext } from '../../../../../test/session-context.ts'
import { descriptors } from '../../../../descriptors.gen.ts'
import type { Listener, Reply } from '../../../../session/session.ts'
import { defaultSettings } from '../../../../../test/default-settings.ts'
import { probes } from '../../../../../lab/vnc/tigervnc/corpus.ts'
import { mask } from '../../../../../lab/vnc/tigervnc/mask.ts'
import { responseTo } from '../../protocol/guess.ts'
import service from '../../service.ts'

const listener = (): Listener =>
  service.listeners(defaultSettings(descriptors, { 'device.name': 'desk', 'vnc.enabled': true }))[0]!

const CHALLENGE = Buffer.from('000102030405060708090a0b0c0d0e0f', 'hex')

function start() {
  const session = listener().startSession(testContext({ random: () => CHALLENGE }))
  const replies: Reply[] = [session.open()]
  return {
    send: (...parts: (string | Buffer)[]): Reply[] => {
      for (const part of parts) replies.push(...session.receive(Buffer.from(part as string, 'latin1')))
      return replies
    },
    wake: () => replies.push(...[session.wake()].filter((reply) => reply !== undefined)),
    close: () => session.closed(),
    text: () => replies.map(({ send = '' }) => send.toString('latin1')).join(''),
    last: () => replies.at(-1),
  }
}

const eventsOf = (replies: readonly Reply[]) => replies.flatMap(({ events = [] }) => events)

test('99 of 100 probes are answered as TigerVNC answers them', () => {
  const answers = readAnswers(new URL('../../../../../lab/vnc/tigervnc/', import.meta.url))
  const found = differences(probes, answers, () => listener().startSession, mask)
  expect(probes.length).toBeGreaterThanOrEqual(300)
  expect(found.length / probes.length, JSON.stringify(found, null, 1)).toBeLessThanOrEqual(0.01)
})

test.each(['welcome1', 'letmein', ''])('the common password %j is read from the response', (password) => {
  const client = start()
  const response = responseTo(CHALLENGE, password)
  const [event] = eventsOf(client.send('RFB 003.008\n', '\x02', response))
  expect(event).toEqual({
    logtype: '12001',
    fields: {
      PASSWORD: password,
      SERVER_CHALLENGE: CHALLENGE.toString('hex'),
      CLIENT_RESPONSE: response.toString('hex'),
    },
  })
})

test('of a password that is not common the event has challenge and response, as password crackers read them', () => {
  const response = responseTo(CHALLENGE, 'xK9#qq2!')
  const [event] = eventsOf(start().send('RFB 003.003\n', response))
  expect(event?.fields).toMatchObject({
    PASSWORD: '<Password not in common list>',
    CLIENT_RESPONSE: response.toString('hex'),
  })
})

test('a wrong password is refused after 100 ms, with a reason from 3.8 on, and the event is raised before', () => {
  for (const [version, end] of [
    ['RFB 003.008\n', '\0\0\0\x01\0\0\0\x16Authentication failure'],
    ['RFB 003.007\n', '\0\0\0\x01'],
  ]) {
    const client = start()
    client.send(version!, '\x02', '0123456789abcdef')
    expect(client.last()).toMatchObject({ wakeMs: 100, events: [{ logtype: '12001' }] })
    client.wake()
    expect(client.last()).toMatchObject({ close: 'end' })
    expect(client.text().endsWith(end!)).toBe(true)
  }
})

test('a client that leaves when it is asked for a password has tried none', () => {
  const client = start()
  client.send('RFB 003.008\n', '\x02')
  expect(client.close()).toMatchObject([
    {
      logtype: '12001',
      fields: { PASSWORD: '', CLIENT_RESPONSE: '', SERVER_CHALLENGE: CHALLENGE.toString('hex') },
    },
  ])
})

test('one try is one event', () => {
  const client = start()
  expect(eventsOf(client.send('RFB 003.008\n', '\x02', '0123456789abcdef'))).toHaveLength(1)
  expect(client.close()).toEqual([])
})

test('a scanner sees VeNCrypt with anonymous TLS, as nmap’s vnc-info lists it', () => {
  const client = start()
  client.send('RFB 003.008\n', '\x13', '\0\x02')
  expect(client.text().slice(15)).toBe('\0\x02\0\x02\0\0\0\x02\0\0\x01\x02')
  client.send('\0\0\x01\x02')
  expect(client.last()?.tls).toMatchObject({ profile: { name: 'tigervnc-anonymous' } })
})

const newcomer = (address: string, now: number) => ({
  address,
  source: address,
  open: 0,
  now,
  random: () => Buffer.alloc(4),
})

test('on a Windows machine it has the order of sub-types of TigerVNC for Windows', () => {
  const settings = {
    'device.name': 'desk',
    'smb.enabled': true,
    'smb.mode': 'windows-10',
    'vnc.enabled': true,
  }
  const [listener] = service.listeners(defaultSettings(descriptors, settings))
  const session = listener!.startSession(testContext())
  session.open()
  const replies = ['RFB 003.008\n', '\x13', '\0\x02'].flatMap((text) =>
    session.receive(Buffer.from(text, 'latin1')),
  )
  expect(replies.at(-1)?.send?.toString('latin1')).toBe('\0\x02\0\0\x01\x02\0\0\0\x02')
})

test('a source is blocked after its connections without a login, for a time that doubles', () => {
  const { crowd } = listener()
  const isRefused = (seconds: number, address = '192.0.2.7'): boolean =>
    crowd!.refusal(newcomer(address, seconds * 1_000)) !== undefined
  const tried = [0, 0, 0, 0, 0, 0, 9, 10, 10, 29, 30, 31].map((seconds) => isRefused(seconds))
  expect(tried).toEqual([false, false, false, false, false, true, true, false, true, true, false, true])
  expect(isRefused(0, '192.0.2.8')).toBe(false)
  expect(String(crowd!.refusal(newcomer('192.0.2.7', 32_000)))).toContain('Too many security failures')
})
