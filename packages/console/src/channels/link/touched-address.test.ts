// A Bird of several addresses: each event and the alert name the one that was touched.
import { describe, expect, it } from 'vitest'
import { batch, enrolledBird, sshEvent } from '../../../test/link-bird.ts'
import { addReceiver, loopbackOutbound } from '../../../test/raise-incident.ts'
import { openReceiver } from '../../../test/receiver.ts'
import { engines, openTestConsole } from '../../../test/test-console.ts'

describe.each(engines)('a Bird of several addresses, linked over loopback (%s)', (engine) => {
  it('has the address that was touched in the incident, in each of its events and in the alert', async () => {
    const rookery = await openTestConsole({ engine, world: { outbound: loopbackOutbound() } })
    const receiver = await openReceiver()
    await addReceiver(rookery, receiver.url)
    const device = { name: 'nas-02', ip: '127.0.0.1', mac: '', netmask: '', os: '', sensor: '' }
    const bird = await enrolledBird(rookery, { device })

    // A Bird that was taken over cannot put an address of its own choice into its place.
    const fields = { USERNAME: 'root', dst_host: '192.0.2.99' }
    bird.send(batch([sshEvent(1, { dstHost: '10.0.0.7', fields }), sshEvent(2, { dstHost: 'fd00::8' })]))
    const [alert] = await receiver.tries(1)
    expect(alert?.json).toMatchObject({
      BirdIP: '10.0.0.7',
      Intro: 'SSH Login Attempt on Bird nas-02 (10.0.0.7) from 192.0.2.7.',
      AdditionalDetails: expect.not.arrayContaining([['dst_host', expect.anything()]]) as unknown,
    })
    const touched = async (): Promise<unknown[]> =>
      (await rookery.api.incidentQueries.all()).incidents.map(({ description }) => [
        description.dst_host,
        description.events.map(({ dst_host }) => dst_host),
      ])
    await expect.poll(touched).toEqual([['10.0.0.7', ['10.0.0.7', 'fd00::8']]])
  })
})
