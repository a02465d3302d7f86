import { createHash, randomBytes } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { zipEntry } from '@rookery/kernel/zip/entry.ts'
import { writeZip } from '@rookery/kernel/zip/write.ts'
import type { Body } from '@rookery/link/messages.ts'
import { startRegisteredBird, startTestBird } from '../../test/test-bird.ts'
import type { TestConsole } from '../../test/test-console.ts'

const picture = randomBytes(700_000)
const zip = writeZip([zipEntry('index.html', 'mine'), zipEntry('img/logo.png', picture)])

const offer = (console: TestConsole, job: string, bytes: Buffer): void =>
  console.send({
    kind: 'FILE_OFFER',
    body: {
      job,
      kind: 'webroot',
      file: { sha256: createHash('sha256').update(bytes).digest('hex'), size: bytes.length },
    },
  })

const fetches = ({ frames }: TestConsole, from: number) =>
  frames.slice(from).flatMap((frame) => (frame.kind === 'FILE_FETCH' ? [frame.body] : []))

/** Answers this many of the Bird's fetches, from this frame on. */
async function serve(console: TestConsole, bytes: Buffer, pieces: number, from: number): Promise<void> {
  for (let n = 0; n < pieces; n++) {
    await console.until(() => fetches(console, from).length > n)
    const { job, offset, length } = fetches(console, from)[n]!
    const piece = bytes.subarray(offset, offset + length).toString('base64')
    console.send({ kind: 'FILE_CHUNK', body: { job, offset, bytes: piece } })
  }
}

const stateOf = ({ frames }: TestConsole, name: string, from: number): Body<'FILE_STATE'> | undefined =>
  frames
    .slice(from)
    .flatMap((frame) => (frame.kind === 'FILE_STATE' && frame.body.state === name ? [frame.body] : []))[0]

test('a Bird says that it takes files, fetches a zip across a restart, and shows its pages', async () => {
  const { console, bird, dataDir } = await startRegisteredBird()
  expect(await console.frame('HELLO')).toMatchObject({ files: 1 })
  const job = 'b'.repeat(32)
  offer(console, job, zip)
  await serve(console, zip, 5, 0)
  await console.until(() => fetches(console, 0).length === 9)
  await bird.stop()

  const seen = console.frames.length
  await startTestBird({ consoleUrl: console.url, dataDir })
  await console.frame('HELLO', seen)
  offer(console, job, zip)
  await console.until(() => stateOf(console, 'fetching', seen) !== undefined)
  const copied = stateOf(console, 'fetching', seen)?.copied ?? 0
  expect(copied).toBe(5 * 32_768)
  await serve(console, zip, Math.ceil((zip.length - copied) / 32_768), seen)
  await console.until(() => stateOf(console, 'applied', seen) !== undefined)
  expect(readFileSync(join(dataDir, 'webroot', 'index.html'), 'utf8')).toBe('mine')
  expect(readFileSync(join(dataDir, 'webroot', 'img', 'logo.png')).equals(picture)).toBe(true)
  expect(readdirSync(join(dataDir, 'incoming'))).toEqual([])
})

test('a zip with a name that leaves the folder fails with the name, and the Bird goes on', async () => {
  const { console, bird, dataDir } = await startRegisteredBird()
  const evil = writeZip([zipEntry('index.html', 'mine'), zipEntry('../evil', 'x')])
  offer(console, 'c'.repeat(32), evil)
  await serve(console, evil, 1, 0)
  await console.until(() => stateOf(console, 'failed', 0) !== undefined)
  expect(stateOf(console, 'failed', 0)?.reason).toContain('"../evil" has an empty part')
  expect(readdirSync(dataDir)).not.toContain('webroot')
  expect(bird.state().phase).toBe('registered')
})
