// A Bird whose IP stack could not be set as its settings claim, as `rookery doctor` says it.
import { describe, expect, it } from 'vitest'
import { parseEnrolment } from '@rookery/link/enrolment.ts'
import { connectBird, heartbeat, hello } from '../../../test/link-bird.ts'
import { engines, openTestConsole } from '../../../test/test-console.ts'
import { examineBase } from '../../maintenance/doctor.ts'

describe.each(engines)('a Bird that may not set its IP stack (%s)', (engine) => {
  it('is named by doctor with what to set, until it reports that the stack is as claimed', async () => {
    const rookery = await openTestConsole({ engine })
    const bird = await connectBird(rookery.console.linkUrl)
    const { secret } = parseEnrolment(await rookery.console.enrolLocalBird())
    bird.send(hello({ enrol: secret }))
    const { nodeId } = await bird.receives('COMMISSIONED')
    const wrong = async (): Promise<unknown[]> =>
      (await examineBase(rookery.console.base)).filter(({ ok }) => !ok)
    const ipStack = 'The IP stack cannot be set (EROFS): have net.ipv4.ip_default_ttl="128" set'

    bird.send(heartbeat({ ipStack: `${ipStack}\n` }))
    await expect.poll(wrong).toEqual([
      {
        ok: false,
        about: 'IP stack',
        text: expect.stringContaining(`Bird nas-02 (${nodeId}): ${ipStack}`) as string,
      },
    ])
    bird.send(heartbeat())
    await expect.poll(wrong).toEqual([])
  })
})
