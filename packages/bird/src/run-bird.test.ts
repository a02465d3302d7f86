import { randomBytes } from 'node:crypto'
import { appendFileSync, chmodSync, mkdirSync, statSync, writeFileSync } from 'node:fs'
import { once } from 'node:events'
import { connect } from 'node:net'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { SILENT_OR_REFUSED } from '@rookery/link/bird-logtypes.ts'
import { formatEnrolment } from '@rookery/link/enrolment.ts'
import { shortKeyHash, pairingPhrase } from '@rookery/link/pairing.ts'
import { keyPair } from '@rookery/link/noise/keys.ts'
import { skippingClock } from '../test/clocks.ts'
import {
  startTestBird,
  startTestConsole,
  lineSettings,
  portOf,
  startRegisteredBird,
  temporaryFolder,
  sendLines,
} from '../test/test-bird.ts'

describe('commissioning', () => {
  test('an unknown Bird opens no port, shows its phrase, and opens its decoys once it is commissioned', async () => {
    const console = await startTestConsole()
    console.offer(lineSettings)
    const bird = await startTestBird({ consoleUrl: console.url })
    const hello = await console.frame('HELLO')
    expect(hello).toMatchObject({
      protocol: 1,
      version: '3.0.0',
      settings: { tag: '', seq: 0 },
      device: { ip: '127.0.0.1' },
    })
    const {
      pairingPhrase: phrase,
      listening,
      deviceIdHash,
    } = await bird.when((state) => state.pairingPhrase !== undefined)
    expect(phrase?.split('-')).toHaveLength(6)
    expect(bird.logs.join()).toContain(phrase)
    expect(listening).toEqual([])
    expect(deviceIdHash).toMatch(/^[0-9a-f]{24}$/)
    console.commission()
    expect(await console.frame('SETTINGS_APPLIED')).toEqual({
      tag: 'tag-1',
      seq: 1,
      serviceCount: 1,
      notStanding: [],
    })
    const state = await bird.when(({ phase, listening }) => phase === 'registered' && listening.length > 0)
    expect(state).toMatchObject({ nodeId: '0123456789abcdef', listening: [{ instance: 'line', port: 6379 }] })
    await sendLines(portOf(bird), 'PING')
    await console.until(() => console.events.length === 1)
    expect(console.events[0]).toMatchObject({ seq: 1, logtype: '21001', fields: { CMD: 'PING' } })
  })

  test('a connection on which nothing is said is an event', async () => {
    const { console, bird } = await startRegisteredBird()
    const socket = connect(portOf(bird), '127.0.0.1')
    await once(socket, 'connect')
    socket.destroy()
    await console.until(() => console.events.length === 1)
    expect(console.events[0]).toMatchObject({
      logtype: SILENT_OR_REFUSED.logtype,
      fields: { SERVICE: 'line', COUNT: 1, REFUSED: 0 },
    })
  })

  test('an enrolment code commissions at once, and only at the console that made it', async () => {
    const console = await startTestConsole()
    const secret = randomBytes(13)
    console.enrol = secret.toString('hex')
    console.offer(lineSettings)
    const bird = await startTestBird({
      consoleUrl: console.url,
      enrol: formatEnrolment(secret, console.key.publicKey),
    })
    await console.frame('SETTINGS_APPLIED')
    expect(bird.state().phase).toBe('registered')

    const otherConsole = await startTestConsole()
    const otherBird = await startTestBird({
      consoleUrl: otherConsole.url,
      enrol: formatEnrolment(secret, console.key.publicKey),
    })
    const state = await otherBird.when(({ phase }) => phase === 'refused')
    expect(state.linkError).toContain(shortKeyHash(otherConsole.key.publicKey))
    expect(state.linkError).toContain(
      `the enrolment code is of the console with the key ${shortKeyHash(console.key.publicKey)}. Make a code at this console`,
    )
    expect(otherConsole.frames).toEqual([])
  })

  test('a code that the console does not accept leaves the Bird pending', async () => {
    const console = await startTestConsole()
    const bird = await startTestBird({
      consoleUrl: console.url,
      enrol: formatEnrolment(randomBytes(13), console.key.publicKey),
    })
    await bird.when(({ phase }) => phase === 'pending')
    expect(bird.logs.filter((line) => line.includes('enrolment'))).toEqual([
      expect.stringMatching(/it refused the enrolment code\. unknown code .*`rookery enrol`/),
    ])
  })

  test('a console with another key than the first is refused, with both named', async () => {
    const { console, bird, dataDir } = await startRegisteredBird()
    await bird.stop()
    await console.stop()
    const other = await startTestConsole(console.port)
    const again = await startTestBird({ consoleUrl: other.url, dataDir })
    const { linkError, listening } = await again.when(({ phase }) => phase === 'refused')
    expect(linkError).toContain(`has the key ${shortKeyHash(other.key.publicKey)}`)
    expect(linkError).toContain(`pinned to ${shortKeyHash(console.key.publicKey)}`)
    expect(linkError).toContain(`remove ${dataDir}/memory.json`)
    expect(listening).toHaveLength(1)
  })

  test('the pairing phrase is derived from both keys', async () => {
    const console = await startTestConsole()
    const bird = await startTestBird({
      consoleUrl: console.url,
      random: { bytes: (n) => new Uint8Array(n).fill(7) },
    })
    const { pairingPhrase: phrase } = await bird.when((state) => state.pairingPhrase !== undefined)
    expect(phrase).toBe(await pairingPhrase(keyPair(Buffer.alloc(32, 7)).publicKey, console.key.publicKey))
  })
})

