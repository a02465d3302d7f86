import { randomBytes } from 'node:crypto'
import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { formatEnrolment } from '@rookery/link/enrolment.ts'
import { shortKeyHash, pairingPhrase } from '@rookery/link/pairing.ts'
import { keyPair } from '@rookery/link/noise/keys.ts'
import { birdForTest, consoleForTest, lineSettings, temporaryFolder, touch } from '../test/bird.ts'
import { lineDescriptor } from '../test/line-service.ts'
import { systemClock } from './world.ts'

const portOf = (bird: { state(): { listening: readonly { boundPort: number }[] } }) =>
  bird.state().listening[0]!.boundPort

async function registered(settings: object = lineSettings) {
  const console = await consoleForTest()
  console.isCommissioned = true
  console.offer(settings)
  const dataDir = temporaryFolder()
  const bird = await birdForTest({ consoleUrl: console.url, dataDir })
  await console.frame('SETTINGS_APPLIED')
  return { console, bird, dataDir }
}

describe('commissioning', () => {
  test('an unknown Bird opens nothing, shows its phrase, and works once it is commissioned', async () => {
    const console = await consoleForTest()
    console.offer(lineSettings)
    const bird = await birdForTest({ consoleUrl: console.url })
    const hello = await console.frame('HELLO')
    expect(hello).toMatchObject({
      protocol: 1,
      version: '3.0.0',
      settings: { tag: '', seq: 0 },
      device: { ip: '127.0.0.1' },
    })
    const {
      pairingPhrase: words,
      listening,
      deviceIdHash,
    } = await bird.when((state) => state.pairingPhrase !== undefined)
    expect(words?.split('-')).toHaveLength(6)
    expect(bird.logs.join()).toContain(words)
    expect(listening).toEqual([])
    expect(deviceIdHash).toMatch(/^[0-9a-f]{24}$/)
    console.commission()
    expect(await console.frame('SETTINGS_APPLIED')).toEqual({ tag: 'tag-1', seq: 1, serviceCount: 1 })
    const state = await bird.when(({ phase, listening }) => phase === 'registered' && listening.length > 0)
    expect(state).toMatchObject({ nodeId: '0123456789abcdef', listening: [{ instance: 'line', port: 6379 }] })
    await touch(portOf(bird), 'PING')
    await console.until(() => console.events.length === 1)
    expect(console.events[0]).toMatchObject({ seq: 1, logtype: '21001', fields: { CMD: 'PING' } })
  })

  test('an enrolment code commissions at once, and only at the console that gave it', async () => {
    const console = await consoleForTest()
    const secret = randomBytes(13)
    console.enrol = secret.toString('hex')
    console.offer(lineSettings)
    const bird = await birdForTest({
      consoleUrl: console.url,
      enrol: formatEnrolment(secret, console.key.publicKey),
    })
    await console.frame('SETTINGS_APPLIED')
    expect(bird.state().phase).toBe('registered')

    const stranger = await consoleForTest()
    const careful = await birdForTest({
      consoleUrl: stranger.url,
      enrol: formatEnrolment(secret, console.key.publicKey),
    })
    const state = await careful.when(({ phase }) => phase === 'refused')
    expect(state.trouble).toContain(shortKeyHash(stranger.key.publicKey))
    expect(state.trouble).toContain(shortKeyHash(console.key.publicKey))
    expect(stranger.frames).toEqual([])
  })

  test('a code that the console does not accept leaves the Bird pending', async () => {
    const console = await consoleForTest()
    const bird = await birdForTest({
      consoleUrl: console.url,
      enrol: formatEnrolment(randomBytes(13), console.key.publicKey),
    })
    await bird.when(({ phase }) => phase === 'pending')
    expect(bird.logs.join()).toContain('did not accept the enrolment code')
  })

  test('a console with another key than the first is refused, with both named', async () => {
    const { console, bird, dataDir } = await registered()
    await bird.stop()
    await console.stop()
    const other = await consoleForTest(console.port)
    const again = await birdForTest({ consoleUrl: other.url, dataDir })
    const { trouble, listening } = await again.when(({ phase }) => phase === 'refused')
    expect(trouble).toContain(`has the key ${shortKeyHash(other.key.publicKey)}`)
    expect(trouble).toContain(`pinned to ${shortKeyHash(console.key.publicKey)}`)
    expect(trouble).toContain(`remove ${dataDir}/memory.json`)
    expect(listening).toHaveLength(1)
  })

  test('the phrase is that of both keys', async () => {
    const console = await consoleForTest()
    const bird = await birdForTest({
      consoleUrl: console.url,
      random: { bytes: (n) => new Uint8Array(n).fill(7) },
    })
    const { pairingPhrase: words } = await bird.when((state) => state.pairingPhrase !== undefined)
    expect(words).toBe(await pairingPhrase(keyPair(Buffer.alloc(32, 7)).publicKey, console.key.publicKey))
  })
})

