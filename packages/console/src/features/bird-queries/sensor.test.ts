// What a Bird is: its kind of sensor and its IP personality, in every form that shows them.
import { describe, expect, it } from 'vitest'
import { batch, helloBird, sshEvent } from '../../../test/link-bird.ts'
import { engines, openTestConsole } from '../../../test/test-console.ts'

const flock_id = 'flock:default'

describe.each(engines)('a Bird from its first HELLO on (%s)', (engine) => {
  it('is listed with the kind of sensor that it reports, and with the IP personality of its settings', async () => {
    const { console, api } = await openTestConsole({ engine })
    const bird = await helloBird(console.linkUrl)
    await bird.receives('PENDING')
    const [pending] = (await api.registration.pending()).devices
    const node_id = pending?.device_id ?? ''
    await api.flockLimits.set({ flock_id, limit: 0 })
    await api.flockLimits.enable({ flock_id })
    await api.registration.assign({ node_id })
    const [queued] = (await api.registration.queued({ flock_id })).devices
    expect([pending?.sensor, queued?.sensor]).toEqual(['linux-arm64', 'linux-arm64'])

    await api.flockLimits.set({ flock_id, limit: 1 })
    await bird.receives('COMMISSIONED')
    const { settings } = (await api.birdQueries.info({ node_id, settings: true })).device
    await api.configuration.configure({ node_id, settings: { ...settings, 'device.ippers': 'windows-10' } })
    const shown = { sensor: 'linux-arm64', ippers: 'windows-10' }
    expect((await api.birdQueries.all()).devices).toMatchObject([shown])
    expect((await api.birdQueries.filter({ filter_str: 'WINDOWS' })).devices).toMatchObject([shown])
    expect((await api.birdQueries.info({ node_id })).device).toMatchObject(shown)

    bird.send(batch([sshEvent(1)]))
    await bird.receives('ACK')
    expect((await api.incidentQueries.search()).incidents).toMatchObject([{ ...shown, host: shown }])
    expect((await api.incidentQueries.all()).incidents).toMatchObject([
      { description: { ippers: 'windows-10' } },
    ])
  })

  it('is no part of the incident of a token, which has neither', async () => {
    const { console, api } = await openTestConsole({ engine })
    const { decoytoken } = await api.tokens.create({ kind: 'http', memo: 'm', flock_id })
    await fetch(`${console.tokensUrl}/${decoytoken.decoytoken}`)
    const { incidents } = await api.incidentQueries.search()
    expect(incidents).toMatchObject([{ sensor: '', ippers: '', host: {} }])
  })
})
