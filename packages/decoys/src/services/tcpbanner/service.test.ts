import fc from 'fast-check'
import { expect, test } from 'vitest'
import { defaultSettings } from '../../../test/default-settings.ts'
import { replay } from '../../../test/replay.ts'
import { testContext } from '../../../test/session-context.ts'
import { openTestHost } from '../../../test/test-host.ts'
import { connectTo } from '../../../test/tcp-client.ts'
import { manualClock } from '../../../test/manual-clock.ts'
import type { BirdSettings, DecoyEvent } from '../../session/session.ts'
import { checkSettings } from '../../settings/settings.ts'
import { descriptor } from './descriptor.ts'
import { unfolded } from './escapes.ts'
import service from './service.ts'

const settings = (changes: BirdSettings = {}): BirdSettings =>
  defaultSettings([descriptor], { 'device.name': 'Bird', 'tcpbanner.enabled': true, ...changes })

const open = (changes: BirdSettings) => {
  const listeners = service.listeners(settings(changes))
  const session = listeners[0]!.startSession(testContext())
  const first = session.open()
  const seen: DecoyEvent[] = [...(first.events ?? [])]
  let text = String(first.send)
  return {
    say(data: string) {
      for (const { events = [], send = '', error } of session.receive(Buffer.from(data, 'latin1'))) {
        if (error !== undefined) throw error as Error
        seen.push(...events)
        text += Buffer.from(send).toString('latin1')
      }
      return this
    },
    logtypes: () => seen.map(({ logtype }) => logtype),
    data: () => seen.map(({ fields }) => fields['DATA']),
    text: () => text,
  }
}

test('a connection and each piece of data are events, with the number of the banner, and are answered', () => {
  const client = open({
    'tcpbanner_1.enabled': false,
    'tcpbanner_7.enabled': true,
    'tcpbanner_7.initbanner': '220 mail\\r\\n',
    'tcpbanner_7.datareceivedbanner': '502 \\x41\\\\\\t€\\r\\n',
  })
  client.say('EHLO a\r\n').say('\xff\0')
  expect(client.text()).toBe(`220 mail\r\n${'502 A\\\t\xe2\x82\xac\r\n'.repeat(2)}`)
  expect(client.logtypes()).toEqual(['20001', '20002', '20002'])
  expect(client.data()).toEqual(['', 'EHLO a\\r\\n', 'ÿ\\x00'])
  const [{ startSession }] = service.listeners(settings({ 'tcpbanner_1.port': 25 })) as [
    ReturnType<typeof service.listeners>[number],
  ]
  expect(startSession(testContext()).open().events).toEqual([
    { logtype: '20001', fields: { BANNER_ID: '1', DATA: '', FUNCTION: 'CONNECTION_MADE' } },
  ])
})

test('a wrong escape is refused, at the end of the text too, and a right one is not', () => {
  const problems = (text: string) =>
    checkSettings([descriptor], settings({ 'tcpbanner_2.initbanner': text }))['tcpbanner_2.initbanner']
  for (const wrong of ['\\', 'a\\x', '\\x4', '\\xg0', '\\q', '\\\\\\', '\0'])
    expect(problems(wrong), wrong).toMatch(/^must be a text whose only escapes are/)
  for (const right of ['', '\\x00\\xfF', '\\\\x', 'a\nb', 'Grüße\\r\\n'])
    expect(problems(right)).toBeUndefined()
})

test('every text of bytes can be written, and comes out as it went in', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 60 }), (bytes) => {
      const text = [...bytes].map((byte) => `\\x${byte.toString(16).padStart(2, '0')}`).join('')
      expect([...unfolded(text)]).toEqual([...bytes])
      expect(checkSettings([descriptor], settings({ 'tcpbanner_1.initbanner': text }))).toEqual({})
    }),
  )
})

test('ten instances on one port are refused, each by its name', () => {
  const all = Array.from({ length: 10 }, (_, n) => `tcpbanner_${n + 1}`)
  const changes = all.flatMap((name) => [
    [`${name}.enabled`, true],
    [`${name}.port`, 9_100],
  ])
  const problems = checkSettings([descriptor], settings(Object.fromEntries(changes)))
  expect(Object.keys(problems).sort()).toEqual(all.map((name) => `${name}.port`).sort())
})

