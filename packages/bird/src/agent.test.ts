import { randomBytes } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { formatEnrolment } from '@rookery/link/enrolment.ts'
import { shortKeyHash, pairingPhrase } from '@rookery/link/pairing.ts'
import { keyPair } from '@rookery/link/noise/keys.ts'
import {
  birdForTest,
  consoleForTest,
  lineSettings,
  portOf,
  registered,
  temporaryFolder,
  touch,
} from '../test/bird.ts'
import { systemClock } from './world.ts'

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

  test('ends with a goodbye when the Bird stops', async () => {
    const { console, bird } = await registered()
    await bird.stop()
    expect(await console.frame('GOODBYE')).toEqual({ reason: 'it was told to stop' })
    expect(bird.state()).toMatchObject({ phase: 'stopped', listening: [] })
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

  test('a file in it that cannot be read', async () => {
    const dataDir = temporaryFolder()
    mkdirSync(join(dataDir, 'memory.json'))
    await expect(birdForTest({ consoleUrl: 'http://127.0.0.1:1', dataDir })).rejects.toThrow(
      `The data directory ${dataDir} cannot be used: EISDIR`,
    )
    const locked = temporaryFolder()
    mkdirSync(join(locked, 'bird.lock'))
    await expect(birdForTest({ consoleUrl: 'http://127.0.0.1:1', dataDir: locked })).rejects.toThrow(
      `The data directory ${locked} cannot be used: unable to open database file`,
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
