import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { captureObstacle } from '@rookery/decoys/host/sensors/capability.ts'
import portscan from '@rookery/decoys/services/portscan/service.ts'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { manualClock, skippingClock } from '../../test/clocks.ts'
import {
  startTestBird,
  startTestConsole,
  lineSettings,
  portOf,
  sendLines,
  startRegisteredBird,
} from '../../test/test-bird.ts'
import { lineDescriptor, lineService } from '../../test/line-service.ts'
import { decoyStatus } from '../console-session/status.ts'
import { activeSettings } from './active-settings.ts'

describe('settings', () => {
  test('of a large bundle come in pieces', async () => {
    const { console } = await startRegisteredBird({ ...lineSettings, 'smb.filetree': 'é'.repeat(100_000) })
    expect(console.frames.filter(({ kind }) => kind === 'SETTINGS_FETCH')).toHaveLength(7)
  })

  test('whose port is in use are in force without that decoy, and it listens as soon as the port is free', async () => {
    const blocker = createServer().listen(0, '127.0.0.1')
    await once(blocker, 'listening')
    const { port } = blocker.address() as AddressInfo
    const reason = `port ${port} is in use`
    const console = await startTestConsole()
    console.isCommissioned = true
    console.offer({ 'line.enabled': true, 'line.port': port })
    const clock = skippingClock()
    const bird = await startTestBird({ consoleUrl: console.url, portOffset: 0, clock })
    expect(await console.frame('SETTINGS_APPLIED')).toEqual({
      tag: 'tag-1',
      seq: 1,
      serviceCount: 0,
      notStanding: [{ instance: 'line', reason }],
    })
    expect(bird.state()).toMatchObject({ settingsTag: 'tag-1', listening: [] })
    clock.skip(60_000)
    await console.until(() => console.events.length === 1)
    expect(console.events[0]).toMatchObject({ logtype: '22002', fields: { REASON: { line: reason } } })
    await new Promise((resolve) => blocker.close(resolve))
    const seen = console.frames.length
    clock.skip(10_000)
    await bird.when(({ listening }) => listening.length === 1)
    clock.skip(1_000)
    await console.until(() =>
      console.frames.slice(seen).some((frame) => frame.kind === 'HEARTBEAT' && frame.body.serviceCount === 1),
    )
    expect(bird.state().notStanding).toEqual([])
  })

  test('with a sensor are in force with it, and say by which way it notices', async () => {
    const console = await startTestConsole()
    console.isCommissioned = true
    console.offer({ ...lineSettings, 'portscan.enabled': true })
    await startTestBird({ consoleUrl: console.url, services: { line: lineService, portscan } })
    const reason = captureObstacle() ?? 'it listens on loopback, so only its decoys’ ports are watched'
    const way = captureObstacle() === undefined ? 'packets' : 'connections'
    expect(await console.frame('SETTINGS_APPLIED')).toMatchObject({
      serviceCount: 1,
      notStanding: [],
      sensors: [{ instance: 'portscan', way, reason }],
    })
  })

  test('of a wrong form fail by their name', async () => {
    const console = await startTestConsole()
    console.isCommissioned = true
    console.offer({ ...lineSettings, 'line.port': 'ssh' })
    await startTestBird({ consoleUrl: console.url, descriptors: [lineDescriptor] })
    const { reason } = await console.frame('SETTINGS_FAILED')
    expect(reason).toBe('line.port must be a number from 1 to 65535, not "ssh"')
  })

  test('of a wrong form leave those in force that were, and their decoys open', async () => {
    const console = await startTestConsole()
    console.isCommissioned = true
    console.offer(lineSettings)
    const bird = await startTestBird({ consoleUrl: console.url, descriptors: [lineDescriptor] })
    await console.frame('SETTINGS_APPLIED')
    const { settingsTag, listening } = bird.state()
    console.offer({ ...lineSettings, 'line.port': 0 })
    expect(await console.frame('SETTINGS_FAILED')).toMatchObject({
      tag: 'tag-2',
      reason: 'line.port must be a number from 1 to 65535, not 0',
    })
    expect(bird.state()).toMatchObject({ settingsTag, listening })
    await sendLines(portOf(bird), 'still there')
  })

  test('that cannot be used for a minute are one event, however often they are offered', async () => {
    const console = await startTestConsole()
    console.isCommissioned = true
    const clock = skippingClock()
    const reason = 'line.port must be a number from 1 to 65535, not 0'
    console.offer({ ...lineSettings, 'line.port': 0 })
    await startTestBird({ consoleUrl: console.url, descriptors: [lineDescriptor], clock })
    await console.frame('SETTINGS_FAILED')
    clock.skip(45_000)
    const seen = console.frames.length
    console.offer({ ...lineSettings, 'line.port': 0 }, 'tag-1')
    await console.frame('SETTINGS_FAILED', seen)
    expect(console.events).toEqual([])
    clock.skip(15_000)
    await console.until(() => console.events.length > 0)
    const again = console.frames.length
    console.offer({ ...lineSettings, 'line.port': 0 }, 'tag-1')
    await console.frame('SETTINGS_FAILED', again)
    clock.skip(60_000)
    // A broken bundle is a failure of its own.
    const broken = console.frames.length
    console.offer([], 'tag-9')
    await console.frame('SETTINGS_FAILED', broken)
    clock.skip(60_000)
    await console.until(() => console.events.length > 1)
    expect(console.events.map(({ logtype, fields }) => [logtype, fields])).toEqual([
      ['22002', { REASON: { settings: `tag-1 cannot be used: ${reason}` } }],
      ['22002', { REASON: { settings: 'tag-9 cannot be used: the settings are not an object' } }],
    ])
  })

  test('that cannot be used are no event when others are in force within the minute, or are wanted again', async () => {
    const console = await startTestConsole()
    console.isCommissioned = true
    const clock = skippingClock()
    console.offer(lineSettings)
    await startTestBird({ consoleUrl: console.url, descriptors: [lineDescriptor], clock })
    for (const [tag, good] of [
      ['tag-3', 'tag-4'],
      ['tag-5', 'tag-4'],
    ] as const) {
      const seen = console.frames.length
      console.offer({ ...lineSettings, 'line.port': 0 }, tag)
      await console.frame('SETTINGS_FAILED', seen)
      clock.skip(30_000)
      console.offer(lineSettings, good)
      await console.frame('SETTINGS_APPLIED', seen)
      clock.skip(60_000)
    }
    const seen = console.frames.length
    clock.skip(30_000)
    await console.frame('HEARTBEAT', seen)
    expect(console.events).toEqual([])
  })

  test('under which the console cannot be reached are rolled back, and an event reports it', async () => {
    const console = await startTestConsole()
    console.isCommissioned = true
    console.offer({ ...lineSettings, 'rollback.enabled': true, 'device.ip_address': '192.0.2.1' })
    const clock = skippingClock()
    const bird = await startTestBird({ consoleUrl: console.url, clock })
    await console.frame('SETTINGS_APPLIED')
    console.answersHeartbeats = false
    console.offer({ 'rollback.enabled': true, 'device.ip_address': '192.0.2.9' })
    await bird.when(({ settingsTag }) => settingsTag === 'tag-2')
    expect(bird.state().listening).toEqual([])
    clock.skip(120_000)
    const reverted = await console.frame('SETTINGS_REVERTED')
    expect(reverted).toMatchObject({
      tag: 'tag-2',
      seq: 2,
      to: 'tag-1',
      reason: 'the console could not be reached within 120 s',
    })
    await bird.when(({ settingsTag }) => settingsTag === 'tag-1')
    expect(bird.state().listening).toHaveLength(1)
    await console.until(() => console.events.length === 1)
    expect(console.events[0]).toMatchObject({
      logtype: '22001',
      fields: {
        'Erroneous network settings': { 'device.ip_address': '192.0.2.9' },
        'Restored network settings': { 'device.ip_address': '192.0.2.1' },
        'Rollback time': expect.stringMatching(/^\d{4}-.* UTC\+0000$/) as string,
      },
    })
    const seen = console.frames.length
    console.terminate()
    expect(await console.frame('HELLO', seen)).toMatchObject({
      wasRollback: true,
      settings: { tag: 'tag-1' },
    })
    // The console offers the bundle again: the Bird answers SETTINGS_REVERTED again, and does not apply it.
    await console.frame('SETTINGS_REVERTED', seen)
    expect(bird.state().settingsTag).toBe('tag-1')
    console.answersHeartbeats = true
    console.offer(lineSettings)
    await bird.when(({ settingsTag }) => settingsTag === 'tag-3')
    const later = console.frames.length
    console.terminate()
    expect(await console.frame('HELLO', later)).toMatchObject({
      wasRollback: false,
      settings: { tag: 'tag-3' },
    })
  })
})

