// Files on their way to a Bird, frame by frame: offered, fetched in pieces, and recorded as the Bird says.
import { createHash, randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { Body } from '@rookery/link/messages.ts'
import { connectBird, enrolledBird, hello, helloBird, type TestBird } from '../../../test/link-bird.ts'
import { engines, ownTestConsole } from '../../../test/test-console.ts'
import { jobs } from '../../../test/transfers.ts'
import { removeBird } from '../../stores/birds/commission.ts'
import { settingsOf } from '../../stores/birds/settings.ts'
import { findBird } from '../../stores/birds/store.ts'
import { latestTransfer } from '../../stores/transfers/store.ts'

const CHUNK = 32 * 1024

const stateFrame = (
  job: string,
  state: Body<'FILE_STATE'>['state'],
  more: Partial<Body<'FILE_STATE'>> = {},
) => ({ kind: 'FILE_STATE', body: { job, state, copied: 0, pid: 4711, reason: '', ...more } }) as const

/** Fetches the whole file, one piece after the other. */
async function fetchAll(bird: TestBird, job: string, size: number): Promise<Buffer> {
  const before = bird.received.filter(({ kind }) => kind === 'FILE_CHUNK').length
  const pieces: Buffer[] = []
  for (let offset = 0; offset < size; offset += CHUNK) {
    bird.send({ kind: 'FILE_FETCH', body: { job, offset, length: Math.min(CHUNK, size - offset) } })
    const chunk = await bird.receives('FILE_CHUNK', before + pieces.length + 1)
    expect([chunk.job, chunk.offset]).toEqual([job, offset])
    pieces.push(Buffer.from(chunk.bytes, 'base64'))
  }
  return Buffer.concat(pieces)
}

describe.each(engines)('files for a Bird (%s)', (engine) => {
  const rookery = ownTestConsole({ engine })

  it('are offered, fetched in pieces, and what they need is set when the Bird has applied them', async () => {
    const job = jobs(rookery)
    const bird = await enrolledBird(rookery, { files: 1 })
    const id = await job.start(bird.nodeId)
    expect(await bird.receives('FILE_OFFER')).toEqual({ job: id, kind: 'webroot' })
    bird.send(stateFrame(id, 'ready'))
    await expect.poll(() => job.row(id)).toMatchObject({ state: 'ready', pid: 4711 })

    const bytes = randomBytes(1_000_000)
    await job.upload(id, bytes)
    const sha256 = createHash('sha256').update(bytes).digest('hex')
    expect(await bird.receives('FILE_OFFER', 2)).toMatchObject({ file: { sha256, size: bytes.length } })
    expect((await fetchAll(bird, id, bytes.length)).equals(bytes)).toBe(true)
    await expect.poll(async () => (await job.row(id))?.copied).toBeGreaterThan(500_000)
    bird.send(stateFrame(id, 'applied', { copied: bytes.length }))
    await expect
      .poll(() => job.row(id))
      .toMatchObject({ state: 'applied', copied: bytes.length, file_id: '', reason: '' })
    expect(await job.owned(id)).toBe(0)
    const row = await findBird(rookery.console.base.reader, 'all', bird.nodeId)
    expect(row && settingsOf(row)['http.userwebroot_present']).toBe(true)
    await expect.poll(() => bird.received.filter(({ kind }) => kind === 'SETTINGS_OFFER').length).toBe(2)
  })

  it('are offered again at each link, by whichever console, and to no Bird of an earlier release', async () => {
    const job = jobs(rookery)
    const { key, nodeId, ...bird } = await enrolledBird(rookery, { files: 1 })
    const id = await job.start(nodeId)
    const bytes = randomBytes(70_000)
    await job.upload(id, bytes)
    await expect.poll(() => bird.received.at(-1)).toMatchObject({ kind: 'FILE_OFFER', body: { job: id } })
    await bird.close()
    await rookery.restart()
    const again = await helloBird(rookery.console.linkUrl, { nodeId, files: 1 }, { key })
    expect(await again.receives('FILE_OFFER')).toMatchObject({ job: id, file: { size: bytes.length } })
    expect((await fetchAll(again, id, bytes.length)).equals(bytes)).toBe(true)
    await again.close()

    const old = await connectBird(rookery.console.linkUrl, { key })
    old.send(hello({ nodeId }))
    await old.receives('REGISTERED')
    await rookery.api.birdOperations.reboot({ node_id: nodeId })
    await old.receives('CMD')
    expect(old.received.map(({ kind }) => kind)).not.toContain('FILE_OFFER')
  })

  it('that are cancelled before a byte was offered have ended; after it, the Bird says how they ended', async () => {
    const job = jobs(rookery)
    const bird = await enrolledBird(rookery, { files: 1 })
    const early = await job.start(bird.nodeId)
    await bird.receives('FILE_OFFER')
    expect(await job.cancel(early)).toMatchObject({ state: 'failed', reason: 'It was cancelled.' })

    const late = await job.start(bird.nodeId)
    await job.upload(late, randomBytes(9))
    await expect.poll(() => bird.received.at(-1)).toMatchObject({ body: { job: late, file: { size: 9 } } })
    await job.cancel(late)
    await expect.poll(() => bird.received.at(-1)).toMatchObject({ body: { job: late, cancelled: true } })
    expect(await job.row(late)).toMatchObject({ state: 'cancelling', ended_at: null })
    bird.send(stateFrame(late, 'applied'))
    await expect.poll(() => job.row(late)).toMatchObject({ state: 'applied', reason: '' })

    const third = await job.start(bird.nodeId)
    await job.upload(third, randomBytes(9))
    await job.cancel(third)
    bird.send(stateFrame(third, 'failed', { reason: 'the job was cancelled' }))
    await expect.poll(() => job.row(third)).toMatchObject({ state: 'failed', reason: 'It was cancelled.' })
    bird.send(stateFrame(third, 'applied'))
    bird.send({ kind: 'FILE_FETCH', body: { job: third, offset: 0, length: 9 } })
    await rookery.api.birdOperations.reboot({ node_id: bird.nodeId })
    await bird.receives('CMD')
    expect(await job.row(third)).toMatchObject({ state: 'failed' })
    expect(bird.received.map(({ kind }) => kind)).not.toContain('FILE_CHUNK')
  })

  it('have one open job of a kind, and no other Bird can answer for it', async () => {
    const job = jobs(rookery)
    const [bird, other] = [
      await enrolledBird(rookery, { files: 1 }),
      await enrolledBird(rookery, { files: 1 }),
    ]
    const id = await job.start(bird.nodeId)
    await expect(job.start(bird.nodeId)).rejects.toThrow()
    await job.start(bird.nodeId, 'share')
    await job.upload(id, randomBytes(9))
    other.send(stateFrame(id, 'applied'))
    other.send({ kind: 'FILE_FETCH', body: { job: id, offset: 0, length: 9 } })
    await rookery.api.birdOperations.reboot({ node_id: other.nodeId })
    await other.receives('CMD')
    expect(await job.row(id)).toMatchObject({ state: 'sending' })
    expect(other.received.map(({ kind }) => kind)).not.toContain('FILE_CHUNK')
  })

  it('without a byte for 30 minutes are cancelled, and gone with their Bird', async () => {
    const job = jobs(rookery)
    const { nodeId } = await enrolledBird(rookery, { files: 1 })
    const begun = rookery.console.base.world.clock.now()
    const id = await job.start(nodeId, 'webroot', begun)
    await job.sweep(begun + 30 * 60_000 - 1)
    expect(await job.row(id)).toMatchObject({ ended_at: null })
    await job.sweep(begun + 30 * 60_000 + 1)
    expect(await job.row(id)).toMatchObject({
      state: 'failed',
      reason: 'No byte came for 30 minutes. Start the upload again.',
    })
    const next = await job.start(nodeId)
    await job.upload(next, randomBytes(9))
    expect(await job.owned(next)).toBe(1)
    await job.sweep(begun + 40 * 60_000)
    expect(await job.row(next)).toMatchObject({ state: 'cancelling' })
    const { writer, world } = rookery.console.base
    await writer.write((tx) => removeBird(tx, { node_id: nodeId, flock_id: 'flock:default' }, world))
    expect([await job.row(id), await job.row(next), await job.owned(next)]).toEqual([undefined, undefined, 0])
  })

  it('leave the newest of a kind to be seen', async () => {
    const job = jobs(rookery)
    const { nodeId } = await enrolledBird(rookery, { files: 1 })
    const { reader, world } = rookery.console.base
    const first = await job.start(nodeId, 'webroot', world.clock.now() - 1_000)
    await job.cancel(first)
    const second = await job.start(nodeId)
    expect((await latestTransfer(reader, nodeId, 'webroot'))?.job_id).toBe(second)
  })
})
