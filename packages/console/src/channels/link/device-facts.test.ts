// What a Bird says of its own machine, where an intruder has taken the machine over or is no Bird at all.
import { describe, expect, it } from 'vitest'
import { enrolledBird, heartbeat, helloBird } from '../../../test/link-bird.ts'
import { engines, openTestConsole } from '../../../test/test-console.ts'

const DEVICE = { name: 'nas-02', mac: '', netmask: '', os: '', sensor: '' }

describe.each(engines)('what a Bird says of its machine (%s)', (engine) => {
  it('keeps nobody from reading the lists of Birds, whatever its uptime', async () => {
    const rookery = await openTestConsole({ engine })
    const uptimeS = Number.MAX_SAFE_INTEGER
    const stranger = await helloBird(rookery.console.linkUrl, { uptimeS })
    await stranger.receives('PENDING')
    expect((await rookery.api.registration.pending()).devices).toHaveLength(1)

    const bird = await enrolledBird(rookery)
    const serviceCount = Number.MAX_SAFE_INTEGER
    bird.send(heartbeat({ uptimeS, serviceCount }))
    const listed = async () => (await rookery.api.birdQueries.filter({})).devices
    await expect.poll(listed).toMatchObject([{ service_count: String(serviceCount) }])
  })

  it('names addresses alone: no range, and nothing else that a firewall would obey', async () => {
    const rookery = await openTestConsole({ engine })
    await enrolledBird(rookery, { device: { ...DEVICE, ip: '10.0.0.5,0.0.0.0/0, any,fe80::1%eth0' } })
    const { text } = await rookery.get('/device/ips', { download: 'true' })
    expect(text).toBe('10.0.0.5\nfe80::1\n')
  })
})
