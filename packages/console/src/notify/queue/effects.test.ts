import { expect, it } from 'vitest'
import { addReceiver, FLOCK, raiseIncident } from '../../../test/raise-incident.ts'
import { engines, openTestConsole } from '../../../test/test-console.ts'
import { openDeliveryRecorder } from './delivery-recorder.ts'
import { openEffects } from './effects.ts'

it.each(engines)(
  'a receiver that was switched on while its queue was about to drop what waits loses nothing (%s)',
  async (engine) => {
    // No answer comes, so the message waits.
    const hang = () => new Promise<never>(() => undefined)
    const rookery = await openTestConsole({ engine, parts: ['api'], world: { outbound: { send: hang } } })
    const { base } = rookery.console
    const deps = {
      ...base,
      send: hang,
      consoleUrl: () => '',
      perMinute: 60,
      nameOf: () => undefined,
      factsOf: undefined,
    }
    const { webhook_id } = await addReceiver(rookery, 'https://a.example.com/')
    const recorder = openDeliveryRecorder(base)
    const apply = openEffects(webhook_id, deps, recorder, () => undefined)
    const drop = () =>
      apply({ type: 'drop-waiting', reason: 'off' }, { wake: () => undefined, recovered: () => undefined })
    const states = async () =>
      (await base.reader.selectFrom('delivery').select('state').execute()).map(({ state }) => state)
    await raiseIncident(rookery)
    await drop()
    expect(await states()).toEqual(['waiting'])
    await rookery.post('/flock/settings/webhooks/disable', { flock_id: FLOCK })
    await drop()
    expect(await states()).toEqual(['dropped'])
  },
)
