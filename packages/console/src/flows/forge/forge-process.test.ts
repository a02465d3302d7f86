import { randomBytes } from 'node:crypto'
import { zipEntry } from '@rookery/kernel/zip/entry.ts'
import { writeZip } from '@rookery/kernel/zip/write.ts'
import { expect, it, onTestFinished } from 'vitest'
import { systemClock } from '../../world/system.ts'
import { startForgeProcess, type ForgeProcess } from './forge-process.ts'
import { openForgeQueue } from './forge-queue.ts'
import type { ForgeJob } from './messages.ts'

const job: ForgeJob = {
  kind: 'qr-code',
  address: { tokenId: 'abc', url: 'http://t.example/abc', hostname: 'abc.t.example' },
  placement: { wireguard: { endpoint: 'vpn.t.example:51820', publicKey: '' } },
  settings: {},
  issued: {},
  uploads: {},
  seed: new Uint8Array(32),
}

function start(maxBytes?: number): ForgeProcess {
  const started = startForgeProcess(maxBytes)
  onTestFinished(started.end)
  return started
}

it('makes the file of a kind, the same each time', async () => {
  const forge = start()
  const file = await forge.run(job)
  expect([file.filename, file.bytes.subarray(1, 4).toString()]).toEqual(['qr-code.png', 'PNG'])
  expect(await forge.run(job)).toEqual(file)
})

it('says what a fault of a kind was, and goes on', async () => {
  const forge = start()
  await expect(forge.run({ ...job, kind: 'http' })).rejects.toThrow('The kind http has no forge.ts.')
  expect((await forge.run(job)).contentType).toBe('image/png')
})

it('is ended when it takes too much memory', async () => {
  const forge = start(0)
  await expect(forge.run(job)).rejects.toMatchObject({ name: 'ForgeEnded', reason: 'memory' })
  expect(forge.isAlive()).toBe(false)
})

it('is ended when a file takes more processor time than it may, and not by the next file', async () => {
  const forge = start()
  expect((await forge.run({ ...job, workMs: 60_000 })).contentType).toBe('image/png')
  expect((await forge.run(job)).contentType).toBe('image/png')
  const doc = writeZip([
    zipEntry('[Content_Types].xml', '<Types/>'),
    zipEntry('word/media/a.bin', randomBytes(9 * 1024 * 1024)),
  ])
  const settings = { doc: { fileId: '', filename: 'a.docx', contentType: '', size: doc.byteLength } }
  const long = { ...job, kind: 'doc-wordproc', settings, uploads: { doc }, workMs: 0 }
  await expect(forge.run(long)).rejects.toMatchObject({
    name: 'ForgeEnded',
    reason: 'work',
  })
  await expect(forge.run(job)).rejects.toMatchObject({ name: 'ForgeEnded', reason: 'broken' })
})

it('one that was killed is followed by another', async () => {
  const started: ForgeProcess[] = []
  const queue = openForgeQueue({
    clock: systemClock,
    start: () => {
      started.push(start())
      return started.at(-1) as ForgeProcess
    },
  })
  onTestFinished(queue.stop)
  const forge = () => queue.forge({ keyId: 'admin', isFactory: false }, () => Promise.resolve(job))
  const first = forge()
  await new Promise((resolve) => setImmediate(resolve))
  started[0]?.end()
  await expect(first).rejects.toMatchObject({ name: 'ForgeEnded', reason: 'broken' })
  expect((await forge()).contentType).toBe('image/png')
  expect(started).toHaveLength(2)
})