describe('the link', () => {
  test('carries a heartbeat every 30 s, also of a pending Bird', async () => {
    const console = await startTestConsole()
    const clock = skippingClock()
    const bird = await startTestBird({ consoleUrl: console.url, clock })
    await bird.when(({ phase }) => phase === 'pending')
    for (let heartbeats = 1; heartbeats <= 2; heartbeats++) {
      clock.skip(30_000)
      await console.until(
        () => console.frames.filter(({ kind }) => kind === 'HEARTBEAT').length === heartbeats,
      )
    }
    expect(await console.frame('HEARTBEAT')).toMatchObject({
      serviceCount: 0,
      spooled: 0,
      wasRollback: false,
    })
  })

  test('is opened again when the console has been silent for 75 s', async () => {
    const console = await startTestConsole()
    const clock = skippingClock()
    const bird = await startTestBird({ consoleUrl: console.url, clock })
    await bird.when(({ phase }) => phase === 'pending')
    const seen = console.frames.length
    clock.skip(75_000)
    await console.frame('HELLO', seen)
    expect(bird.logs.join()).toContain('the console was silent for 75 s')
  })

  test('ends with a goodbye when the Bird stops', async () => {
    const { console, bird } = await startRegisteredBird()
    await bird.stop()
    expect(await console.frame('GOODBYE')).toEqual({ reason: 'it was asked to stop' })
    expect(bird.state()).toMatchObject({ phase: 'stopped', listening: [] })
  })
})

test('a start on damaged files reports them, and the Bird works', async () => {
  const { console, bird, dataDir } = await startRegisteredBird()
  await sendLines(portOf(bird), '1')
  await console.until(() => console.events.length === 1)
  await bird.stop()
  appendFileSync(join(dataDir, 'spool', '000001.log'), 'torn')
  for (const name of ['memory.json', 'settings.json']) writeFileSync(join(dataDir, name), '{')
  const again = await startTestBird({ consoleUrl: console.url, dataDir })
  for (const part of ['memory.json is damaged', 'settings.json cannot be read', 'ended in a torn record'])
    expect(again.logs.join('\n')).toContain(part)
  await again.when(({ listening }) => listening.length === 1)
  await sendLines(portOf(again), '2')
  await console.until(() => console.events.length === 2)
})

test('a data directory that others can read is repaired and reported', async () => {
  const dataDir = temporaryFolder()
  chmodSync(dataDir, 0o755)
  const { logs } = await startTestBird({ consoleUrl: 'http://127.0.0.1:1', dataDir })
  expect(statSync(dataDir).mode & 0o777).toBe(0o700)
  expect(logs).toContain(`Others could read ${dataDir} (mode 755); its mode is repaired.`)
})

describe('a start that cannot work names the cause', () => {
  test('a wrong address', async () => {
    await expect(startTestBird({ consoleUrl: 'console.example.org' })).rejects.toThrow(
      'must be like https://console.example.org, not "console.example.org"',
    )
  })

  test('a data directory that is a file', async () => {
    const path = join(temporaryFolder(), 'file')
    writeFileSync(path, '')
    await expect(startTestBird({ consoleUrl: 'http://127.0.0.1:1', dataDir: path })).rejects.toThrow(
      `The data directory ${path} cannot be used: EEXIST`,
    )
  })

  test('a file in it that cannot be read', async () => {
    const dataDir = temporaryFolder()
    mkdirSync(join(dataDir, 'memory.json'))
    await expect(startTestBird({ consoleUrl: 'http://127.0.0.1:1', dataDir })).rejects.toThrow(
      `The data directory ${dataDir} cannot be used: EISDIR`,
    )
    const locked = temporaryFolder()
    mkdirSync(join(locked, 'bird.lock'))
    await expect(startTestBird({ consoleUrl: 'http://127.0.0.1:1', dataDir: locked })).rejects.toThrow(
      `The data directory ${locked} cannot be used: unable to open database file`,
    )
  })

  test('a directory in which another Bird runs', async () => {
    const dataDir = temporaryFolder()
    const first = await startTestBird({ consoleUrl: 'http://127.0.0.1:1', dataDir })
    await expect(startTestBird({ consoleUrl: 'http://127.0.0.1:1', dataDir })).rejects.toThrow(
      `Another Bird is running on the data directory ${dataDir}`,
    )
    await first.stop()
    await startTestBird({ consoleUrl: 'http://127.0.0.1:1', dataDir })
  })

  test('a damaged identity, a mistyped enrolment code', async () => {
    const dataDir = temporaryFolder()
    writeFileSync(join(dataDir, 'identity.json'), '{"key":"ab"}')
    const start = startTestBird({ consoleUrl: 'http://127.0.0.1:1', dataDir })
    await expect(start).rejects.toThrow(`identity ${join(dataDir, 'identity.json')} is damaged`)
    await expect(startTestBird({ consoleUrl: 'http://127.0.0.1:1', enrol: 'RK-12' })).rejects.toThrow(
      'enrolment code is not right',
    )
  })
})