/** Settings without services, of which nobody hears. */
const silent = () => ({
  services: {},
  descriptors: [],
  file: { load: () => ({}), save: () => {} },
  clock: manualClock(),
  report: () => {},
  onChanged: () => {},
  onDecoysChanged: () => {},
  onNotStanding: () => {},
  onRefused: () => {},
  onRolledBack: () => {},
})

test('an IP stack that cannot be set is logged and reported to the console, until settings come whose stack can', async () => {
  const reports: string[] = []
  const none = () => Promise.resolve([])
  const settings = activeSettings({
    ...silent(),
    host: { listening: () => [], sensing: () => [], apply: none, retry: none },
    report: (_, message) => reports.push(message),
    setIpStack: ({ 'smb.enabled': isOn }) =>
      isOn === true ? 'The IP stack cannot be set (EACCES).' : undefined,
  })
  const bundle = (seq: number, isOn: boolean) => ({
    tag: `tag-${seq}`,
    seq,
    text: '',
    sha256: '',
    settings: { 'smb.enabled': isOn },
  })
  await settings.apply(bundle(1, true))
  expect(decoyStatus(settings)).toMatchObject({ ipStack: 'The IP stack cannot be set (EACCES).' })
  expect(reports).toContain('The IP stack cannot be set (EACCES).')
  settings.confirm()
  await settings.apply(bundle(2, false))
  expect(decoyStatus(settings)).not.toHaveProperty('ipStack')
})

test('changes that come together are made one after the other, and the last one is in force', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.boolean(), { minLength: 2, maxLength: 8 }), async (worked) => {
      let active = 0
      let most = 0
      const outcomes = [...worked]
      const settings = activeSettings({
        host: {
          listening: () => [],
          sensing: () => [],
          async apply() {
            most = Math.max(most, ++active)
            await new Promise((resolve) => setImmediate(resolve))
            active--
            return outcomes.shift() === false ? [{ instance: 'ssh', reason: 'port 22 is in use' }] : []
          },
          retry: () => Promise.resolve([]),
        },
        ...silent(),
      })
      const answers = await Promise.all(
        worked.map((_, n) =>
          settings.apply({ tag: `tag-${n}`, seq: n, text: '{}', sha256: '', settings: {} }),
        ),
      )
      expect(answers).toEqual(worked.map(() => undefined))
      expect(most).toBe(1)
      expect(settings.current().tag).toBe(`tag-${worked.length - 1}`)
      expect(settings.notStanding()).toHaveLength(worked.at(-1) === true ? 0 : 1)
    }),
  )
})
