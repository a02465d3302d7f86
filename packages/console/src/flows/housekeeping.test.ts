import { describe, expect, it } from 'vitest'
import { engines, openTestConsole } from '../../test/test-console.ts'
import { addCommand, settleCommand } from '../stores/birds/commands.store.ts'
import type { BundleRow } from '../stores/bundles/store.ts'
import { openHousekeeping } from './housekeeping.ts'

const DAY = 86_400_000

describe.each(engines)('housekeeping (%s)', (engine) => {
  it('forgets an order to a Bird 30 days after it was settled, and never one that is open', async () => {
    const { console } = await openTestConsole({ engine })
    const { reader, writer } = console.base
    const now = Date.now()
    const order = (command_id: string, settledAt?: number): Promise<void> =>
      writer.write(async (tx) => {
        const created_at = now - 90 * DAY
        await addCommand(tx, { command_id, node_id: 'aa', kind: 'poweroff', payload: '{}', created_at })
        if (settledAt === undefined) return
        await settleCommand(tx.query, 'aa', command_id, { state: 'done', detail: '', updated_at: settledAt })
      })
    await order('old', now - 31 * DAY)
    await order('young', now - 29 * DAY)
    await order('open')
    const housekeeping = openHousekeeping(console.base)
    await housekeeping.sweep()
    await housekeeping.stop()
    const kept = await reader.selectFrom('bird_command').select('command_id').orderBy('command_id').execute()
    expect(kept.map(({ command_id }) => command_id)).toEqual(['open', 'young'])
  })

  it('forgets a bundle after 90 days, but the newest of a Bird', async () => {
    const { console } = await openTestConsole({ engine })
    const { reader, writer } = console.base
    const now = Date.now()
    const bundle = (node_id: string, seq: number, days: number): BundleRow => {
      const at = now - days * DAY
      const settled = { state: 'applied', size: 9, copied: 9, reason: '', checksum: '' } as const
      const name = `${node_id}${seq}`
      return {
        ...settled,
        bundle_tag: name,
        settings_tag: name,
        node_id,
        seq,
        type: 'settings',
        created_at: at,
        started_at: at,
        ended_at: at,
        updated_at: at,
      }
    }
    const all = [bundle('a', 1, 92), bundle('a', 2, 91), bundle('a', 3, 89), bundle('b', 1, 300)]
    await writer.write((tx) => tx.insertMany('bundle', all))
    const housekeeping = openHousekeeping(console.base)
    await housekeeping.sweep()
    await housekeeping.stop()
    const kept = await reader.selectFrom('bundle').select('bundle_tag').orderBy('bundle_tag').execute()
    expect(kept.map(({ bundle_tag }) => bundle_tag)).toEqual(['a3', 'b1'])
  })
})
