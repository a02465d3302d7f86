// By which way a Bird notices port scans, as `rookery doctor` says it.
import { describe, expect, it } from 'vitest'
import { enrolledBird, heartbeat } from '../../../test/link-bird.ts'
import { engines, openTestConsole } from '../../../test/test-console.ts'
import { examineBase } from '../../maintenance/doctor.ts'

describe.each(engines)('the sensors of a Bird (%s)', (engine) => {
  it('are named by doctor with their way, and what would give packets', async () => {
    const rookery = await openTestConsole({ engine })
    const bird = await enrolledBird(rookery)
    const reason = 'the process lacks CAP_NET_RAW; grant it'
    const findings = async (): Promise<string[]> =>
      (await examineBase(rookery.console.base))
        .filter(({ about, ok }) => about === 'sensors' && ok)
        .map(({ text }) => text)
    const named = `Bird nas-02 (${bird.nodeId}): portscan`

    bird.send(heartbeat({ sensors: [{ instance: 'portscan', way: 'connections', reason: `${reason}\n` }] }))
    await expect
      .poll(findings)
      .toEqual([expect.stringContaining(`${named} sees connections to decoys alone: ${reason}`) as string])
    bird.send(heartbeat({ sensors: [{ instance: 'portscan', way: 'packets', reason: '' }] }))
    await expect.poll(findings).toEqual([`${named} reads packets`])
    bird.send(heartbeat())
    await expect.poll(findings).toEqual([])
  })
})
