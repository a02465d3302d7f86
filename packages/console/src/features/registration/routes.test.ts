import { describe, expect, it } from 'vitest'
import { pendingBird, registeredBird } from '../../../test/birds.ts'
import { engines, openTestConsole, type TestConsole } from '../../../test/test-console.ts'
import { connectBird, heartbeat, hello, newKey } from '../../../test/link-bird.ts'
import { manualClock } from '../../../test/manual-clock.ts'

const flock_id = 'flock:default'

const idsOf = async (house: TestConsole, path: string, params = {}): Promise<string[]> => {
  const devices = (await house.get(path, params)).json['devices'] as unknown as {
    device_id?: string
    id?: string
  }[]
  return devices.map((device) => device.device_id ?? device.id ?? '')
}
const pending = (house: TestConsole) => idsOf(house, '/devices/commission/pending')
const queued = (house: TestConsole) => idsOf(house, '/flock/commission/pending', { flock_id })
const registered = (house: TestConsole) => idsOf(house, '/devices/all')

describe.each(engines)('registration (%s)', (engine) => {
  it('commissions the queue of a full Flock, first come first served, as soon as there is a free place', async () => {
    const house = await openTestConsole({ engine })
    const [a, b, c, d] = [
      await pendingBird(house),
      await pendingBird(house),
      await pendingBird(house),
      await pendingBird(house),
    ]
    await house.post('/flock/limit/set', { flock_id, limit: 1 })
    await house.post('/flock/limit/enable', { flock_id })
    expect((await house.post('/device/assign_pending', { node_id: a })).json).toMatchObject({ node_id: a })
    expect((await house.post('/device/bulk_assign_pending', { node_ids: `${b}, ${c}` })).json).toEqual({
      result: 'success',
    })
    expect([await registered(house), (await queued(house)).sort(), await pending(house)]).toEqual([
      [a],
      [b, c].sort(),
      [d],
    ])

    const full = await house.post('/device/commission', { node_id: d })
    expect([full.status, full.json['message']]).toEqual([
      409,
      'The Flock Default Flock is full: its limit is 1 Birds.',
    ])
    const [first] = await queued(house)
    expect((await house.post('/device/decommission', { node_id: a })).json).toMatchObject({
      delayed: false,
      node_id: a,
    })
    expect(await registered(house)).toEqual([first])
    await house.post('/flock/limit/set', { flock_id, limit: 5 })
    expect((await registered(house)).sort()).toEqual([b, c].sort())
    expect((await house.post('/device/commission', { node_id: d })).status).toBe(200)
    expect([await queued(house), await pending(house)]).toEqual([[], []])
  })

  it('keeps the position of a Bird that is assigned to the same full Flock again; in another it queues anew', async () => {
    const clock = manualClock()
    const house = await openTestConsole({ engine, world: { clock } })
    const [a, b] = [await pendingBird(house), await pendingBird(house)]
    await house.post('/flock/limit/set', { flock_id, limit: 0 })
    await house.post('/flock/limit/enable', { flock_id })
    const assign = async (node_id: string, to = flock_id): Promise<void> => {
      clock.advance(1_000)
      expect((await house.post('/device/assign_pending', { node_id, flock_id: to })).status).toBe(200)
    }
    await assign(a)
    await assign(b)
    await assign(a)
    expect(await queued(house)).toEqual([a, b])
    const other = String((await house.post('/flock/create', { name: 'Other' })).json['flock_id'])
    await house.post('/flock/limit/set', { flock_id: other, limit: 0 })
    await house.post('/flock/limit/enable', { flock_id: other })
    await assign(a, other)
    expect(await queued(house)).toEqual([b])
    await assign(a)
    expect(await queued(house)).toEqual([b, a])
    // Moving a Bird out of a full Flock frees a place, too.
    await house.post('/flock/limit/set', { flock_id, limit: 1 })
    expect([await registered(house), await queued(house)]).toEqual([[b], [a]])
    await house.post('/flock/limit/disable', { flock_id: other })
    expect((await house.post('/flock/move', { node_id: b, flock_id: other })).status).toBe(200)
    expect([(await registered(house)).sort(), await queued(house)]).toEqual([[a, b].sort(), []])
  })

  it('takes hundreds at once, and turns hundreds away at once', async () => {
    const house = await openTestConsole({ engine })
    const ids: string[] = []
    for (let n = 0; n < 300; n++) ids.push(await pendingBird(house))
    const some = ids.slice(0, 200)
    expect((await house.post('/device/bulk_assign_pending', { node_ids: some.join(',') })).status).toBe(200)
    expect((await registered(house)).sort()).toEqual([...some].sort())
    const rest = ids.slice(200)
    expect((await house.post('/device/bulk_cancel_commission', { node_ids: rest.join(',') })).status).toBe(
      200,
    )
    expect(await pending(house)).toEqual([])
  })

  it('changes nothing in bulk when one id is bad, and names it', async () => {
    const house = await openTestConsole({ engine })
    const [a, b] = [await pendingBird(house), await registeredBird(house)]
    for (const [path, bad, status] of [
      ['/device/bulk_assign_pending', 'ffffffffffffffff', 404],
      ['/device/bulk_assign_pending', b, 409],
      ['/device/bulk_cancel_commission', 'ffffffffffffffff', 404],
      ['/device/bulk_cancel_commission', b, 409],
    ] as const) {
      const answer = await house.post(path, { node_ids: `${a},${bad}` })
      expect([answer.status, answer.json['details']]).toEqual([
        status,
        { node_ids: `${bad} is the wrong one` },
      ])
      expect(answer.json['message']).toContain(bad)
    }
    expect([await pending(house), await registered(house)]).toEqual([[a], [b]])
    expect((await house.post('/device/bulk_cancel_commission', { node_ids: ' , ' })).status).toBe(400)
  })

  it('refuses what is in the wrong state, unknown, or in no Flock', async () => {
    const house = await openTestConsole({ engine })
    const [a, b] = [await pendingBird(house), await registeredBird(house)]
    const status = async (path: string, params: Record<string, string>): Promise<unknown[]> => {
      const answer = await house.post(path, params)
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
    expect((await house.get('/flock/commission/pending', { flock_id: 'flock:none' })).status).toBe(404)
    expect(await status('/device/cancel_commission', { node_id: a })).toEqual([200, undefined])
    expect(await status('/device/cancel_commission', { node_id: a })).toEqual([404, 'Bird not found'])
  })

  it('turns a cancelled Bird away for a day', async () => {
    const house = await openTestConsole({ engine })
    const key = newKey()
    const bird = await connectBird(house.console.linkUrl, { key })
    bird.send(hello())
    await bird.receives('PENDING')
    const [node_id = ''] = await pending(house)
    await house.post('/device/cancel_commission', { node_id })
    expect(await bird.receives('REFUSED')).toMatchObject({ reason: 'cancelled' })
    await bird.closed
    const again = await connectBird(house.console.linkUrl, { key })
    again.send(hello())
    const { reason, retryAfterS = 0 } = await again.receives('REFUSED')
    expect(reason).toBe('cancelled')
    expect(retryAfterS).toBeGreaterThan(86_000)
    expect(await pending(house)).toEqual([])
  })

  it('powers an online Bird off before it removes it, and refuses its key from then on', async () => {
    const house = await openTestConsole({ engine })
    const key = newKey()
    const online = async () => {
      const bird = await connectBird(house.console.linkUrl, { key })
      bird.send(hello())
      await bird.receives('PENDING')
      const [node_id = ''] = await pending(house)
      await house.post('/device/commission', { node_id })
      await bird.receives('COMMISSIONED')
      bird.send(heartbeat())
      return { bird, node_id }
    }
    const { bird, node_id } = await online()
    expect((await house.post('/device/decommission', { node_id })).json).toEqual({
      result: 'success',
      delayed: true,
      node_id,
    })
    const command = await bird.receives('CMD')
    expect(command.kind).toBe('decommission')
    expect((await house.post('/device/decommission', { node_id })).json).toMatchObject({ delayed: true })
    expect(await registered(house)).toEqual([node_id])
    bird.send({ kind: 'CMD_RESULT', body: { id: command.id, ok: true, detail: 'wiping itself' } })
    await expect.poll(() => registered(house)).toEqual([])
    expect((await house.get('/device/info', { node_id })).status).toBe(404)
    expect(bird.received.filter((frame) => frame.kind === 'CMD')).toHaveLength(1)
    await bird.close()
    const again = await connectBird(house.console.linkUrl, { key })
    again.send(hello({ nodeId: node_id }))
    expect(await again.receives('REFUSED')).toMatchObject({ reason: 'revoked' })
    expect(await pending(house)).toEqual([])
  })

  it('removes a Bird at once when the power-off is skipped, and one whose link closes without an answer', async () => {
    const house = await openTestConsole({ engine })
    const online = async () => {
      const bird = await connectBird(house.console.linkUrl)
      bird.send(hello())
      await bird.receives('PENDING')
      const [node_id = ''] = await pending(house)
      await house.post('/device/commission', { node_id })
      await bird.receives('COMMISSIONED')
      return { bird, node_id }
    }
    const first = await online()
    const skipped = await house.post('/device/decommission', { node_id: first.node_id, skip_poweroff: true })
    expect(skipped.json).toMatchObject({ delayed: false })
    expect(await registered(house)).toEqual([])
    expect(await first.bird.receives('REFUSED')).toMatchObject({ reason: 'revoked' })

    const second = await online()
    await house.post('/device/decommission', { node_id: second.node_id })
    await second.bird.receives('CMD')
    await second.bird.close()
    await expect.poll(() => registered(house)).toEqual([])
  })
})
