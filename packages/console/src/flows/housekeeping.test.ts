import { describe, expect, it } from 'vitest'
import { engines, openTestConsole } from '../../test/test-console.ts'
import { addCommand, settleCommand } from '../stores/birds/commands.store.ts'
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
})