describe('the link', () => {
  /** Real time, but for the timers of `ms`, which the test lets run out. */
  function clockHolding(ms: number) {
    const held = new Set<() => void>()
    return {
      clock: {
        ...systemClock,
        after(delay: number, wake: () => void) {
          if (delay !== ms) return systemClock.after(delay, wake)
          held.add(wake)
          return () => void held.delete(wake)
        },
      },
      runOut: () => [...held].forEach((wake) => (held.delete(wake), wake())),
    }
  }

  test('carries a heartbeat every 30 s, also of a pending Bird', async () => {
    const console = await consoleForTest()
    const { clock, runOut } = clockHolding(30_000)
    const bird = await birdForTest({ consoleUrl: console.url, clock })
    await bird.when(({ phase }) => phase === 'pending')
    for (let beats = 1; beats <= 3; beats++) {
      runOut()
      await console.until(() => console.frames.filter(({ kind }) => kind === 'HEARTBEAT').length === beats)
    }
    expect(await console.frame('HEARTBEAT')).toMatchObject({
      serviceCount: 0,
      spooled: 0,
      wasRollback: false,
    })
  })

  test('is made anew when the console has been silent for 75 s', async () => {
    const console = await consoleForTest()
    const { clock, runOut } = clockHolding(75_000)
    const bird = await birdForTest({ consoleUrl: console.url, clock })
    await bird.when(({ phase }) => phase === 'pending')
    const seen = console.frames.length
    runOut()
    await console.frame('HELLO', seen)
    expect(bird.logs.join()).toContain('the console has fallen silent')
  })

  test('ends with a goodbye when the Bird stops, and quickly', async () => {
    const { console, bird } = await registered()
    const from = performance.now()
    await bird.stop()
    expect(performance.now() - from).toBeLessThan(3000)
    expect(await console.frame('GOODBYE')).toEqual({ reason: 'it was told to stop' })
    expect(bird.state()).toMatchObject({ phase: 'stopped', listening: [] })
  })
})

describe('events', () => {
  test('wait on the disk while the console is away, over a restart of the Bird, and come once each in order', async () => {
    const { console, bird, dataDir } = await registered()
    await touch(portOf(bird), '1', '2')
    await console.until(() => console.events.length === 2)
    await console.stop()
    await touch(portOf(bird), '3', '4')
    await bird.stop()
    const again = await birdForTest({ consoleUrl: console.url, dataDir })
    await touch(portOf(again), '5')
    expect(again.state().spooled).toBeGreaterThanOrEqual(3)
    const back = await consoleForTest(console.port, console.key)
    back.isCommissioned = true
    back.settings = console.settings
    await back.until(() => back.events.some(({ fields }) => fields['CMD'] === '5'))
    await touch(portOf(again), '6')
    await back.until(() => back.events.some(({ fields }) => fields['CMD'] === '6'))
    const texts = back.events.map(({ fields }) => fields['CMD'])
    expect(texts.slice(-4)).toEqual(['3', '4', '5', '6'])
    expect(again.logs.join()).toContain('No link to the console')
  })

  test('are sent again when the connection broke before the acknowledgement, and kept until it comes', async () => {
    const { console, bird } = await registered()
    console.acks = false
    await touch(portOf(bird), '1', '2', '3')
    await console.until(() => console.events.length === 3)
    expect(bird.state().spooled).toBe(3)
    console.acks = true
    const seen = console.frames.length
    console.cut()
    await console.frame('HELLO', seen)
    await touch(portOf(bird), '4')
    await console.until(() => console.events.length === 4)
    expect(console.events.map(({ seq }) => seq)).toEqual([1, 2, 3, 4])
  })

  test('of a flood all arrive, in order', async () => {
    const { console, bird } = await registered()
    const lines = Array.from({ length: 2000 }, (_, i) => `line ${i}`)
    await Promise.all(
      [0, 1, 2, 3].map((part) => touch(portOf(bird), ...lines.filter((_, i) => i % 4 === part))),
    )
    await console.until(() => console.events.length === lines.length)
    expect(console.events.map(({ seq }) => seq)).toEqual(lines.map((_, i) => i + 1))
    expect(new Set(console.events.map(({ fields }) => fields['CMD'])).size).toBe(lines.length)
  })
})