const alert = { 'tcpbanner_1.alertstring': 'PJL\\x20RDY', 'tcpbanner_1.alertstring.enabled': true }

test('with an alert string only data that contains it is an event, also across segments', () => {
  const client = open(alert)
  client.say('hello').say('@PJL R').say('DYMSG').say('other')
  expect(client.logtypes()).toEqual(['20002'])
  expect(client.data()[0]).toContain('PJL RDYMSG')
  expect(client.say('PJ').say('L RD').say('Y').logtypes()).toHaveLength(2)
})

test('with an alert string a connection that does not contain it is in no report of silent ones', async () => {
  const clock = manualClock()
  const { host, touches } = openTestHost({ clock })
  await host.apply(service.listeners(settings({ ...alert, 'tcpbanner_2.enabled': true })))
  for (const instance of ['tcpbanner_1', 'tcpbanner_2']) {
    const port = host.listening().find((it) => it.instance === instance)!.boundPort
    const client = connectTo(port)
    client.socket.end('hello')
    await new Promise((resolve) => client.socket.once('close', resolve))
  }
  await host.close()
  expect(touches.map(({ instance, logtype }) => [instance, logtype])).toEqual([
    ['tcpbanner_2', '20001'],
    ['tcpbanner_2', '20002'],
  ])
})

const monitor = {
  'tcpbanner_1.keep_alive.enabled': true,
  'tcpbanner_1.keep_alive_secret': 's3cret\\n',
  'tcpbanner_1.datareceivedbanner': 'ok',
}

test('a monitor says its secret first, in any segments, and is known from all other clients', () => {
  expect(open(monitor).say('s3').say('cret\nall').say('well').logtypes()).toEqual([
    ...['20003', '20004', '20005', '20005'],
  ])
  const alone = open(monitor).say('s3cret\n')
  expect([alone.logtypes(), alone.text()]).toEqual([['20003', '20004'], 'ok'])
  const stranger = open(monitor).say('s3CRET\n').say('more')
  expect([stranger.logtypes(), stranger.data(), stranger.text()]).toEqual([
    ['20003', '20006'],
    ['', 's3CRET\\n'],
    '',
  ])
})

test('nobody is taken for a monitor while its secret is empty', () => {
  const client = open({ ...monitor, 'tcpbanner_1.keep_alive_secret': '' }).say('\n')
  expect(client.logtypes()).toEqual(['20003', '20006'])
})

test('a connection raises a hundred events of data at most, and is answered on', () => {
  const client = open(monitor).say('s3cret\n')
  for (let n = 0; n < 150; n += 1) client.say('a')
  expect(client.logtypes()).toHaveLength(102)
  expect(client.text()).toBe('ok'.repeat(151))
})

test('each preset is a set of settings that a Bird takes, and is answered as it says', () => {
  expect(descriptor.presets.map(({ title }) => title.split(' ')[0])).toEqual([
    ...['SMTP', 'POP3', 'JetDirect', 'X11'],
  ])
  for (const { settings: changes } of descriptor.presets)
    expect(checkSettings([descriptor], settings(changes))).toEqual({})
  const { text } = replay(
    { name: '', send: ['l\0\x0b\0\0\0\0\0\0\0\0\0'] },
    service.listeners(settings(descriptor.presets[3].settings))[0]!.startSession,
  )
  expect(text.length).toBe(8 + 4 * text.charCodeAt(6))
})

test('no garbage makes a session throw, whatever its settings', () => {
  const piece = fc.string({ unit: fc.integer({ min: 0, max: 255 }).map((n) => String.fromCharCode(n)) })
  fc.assert(
    fc.property(fc.constantFrom({}, alert, monitor), fc.array(piece), (changes, send) => {
      replay({ name: '', send }, service.listeners(settings(changes))[0]!.startSession)
    }),
  )
})
