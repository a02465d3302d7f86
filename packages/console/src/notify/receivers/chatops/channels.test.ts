import { describe, expect, it } from 'vitest'
import { FLOCK } from '../../../../test/raise-incident.ts'
import { engines, openTestConsole } from '../../../../test/test-console.ts'
import { openQueryPlans } from '../../../../test/query-plans.ts'
import { receiptsQuery } from '../../../stores/deliveries/receivers.store.ts'
import { addDeliveries, type NewDelivery } from '../../../stores/deliveries/store.ts'
import { channelsOfIncidents } from '../../chat-channels.ts'
import { addChannel } from './channels.ts'

describe.each(engines)('the channel that has the alert of an incident (%s)', (engine) => {
  it('has it alone or within a digest that was delivered; the first of several counts', async () => {
    const { console: opened } = await openTestConsole({ engine })
    const { base } = opened
    const add = (channel: string) =>
      base.writer.write((tx) =>
        addChannel(tx, base, FLOCK, {
          team: 'Blue',
          channel,
          url: `https://chat.test/${channel}`,
          configuration_url: '',
        }),
      )
    const [first, second] = [await add('one'), await add('two')]
    let number = 1_000_000
    const row = (webhookId: string, over: Partial<NewDelivery>): NewDelivery => ({
      delivery_id: ++number,
      message_id: `msg_${number}`,
      webhook_id: webhookId,
      flock_id: FLOCK,
      subject: 'incident',
      state: 'delivered',
      next_at: 0,
      created_at: 0,
      ...over,
    })
    const rows = [
      row(second, { incident_id: 1 }),
      row(first, { incident_id: 1 }),
      row(first, { incident_id: 2, state: 'folded', folded_into: 'msg_sent' }),
      row(first, { incident_id: 3, state: 'folded', folded_into: 'msg_failed' }),
      row(first, { subject: 'digest', message_id: 'msg_sent' }),
      row(first, { subject: 'digest', message_id: 'msg_failed', state: 'failed' }),
      row(first, { incident_id: 4, state: 'failed' }),
      row('gone', { incident_id: 5 }),
    ]
    await base.writer.write((tx) => addDeliveries(tx, rows))
    const found = await channelsOfIncidents(base.reader, base.vault, [1, 2, 3, 4, 5, 6])
    expect([...found]).toEqual([
      [1, 'two'],
      [2, 'one'],
    ])
  })
})

it('is looked up by the incident, however long the log of deliveries is', async () => {
  const { db, planOf } = await openQueryPlans()
  const plan = planOf(receiptsQuery(db, ['chatops'], [1, 2, 3]).compile().sql)
  expect(plan.join('\n')).toContain('delivery_by_incident')
})