describe('settings', () => {
  test('of a large bundle come in pieces', async () => {
    const { console } = await registered({ ...lineSettings, 'smb.filetree': 'é'.repeat(100_000) })
    expect(console.frames.filter(({ kind }) => kind === 'SETTINGS_FETCH')).toHaveLength(7)
  })

  test('whose port is in use fail with that reason, and the old ones stay', async () => {
    const blocker = createServer().listen(0, '127.0.0.1')
    await once(blocker, 'listening')
    const { port } = blocker.address() as AddressInfo
    const console = await consoleForTest()
    console.isCommissioned = true
    console.offer({})
    const bird = await birdForTest({ consoleUrl: console.url, portOffset: 0 })
    await console.frame('SETTINGS_APPLIED')
    console.offer({ 'line.enabled': true, 'line.port': port })
    const failed = await console.frame('SETTINGS_FAILED')
    expect(failed).toEqual({ tag: 'tag-2', seq: 2, reason: `port ${port} is in use` })
    expect(bird.state()).toMatchObject({ settingsTag: 'tag-1', listening: [] })
    await new Promise((resolve) => blocker.close(resolve))
  })

  test('of a wrong form fail by their name', async () => {
    const console = await consoleForTest()
    console.isCommissioned = true
    console.offer({ ...lineSettings, 'line.port': 'ssh' })
    await birdForTest({ consoleUrl: console.url, descriptors: [lineDescriptor] })
    const { reason } = await console.frame('SETTINGS_FAILED')
    expect(reason).toBe('line.port must be a number from 1 to 65535, not "ssh"')
  })

  test('that cut the Bird off from its console are taken back, and an event tells', async () => {
    const console = await consoleForTest()
    console.isCommissioned = true
    console.offer({ ...lineSettings, 'rollback.enabled': true, 'device.ip_address': '192.0.2.1' })
    let expire = () => {}
    const clock = {
      ...systemClock,
      after(ms: number, wake: () => void) {
        if (ms !== 120_000) return systemClock.after(ms, wake)
        expire = wake
        return () => (expire = () => {})
      },
    }
    const bird = await birdForTest({ consoleUrl: console.url, clock })
    await console.frame('SETTINGS_APPLIED')
    expire()
    console.answersHeartbeats = false
    console.offer({ 'rollback.enabled': true, 'device.ip_address': '192.0.2.9' })
    await bird.when(({ settingsTag }) => settingsTag === 'tag-2')
    expect(bird.state().listening).toEqual([])
    expire()
    const reverted = await console.frame('SETTINGS_REVERTED')
    expect(reverted).toMatchObject({
      tag: 'tag-2',
      seq: 2,
      to: 'tag-1',
      reason: 'the console could not be reached within 120 s',
    })
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
    console.cut()
    expect(await console.frame('HELLO', seen)).toMatchObject({
      wasRollback: true,
      settings: { tag: 'tag-1' },
    })
    // The console offers the bundle again; it is told again that it was no good, and it is not applied.
    await console.frame('SETTINGS_REVERTED', seen)
    expect(bird.state().settingsTag).toBe('tag-1')
    console.answersHeartbeats = true
    console.offer(lineSettings)
    await bird.when(({ settingsTag }) => settingsTag === 'tag-3')
    const later = console.frames.length
    console.cut()
    expect(await console.frame('HELLO', later)).toMatchObject({
      wasRollback: false,
      settings: { tag: 'tag-3' },
    })
  })
})

