// A Bird whose decoys nobody but its own machine can touch: the API and `rookery doctor` say so.
import { describe, expect, it } from 'vitest'
import { enrolledBird, heartbeat } from '../../../test/link-bird.ts'
import { engines, openTestConsole } from '../../../test/test-console.ts'
import { examineBase } from '../../maintenance/doctor.ts'

describe.each(engines)('a Bird on loopback alone (%s)', (engine) => {
  it('is shown in devices/all, device/info and doctor, until others can touch it', async () => {
    const rookery = await openTestConsole({ engine })
    const { base } = rookery.console
    const bird = await enrolledBird(rookery)
    const { nodeId: node_id } = bird
    const shown = async (): Promise<unknown[]> => {
      const [{ devices }, { device }, findings] = await Promise.all([
        rookery.api.birdQueries.all(),
        rookery.api.birdQueries.info({ node_id }),
        examineBase(base),
      ])
      const reach = findings.filter(({ about }) => about === 'reach').map(({ ok, text }) => [ok, text])
      return [devices[0]?.reachable_from, device['reachable_from'], reach]
    }
    const said = expect.stringMatching(
      new RegExp(`\\(${node_id}\\): its decoys listen on loopback.*--bind 0\\.0\\.0\\.0`),
    ) as string

    // A Bird of an earlier release.
    expect(await shown()).toEqual(['', '', []])
    bird.send(heartbeat({ reach: 'own-machine' }))
    // On the machine of its console, that is how a Bird of `rookery up` starts.
    await expect.poll(shown).toEqual(['own machine', 'own machine', [[true, said]]])
    await base.writer.write((tx) =>
      tx.query.updateTable('bird').set({ public_ip: '192.0.2.7' }).where('node_id', '=', node_id).execute(),
    )
    expect(await shown()).toEqual(['own machine', 'own machine', [[false, said]]])
    bird.send(heartbeat({ reach: 'network' }))
    await expect.poll(shown).toEqual(['network', 'network', []])
  })
})
