import { describe, expect, it } from 'vitest'
import { pendingBird, registeredBird } from '../../../test/birds.ts'
import { engines, openTestConsole, type TestConsole } from '../../../test/test-console.ts'
import { heartbeat, helloBird, newKey } from '../../../test/link-bird.ts'
import { manualClock } from '../../../test/manual-clock.ts'

const flock_id = 'flock:default'

const pending = async ({ api }: TestConsole) => (await api.registration.pending()).devices.map(({ id }) => id)
const queued = async ({ api }: TestConsole) =>
  (await api.registration.queued({ flock_id })).devices.map(({ device_id }) => device_id)
const registered = async ({ api }: TestConsole) => (await api.birdQueries.all()).devices.map(({ id }) => id)

/** A Bird on its link, which was pending and is commissioned. */
async function online(rookery: TestConsole) {
  const bird = await helloBird(rookery.console.linkUrl)
  await bird.receives('PENDING')
  const [node_id = ''] = await pending(rookery)
  await rookery.api.registration.commission({ node_id })
  await bird.receives('COMMISSIONED')
  return { bird, node_id }
}

describe.each(engines)('registration (%s)', (engine) => {
  it('commissions the queue of a full Flock, first come first served, as soon as there is a free place', async () => {
    const rookery = await openTestConsole({ engine })
    const [a, b, c, d] = [
      await pendingBird(rookery),
      await pendingBird(rookery),
      await pendingBird(rookery),
      await pendingBird(rookery),
    ]
    await rookery.api.flockLimits.set({ flock_id, limit: 1 })
    await rookery.api.flockLimits.enable({ flock_id })
    expect(await rookery.api.registration.assign({ node_id: a })).toMatchObject({ node_id: a })
    expect(await rookery.api.registration.assignMany({ node_ids: `${b}, ${c}` })).toMatchObject({
      assigned: [],
      queued: [b, c],
    })
    expect([await registered(rookery), (await queued(rookery)).sort(), await pending(rookery)]).toEqual([
      [a],
      [b, c].sort(),
      [d],
    ])

    const full = await rookery.post('/device/commission', { node_id: d })
    expect([full.status, full.json['message']]).toEqual([
      409,
      'The Flock Default Flock is full: its limit is 1 Birds.',
    ])
    const [first] = await queued(rookery)
    expect(await rookery.api.registration.decommission({ node_id: a })).toMatchObject({
      delayed: false,
      node_id: a,
    })
    expect(await registered(rookery)).toEqual([first])
    await rookery.api.flockLimits.set({ flock_id, limit: 5 })
    expect((await registered(rookery)).sort()).toEqual([b, c].sort())
    expect((await rookery.post('/device/commission', { node_id: d })).status).toBe(200)
    expect([await queued(rookery), await pending(rookery)]).toEqual([[], []])
  })

  it('says whether a Bird was assigned, or queues because its Flock is full', async () => {
    const rookery = await openTestConsole({ engine })
    const [a, b] = [await pendingBird(rookery), await pendingBird(rookery)]
    await rookery.api.flockLimits.set({ flock_id, limit: 1 })
    await rookery.api.flockLimits.enable({ flock_id })
    expect((await rookery.api.registration.assign({ node_id: a })).state).toBe('assigned')
    expect((await rookery.api.registration.assign({ node_id: b })).state).toBe('queued')
    expect([await registered(rookery), await queued(rookery)]).toEqual([[a], [b]])
  })

  it('keeps the position of a Bird that is assigned to the same full Flock again; in another it queues anew', async () => {
    const clock = manualClock()
    const rookery = await openTestConsole({ engine, world: { clock } })
    const [a, b] = [await pendingBird(rookery), await pendingBird(rookery)]
    await rookery.api.flockLimits.set({ flock_id, limit: 0 })
    await rookery.api.flockLimits.enable({ flock_id })
    const assign = async (node_id: string, to = flock_id): Promise<void> => {
      clock.advance(1_000)
      const { status, json } = await rookery.post('/device/assign_pending', { node_id, flock_id: to })
      expect([status, json]).toEqual([200, { result: 'success', node_id, state: 'queued' }])
    }
    await assign(a)
    await assign(b)
    await assign(a)
    expect(await queued(rookery)).toEqual([a, b])
    const other = String((await rookery.api.flocks.create({ name: 'Other' })).flock_id)
    await rookery.api.flockLimits.set({ flock_id: other, limit: 0 })
    await rookery.api.flockLimits.enable({ flock_id: other })
    await assign(a, other)
    expect(await queued(rookery)).toEqual([b])
    await assign(a)
    expect(await queued(rookery)).toEqual([b, a])
    // Moving a Bird out of a full Flock frees a place, too.
    await rookery.api.flockLimits.set({ flock_id, limit: 1 })
    expect([await registered(rookery), await queued(rookery)]).toEqual([[b], [a]])
    await rookery.api.flockLimits.disable({ flock_id: other })
    expect((await rookery.post('/flock/move', { node_id: b, flock_id: other })).status).toBe(200)
    expect([(await registered(rookery)).sort(), await queued(rookery)]).toEqual([[a, b].sort(), []])
  })

  it('takes hundreds at once, and turns hundreds away at once', async () => {
    const rookery = await openTestConsole({ engine })
    const ids: string[] = []
    for (let n = 0; n < 300; n++) ids.push(await pendingBird(rookery))
    const some = ids.slice(0, 200)
    await rookery.api.flockLimits.set({ flock_id, limit: 150 })
    await rookery.api.flockLimits.enable({ flock_id })
    const { assigned, queued: waiting } = await rookery.api.registration.assignMany({
      node_ids: some.join(','),
      flock_id,
    })
    expect([assigned, waiting]).toEqual([some.slice(0, 150), some.slice(150)])
    expect((await registered(rookery)).sort()).toEqual([...assigned].sort())
    const rest = ids.slice(200)
    expect((await rookery.post('/device/bulk_cancel_commission', { node_ids: rest.join(',') })).status).toBe(
      200,
    )
    expect(await pending(rookery)).toEqual([])
  })

  it('changes nothing in bulk when one id is bad, and names it', async () => {
    const rookery = await openTestConsole({ engine })
    const [a, b] = [await pendingBird(rookery), await registeredBird(rookery)]
    for (const [path, bad, status] of [
      ['/device/bulk_assign_pending', 'ffffffffffffffff', 404],
      ['/device/bulk_assign_pending', b, 409],
      ['/device/bulk_cancel_commission', 'ffffffffffffffff', 404],
      ['/device/bulk_cancel_commission', b, 409],
    ] as const) {
      const answer = await rookery.post(path, { node_ids: `${a},${bad}` })
      expect([answer.status, answer.json['details']]).toEqual([
        status,
        { node_ids: `${bad} is the wrong one` },
      ])
      expect(answer.json['message']).toContain(bad)
    }
    expect([await pending(rookery), await registered(rookery)]).toEqual([[a], [b]])
    expect((await rookery.post('/device/bulk_cancel_commission', { node_ids: ' , ' })).status).toBe(400)
  })

  it('refuses what is in the wrong state, unknown, or in no Flock', async () => {
    const rookery = await openTestConsole({ engine })
    const [a, b] = [await pendingBird(rookery), await registeredBird(rookery)]
    const status = async (path: string, params: Record<string, string>): Promise<unknown[]> => {
      const answer = await rookery.post(path, params)
      return [answer.status, answer.json['message']]
    }
    const unknown = 'ffffffffffffffff'
    expect(await status('/device/commission', { node_id: unknown })).toEqual([404, 'Bird not found'])
    expect(await status('/device/commission', { node_id: b })).toEqual([409, `Bird ${b} is not pending.`])
    expect(await status('/device/commission', { node_id: a, flock_id: 'flock:none' })).toEqual([
      404,
      'Flock does not exist.',
    ])
    expect(await status('/device/decommission', { node_id: a })).toEqual([
      409,
      `Bird ${a} is pending, not registered: cancel its commission instead.`,
    ])
    expect(await status('/device/decommission', { node_id: unknown })).toEqual([404, 'Bird not found'])
    expect((await rookery.get('/flock/commission/pending', { flock_id: 'flock:none' })).status).toBe(404)
    expect(await status('/device/cancel_commission', { node_id: a })).toEqual([200, undefined])
    expect(await status('/device/cancel_commission', { node_id: a })).toEqual([404, 'Bird not found'])
  })

  it('turns a cancelled Bird away for a day', async () => {
    const rookery = await openTestConsole({ engine })
    const key = newKey()
    const bird = await helloBird(rookery.console.linkUrl, {}, { key })
    await bird.receives('PENDING')
    const [node_id = ''] = await pending(rookery)
    await rookery.api.registration.cancel({ node_id })
    expect(await bird.receives('REFUSED')).toMatchObject({ reason: 'cancelled' })
    await bird.closed
    const again = await helloBird(rookery.console.linkUrl, {}, { key })
    const { reason, retryAfterS = 0 } = await again.receives('REFUSED')
    expect(reason).toBe('cancelled')
    expect(retryAfterS).toBeGreaterThan(86_000)
    expect(await pending(rookery)).toEqual([])
  })

  it('powers an online Bird off before it removes it, and refuses its key from then on', async () => {
    const rookery = await openTestConsole({ engine })
    const { bird, node_id } = await online(rookery)
    bird.send(heartbeat())
    expect(await rookery.api.registration.decommission({ node_id })).toEqual({
      result: 'success',
      delayed: true,
      node_id,
    })
    const command = await bird.receives('CMD')
    expect(command.kind).toBe('decommission')
    expect(await rookery.api.registration.decommission({ node_id })).toMatchObject({ delayed: true })
    expect(await registered(rookery)).toEqual([node_id])
    bird.send({ kind: 'CMD_RESULT', body: { id: command.id, ok: true, detail: 'wiping itself' } })
    await expect.poll(() => registered(rookery)).toEqual([])
    expect((await rookery.get('/device/info', { node_id })).status).toBe(404)
    expect(bird.received.filter((frame) => frame.kind === 'CMD')).toHaveLength(1)
    await bird.close()
    const again = await helloBird(rookery.console.linkUrl, { nodeId: node_id }, { key: bird.key })
    expect(await again.receives('REFUSED')).toMatchObject({ reason: 'revoked' })
    expect(await pending(rookery)).toEqual([])
  })

  it('removes a Bird at once when the power-off is skipped, and one whose link closes without an answer', async () => {
    const rookery = await openTestConsole({ engine })
    const first = await online(rookery)
    const skipped = await rookery.api.registration.decommission({
      node_id: first.node_id,
      skip_poweroff: true,
    })
    expect(skipped).toMatchObject({ delayed: false })
    expect(await registered(rookery)).toEqual([])
    expect(await first.bird.receives('REFUSED')).toMatchObject({ reason: 'revoked' })

    const second = await online(rookery)
    await rookery.api.registration.decommission({ node_id: second.node_id })
    await second.bird.receives('CMD')
    await second.bird.close()
    await expect.poll(() => registered(rookery)).toEqual([])
  })
})
