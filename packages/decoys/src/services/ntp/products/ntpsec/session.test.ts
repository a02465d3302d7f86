import fc from 'fast-check'
import { expect, test } from 'vitest'
import { probes } from '../../../../../lab/ntp/ntpsec/corpus.ts'
import { control, old, time } from '../../../../../lab/ntp/client.ts'
import { mask } from '../../../../../lab/ntp/ntpsec/mask.ts'
import { readAnswers } from '../../../../../test/probe.ts'
import { differences, replay } from '../../../../../test/replay.ts'
import { testContext } from '../../../../../test/session-context.ts'
import { openTestHost } from '../../../../../test/test-host.ts'
import type { SessionContext } from '../../../../session/session.ts'
import service from '../../service.ts'
import { ntpSession } from './session.ts'

const server = ntpSession(() => '6.1.0-52-amd64')
const NOW = Date.UTC(2026, 10, 20, 9, 39, 2)

function ask(datagram: Buffer, over: Partial<SessionContext> = {}) {
  const session = server(testContext({ now: () => NOW, ...over }))
  const [reply] = [session.open(), ...session.receive(datagram)].slice(1)
  if (reply?.error !== undefined) throw reply.error as Error
  const parts = [reply?.send, ...(reply?.furtherWrites ?? []).map(({ send }) => send)]
  return { events: reply?.events, datagrams: parts.filter((part) => part !== undefined) as Buffer[] }
}

const textOf = (datagram: Buffer): string => datagram.toString('latin1', 12, 12 + datagram.readUInt16BE(10))

test('each probe is answered as ntpd of ntpsec 1.2.2 answers it', () => {
  const lab = new URL('../../../../../lab/ntp/ntpsec/', import.meta.url)
  expect(probes.length).toBeGreaterThanOrEqual(300)
  expect(differences(probes, readAnswers(lab), () => server, mask)).toEqual([])
})

test('a client gets the right time, of a clock that follows a server nearby, and raises no event', () => {
  const { events, datagrams } = ask(time(4, 3, { poll: 6, sent: 'my time!' }))
  const [answer] = datagrams as [Buffer]
  expect(events).toBeUndefined()
  expect([...answer.subarray(0, 4)]).toEqual([0x24, 3, 6, 0xe8])
  expect([...answer.subarray(12, 16)]).toEqual([192, 0, 2, 254])
  expect(answer.toString('latin1', 24, 32)).toBe('my time!')
  const [polled, received, sent] = [16, 32, 40].map(
    (at) => answer.readUInt32BE(at) + answer.readUInt32BE(at + 4) / 2 ** 32,
  )
  const seconds = NOW / 1_000 + 2_208_988_800
  expect(received).toBeGreaterThanOrEqual(seconds)
  expect(sent! - received!).toBeGreaterThan(0)
  expect(sent! - seconds).toBeLessThan(0.002)
  expect(seconds - polled!).toBeLessThan(1_025)
  const [delay, dispersion] = [4, 8].map((at) => answer.readUInt32BE(at) / 65_536)
  expect(delay).toBeGreaterThan(0.004)
  expect(delay! / 2 + dispersion!).toBeLessThan(0.1)
})

test('what it says of itself agrees with the time that it gives, and drifts', () => {
  const said = (now: number): string => textOf(ask(control(2), { now: () => now }).datagrams[0]!)
  const text = said(NOW)
  expect(text).toMatch(
    /^leap=0, stratum=3, precision=-24, rootdelay=\d+\.\d{3}, rootdisp=\d+\.\d{3},\r\nrefid=192\.0\.2\.254, reftime=0x/,
  )
  expect(text).toMatch(
    /processor="x86_64",\r\nsystem="Linux\/6\.1\.0-52-amd64", version="ntpd ntpsec-1\.2\.2",\r\nclk_wander=[\d.]+, mintc=0\r\n$/,
  )
  for (const line of text.split('\r\n')) expect(line.length).toBeLessThan(73)
  const reftime = /reftime=0x(\w+)\.(\w+)/.exec(text)!.slice(1).join('')
  expect(ask(time(4, 3)).datagrams[0]!.toString('hex', 16, 24)).toBe(reftime)
  const later = said(NOW + 2_000_000)
  for (const name of ['rootdelay', 'offset', 'sys_jitter', 'reftime'])
    expect(new RegExp(`${name}=[^,]*`).exec(later)![0]).not.toBe(new RegExp(`${name}=[^,]*`).exec(text)![0])
})

test('its one server is listed, and is described in two fragments that fit together', () => {
  const [list] = ask(control(1)).datagrams as [Buffer]
  const association = list.readUInt16BE(12)
  expect(textOf(ask(control(2, { data: 'peer' })).datagrams[0]!)).toBe(`peer=${association}\r\n`)
  const parts = ask(control(2, { association })).datagrams
  expect(parts.map((part) => [part[1], part.readUInt16BE(8), part.length <= 480])).toEqual([
    [0xa2, 0, true],
    [0x82, 468, true],
  ])
  expect(parts.map(textOf).join('')).toMatch(
    /^srcadr=192\.0\.2\.254, srcport=123, dstadr=192\.0\.2\.1.*ntscookies=-1\r\n$/s,
  )
  expect(ask(control(2, { association: association + 1 })).datagrams[0]!.readUInt16BE(4)).toBe(0x0400)
})

test.each([
  [control(2), 'readvar'],
  [control(10), 'mrulist'],
  [control(31), 'mode 6, operation 31'],
  [control(2).subarray(0, 5), 'not whole'],
  [old(42, 2, 48), 'monlist'],
  [old(20), 'monlist'],
  [old(0), 'mode 7, request 0'],
  [old(0, 2, 2), 'not whole'],
])('a question about the server or its clients is an event: %#', (datagram, command) => {
  expect(ask(datagram).events).toEqual([{ logtype: '11001', fields: { NTP_CMD: command } }])
})

test('mode 7 is not answered, nor is a part, an answer or a version that there is not', () => {
  for (const datagram of [
    old(42, 2, 192),
    control(2).subarray(0, 11),
    control(2, { flags: 0x80 }),
    control(2, { version: 0 }),
  ])
    expect(ask(datagram).datagrams).toEqual([])
})

test('the clocks of the network raise nothing, whatever their number', async () => {
  const { host, touches } = openTestHost()
  const { createSocket } = await import('node:dgram')
  await host.apply(service.listeners({ 'ntp.enabled': true, 'ntp.port': 123 }))
  const socket = createSocket('udp4')
  const { boundPort } = host.listening()[0]!
  const answered = new Promise((resolve) => socket.once('message', resolve))
  socket.send(time(4, 1), boundPort, '127.0.0.1')
  socket.send(time(4, 3), boundPort, '127.0.0.1')
  await answered
  socket.close()
  await host.close()
  expect(touches).toEqual([])
})

test('no bytes make it throw, and no answer is longer than 1,024 of them', () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 1, maxLength: 600 }), fc.constantFrom(3, 6, 7), (bytes, mode) => {
      const datagram = Buffer.from(bytes)
      datagram[0] = (datagram[0]! & 0xf8) | mode
      const { datagrams } = ask(datagram)
      expect(Buffer.concat(datagrams).length).toBeLessThanOrEqual(1_024)
      replay({ name: '', send: [Buffer.from(bytes).toString('latin1')] }, server)
    }),
    { numRuns: 500 },
  )
})
