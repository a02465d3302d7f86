// Updates that a console sends to an installed Bird: what it becomes, and what it never is.
import { expect, it, onTestFinished } from 'vitest'
import { readState } from '@rookery/bird/launcher/state.ts'
import { testConsole, type TestConsole } from '@rookery/bird/test/test-console.ts'
import { sized } from '@rookery/kernel/test/size.ts'
import type { Body } from '@rookery/link/messages.ts'
import { sha256 } from '@rookery/link/release/archive.ts'
import { releaseOf, type SignedRelease } from '@rookery/link/test/signed-release.ts'
import { filesOf, installedBird } from './installed-bird.ts'

/** The Bird, and its console. */
async function linkedBird(settings: object = {}, hasKeys = true) {
  const console = await testConsole()
  onTestFinished(() => console.stop())
  console.isCommissioned = true
  console.offer({ 'redis.enabled': true, 'redis.port': 6379, 'device.name': 'till-3', ...settings })
  return { console, ...(await installedBird(console.url, { hasKeys })) }
}

const job = (n: number): string => n.toString(16).padStart(32, '0')

/** Offers the release at each HELLO, as a console does, and sends the pieces that the Bird asks for; answers its last word. */
async function update(console: TestConsole, id: string, release: SignedRelease): Promise<Body<'FILE_STATE'>> {
  const from = console.frames.length
  const body: Body<'FILE_OFFER'> = {
    job: id,
    kind: 'app',
    file: { sha256: sha256(release.archive), size: release.archive.length },
    app: { manifest: release.manifest.toString(), signature: release.signature, serverMs: Date.now() },
  }
  console.send({ kind: 'FILE_OFFER', body })
  for (let at = from; ; at++) {
    await console.until(() => console.frames.length > at)
    const frame = console.frames[at]!
    if (frame.kind === 'SETTINGS_APPLIED' || frame.kind === 'HELLO')
      setImmediate(() => console.send({ kind: 'FILE_OFFER', body }))
    if (frame.kind === 'FILE_FETCH' && frame.body.job === id) {
      const { offset, length } = frame.body
      const bytes = release.archive.subarray(offset, offset + length).toString('base64')
      console.send({ kind: 'FILE_CHUNK', body: { job: id, offset, bytes } })
    }
    if (frame.kind === 'FILE_STATE' && frame.body.job === id && /applied|failed/.test(frame.body.state))
      return frame.body
  }
}

const versions = ({ frames }: TestConsole): string[] =>
  frames.flatMap((frame) => (frame.kind === 'HELLO' ? [frame.body.version] : []))

it('a Bird takes a signed release, in the same process, and says that it is healthy', async () => {
  const { console, releases, pid } = await linkedBird()
  await console.frame('SETTINGS_APPLIED')
  expect(await console.frame('HELLO')).toMatchObject({ version: '3.0.0', updates: 1 })
  const before = pid()
  const release = releaseOf(await filesOf('3.1.0'), { version: '3.1.0' })
  expect(await update(console, job(1), release)).toMatchObject({ state: 'applied', reason: '' })
  expect([versions(console).at(-1), pid()]).toEqual(['3.1.0', before])
  expect(readState(releases)).toMatchObject({ current: release.tag, seq: 41 })
  const older = releaseOf(await filesOf('3.1.0'), { version: '3.1.0', seq: 40 })
  expect(await update(console, job(2), older)).toMatchObject({
    state: 'failed',
    reason: 'not newer: its number is 40; this Bird has accepted 41 already',
  })
}, 480_000)

it('a release that does not become healthy is rolled back after three starts, and its job says why', async () => {
  const { console, releases } = await linkedBird()
  await console.frame('SETTINGS_APPLIED')
  const files = new Map(await filesOf('3.1.0'))
  const text = files.get('rookery-bird.mjs')!.toString()
  // It passes its own test, and fails at each start.
  const broken = text.replace(
    'process.umask(63)',
    "process.argv[2]==='bird'&&process.exit(9);process.umask(63)",
  )
  expect(broken).not.toBe(text)
  files.set('rookery-bird.mjs', Buffer.from(broken))
  const from = console.frames.length
  expect(await update(console, job(1), releaseOf(files, { version: '3.1.0' }))).toMatchObject({
    state: 'failed',
    reason: 'rolled back: it was started 3 times and never worked',
  })
  expect(await console.frame('HELLO', from)).toMatchObject({ version: '3.0.0' })
  expect(readState(releases)).toEqual({ seenMs: expect.any(Number) as number })
}, 480_000)

it('a Bird whose package has no release keys says that it takes no updates, and refuses one', async () => {
  const { console } = await linkedBird({}, false)
  await console.frame('SETTINGS_APPLIED')
  expect(await console.frame('HELLO')).not.toHaveProperty('updates')
  const release = releaseOf(await filesOf('3.1.0'), { version: '3.1.0' })
  expect(await update(console, job(1), release)).toMatchObject({
    state: 'failed',
    reason: expect.stringMatching(/^not updatable: no package with release keys/) as string,
  })
}, 480_000)

it('a release whose own test fails never starts', async () => {
  const { console, releases } = await linkedBird()
  await console.frame('SETTINGS_APPLIED')
  const files = new Map([['rookery-bird.mjs', Buffer.from('process.stderr.write("no"); process.exit(1)')]])
  const { state, reason } = await update(console, job(1), releaseOf(files, { version: '3.1.0' }))
  expect([state, reason]).toEqual(['failed', 'self-test failed: no'])
  expect(versions(console)).toEqual(['3.0.0'])
  expect(readState(releases)).toEqual({})
}, 480_000)

it('a Bird that is killed at any moment of an update runs the old or the new release, never none', async () => {
  const { console, releases, kill } = await linkedBird()
  await console.frame('SETTINGS_APPLIED')
  const wish = Number(process.env['ROOKERY_SEED'] ?? Date.now() % 1_000_000)
  const files = await filesOf('3.1.0')
  let lengthMs = 3_000
  for (let n = 1; n <= sized(200, 10); n++) {
    const seed = wish + n
    const release = releaseOf(files, { version: '3.1.0', seq: 40 + n })
    const startedAt = performance.now()
    // Somewhere in an update, as long as the last one took here.
    const timer = setTimeout(kill, (seed * 7919) % lengthMs)
    const last = await update(console, job(n), release)
    clearTimeout(timer)
    lengthMs = performance.now() - startedAt
    expect(last, `seed ${seed}`).toMatchObject({ state: 'applied' })
    expect(versions(console).at(-1), `seed ${seed}`).toBe('3.1.0')
    expect(readState(releases), `seed ${seed}`).toMatchObject({ current: release.tag })
  }
  expect(new Set(versions(console))).toEqual(new Set(['3.0.0', '3.1.0']))
}, 1_800_000)
