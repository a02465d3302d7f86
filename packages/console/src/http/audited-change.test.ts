import { expect, it } from 'vitest'
import { consoleIgnoreLists } from '@rookery/contract/groups/console-ignore-lists.ts'
import { incidentActions } from '@rookery/contract/groups/incident-actions.ts'
import { ping } from '@rookery/contract/groups/ping.ts'
import type { Operation } from '@rookery/contract/operation.ts'
import { openTestConsole, type TestConsole } from '../../test/test-console.ts'
import type { SettingsWatch } from '../flows/settings-change/watch.ts'
import { incidentNames } from '../secrets/incident-name.ts'
import { readAudit } from '../stores/audit/store.ts'
import { openAuditedChange } from './audited-change.ts'

const quiet: SettingsWatch = () => Promise.resolve(() => Promise.resolve([]))

function changes(rookery: TestConsole, operation: Operation, watch = quiet) {
  const { writer, world, vault } = rookery.console.base
  return openAuditedChange(
    { writer, world, names: incidentNames(vault), watch, onRaised: () => undefined },
    {
      operation,
      params: {},
      caller: { keyId: '7c1e90ab', type: 'admin', scope: 'all', person: undefined },
      address: '192.0.2.7',
    },
  )
}

/** Rows behind that of the first key. */
const rows = (rookery: TestConsole) =>
  readAudit(rookery.console.base.reader, 'all', { after: 1 }, 'oldest', 100)

const nothing = (): Promise<void> => Promise.resolve()

it('a call that changes in many steps leaves one row, with its first step', async () => {
  const rookery = await openTestConsole({ parts: [] })
  const { change, finish } = changes(rookery, incidentActions.acknowledgeMany)
  for (let step = 0; step < 5; step++) await change(nothing)
  await finish()
  expect(await rows(rookery)).toMatchObject([{ action_type: 'incident_actions.acknowledge_many' }])
})

it('steps that go side by side leave one row, too', async () => {
  const rookery = await openTestConsole({ parts: [] })
  const { change } = changes(rookery, incidentActions.acknowledgeMany)
  await Promise.all([change(nothing), change(nothing), change(nothing)])
  expect(await rows(rookery)).toHaveLength(1)
})

it('a step that failed left none; the one that is tried instead does', async () => {
  const rookery = await openTestConsole({ parts: [] })
  const { change, note: note } = changes(rookery, consoleIgnoreLists.enableIps)
  await expect(change(() => Promise.reject(new Error('not so')))).rejects.toThrow('not so')
  expect(await rows(rookery)).toEqual([])
  await change((tx) => {
    note({ lines: 3 })
    return tx.configChanged()
  })
  expect(await rows(rookery)).toMatchObject([
    {
      message: 'Enable the list of ignored addresses: lines 3.',
      actor: '7c1e90ab',
      actor_ip: '192.0.2.7',
    },
  ])
})

it('what wrote nothing leaves its row at the end; what only reads leaves none', async () => {
  const rookery = await openTestConsole({ parts: [] })
  await changes(rookery, incidentActions.acknowledge).finish()
  await changes(rookery, ping.ping).finish()
  expect(await rows(rookery)).toHaveLength(1)
})

it('an incident that cannot be raised takes the change back with it', async () => {
  const rookery = await openTestConsole({ parts: [] })
  const broken: SettingsWatch = () => Promise.resolve(() => Promise.reject(new Error('no room')))
  const { change } = changes(rookery, consoleIgnoreLists.enableIps, broken)
  const { reader, writer } = rookery.console.base
  const put = (name: string) => change((tx) => tx.insertMany('meta', [{ name, value: 'x' }]))
  await expect(put('lost')).rejects.toThrow('no room')
  await writer.idle()
  expect(await reader.selectFrom('meta').select('name').where('name', '=', 'lost').execute()).toEqual([])
  expect(await rows(rookery)).toEqual([])
})