describe('commands', () => {
  const command = (kind: string, id = 'c1') => ({ kind: 'CMD', body: { id, kind, payload: {} } }) as const

  test('reboot: a new boot id, the decoys stand again, and a repeated order is not carried out twice', async () => {
    const { console, bird } = await registered()
    const first = await console.frame('HELLO')
    const seen = console.frames.length
    console.say(command('reboot'))
    expect(await console.frame('CMD_RESULT')).toEqual({ id: 'c1', ok: true, detail: 'rebooting' })
    const second = await console.frame('HELLO', seen)
    expect(second.bootId).not.toBe(first.bootId)
    const after = console.frames.length
    console.say(command('reboot'))
    await console.frame('CMD_RESULT', after)
    await bird.when(({ listening }) => listening.length === 1)
    await touch(portOf(bird), 'still here')
    await console.until(() => console.events.length === 1)
    expect(console.frames.filter(({ kind }) => kind === 'HELLO')).toHaveLength(2)
  })

  test('decommission: the decoys close and nothing of the Bird is left', async () => {
    const { console, bird, dataDir } = await registered()
    console.say(command('decommission'))
    expect((await console.frame('CMD_RESULT')).ok).toBe(true)
    expect(await bird.ended).toBe('decommissioned')
    expect(bird.state().listening).toEqual([])
    expect(readdirSync(dataDir)).toEqual(['bird.lock'])
  })

  test('power-off: it ends and keeps its identity', async () => {
    const { console, bird, dataDir } = await registered()
    console.say(command('poweroff'))
    expect(await bird.ended).toBe('powered-off')
    expect(existsSync(join(dataDir, 'identity.json'))).toBe(true)
  })

  test('an unknown one is answered', async () => {
    const { console } = await registered()
    console.say(command('dance'))
    expect(await console.frame('CMD_RESULT')).toMatchObject({
      ok: false,
      detail: 'this Bird does not know the command dance',
    })
  })

  test('a revoked Bird closes its decoys and ends', async () => {
    const { console, bird } = await registered()
    console.say({ kind: 'REFUSED', body: { reason: 'revoked', message: 'decommissioned' } })
    expect(await bird.ended).toBe('revoked')
  })
})

describe('a start that cannot work says why', () => {
  test('a wrong address', async () => {
    await expect(birdForTest({ consoleUrl: 'console.example.org' })).rejects.toThrow(
      'must be like https://console.example.org, not "console.example.org"',
    )
  })

  test('a data directory that is a file', async () => {
    const path = join(temporaryFolder(), 'file')
    writeFileSync(path, '')
    await expect(birdForTest({ consoleUrl: 'http://127.0.0.1:1', dataDir: path })).rejects.toThrow(
      `The data directory ${path} cannot be used: EEXIST`,
    )
  })

  test('a directory in which another Bird runs', async () => {
    const dataDir = temporaryFolder()
    const first = await birdForTest({ consoleUrl: 'http://127.0.0.1:1', dataDir })
    await expect(birdForTest({ consoleUrl: 'http://127.0.0.1:1', dataDir })).rejects.toThrow(
      `Another Bird is running on the data directory ${dataDir}`,
    )
    await first.stop()
    await birdForTest({ consoleUrl: 'http://127.0.0.1:1', dataDir })
  })

  test('a damaged identity, a mistyped enrolment code', async () => {
    const dataDir = temporaryFolder()
    writeFileSync(join(dataDir, 'identity.json'), '{"key":"ab"}')
    const start = birdForTest({ consoleUrl: 'http://127.0.0.1:1', dataDir })
    await expect(start).rejects.toThrow(`identity ${join(dataDir, 'identity.json')} is damaged`)
    await expect(birdForTest({ consoleUrl: 'http://127.0.0.1:1', enrol: 'RK-12' })).rejects.toThrow(
      'enrolment code is not right',
    )
  })
})
