// What somebody without a commission may cost the console.
import { once } from 'node:events'
import { describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { declaredLimits } from '@rookery/kernel/limit.ts'
import { parseEnrolment } from '@rookery/link/enrolment.ts'
import {
  connectBird,
  enrolledBird,
  heartbeat,
  helloBird,
  newKey,
  type TestBird,
} from '../../../test/link-bird.ts'
import { engines, openTestConsole, type TestConsole } from '../../../test/test-console.ts'

const hits = (name: string): number => [...declaredLimits()].find((it) => it.name === name)?.hits() ?? NaN

async function pendingBird({ console: { linkUrl } }: TestConsole): Promise<TestBird> {
  const bird = await helloBird(linkUrl)
  await bird.receives('PENDING')
  return bird
}

describe.each(engines)('a stranger on the link (%s)', (engine) => {
  it('that sends heartbeats and never reads is closed after a few of them', async () => {
    const rookery = await openTestConsole({ engine })
    const bird = await pendingBird(rookery)
    const before = hits('link_pending_frames_per_minute')
    bird.pause()
    for (let n = 0; n < 5_000; n++) bird.send(heartbeat())
    await expect.poll(() => hits('link_pending_frames_per_minute')).toBe(before + 1)
    bird.resume()
    await bird.closed
    expect(bird.received.filter(({ kind }) => kind === 'HEARTBEAT_ACK')).toHaveLength(8)
  })

  it('that sends a message in ever more fragments is closed, whether it has a key or not', async () => {
    const rookery = await openTestConsole({ engine })
    const before = hits('link_message_parts')
    const url = (rookery.console.linkUrl ?? '').replace('http', 'ws')
    const socket = new WebSocket(`${url}/bird/v1/link`)
    await once(socket, 'open')
    const closed = once(socket, 'close')
    for (let n = 0; n <= 1_024; n++) socket.send('x', { binary: true, fin: false })
    await closed
    expect(hits('link_message_parts')).toBe(before + 1)
  })

  it('that pings on and on, or sends on after its link was closed, is cut off', async () => {
    const rookery = await openTestConsole({ engine })
    const url = (rookery.console.linkUrl ?? '').replace('http', 'ws')
    const flood = async (send: (socket: WebSocket) => void, limit: string): Promise<void> => {
      const before = hits(limit)
      const socket = new WebSocket(`${url}/bird/v1/link`)
      await once(socket, 'open')
      const closed = once(socket, 'close')
      send(socket)
      await closed
      expect(hits(limit)).toBe(before + 1)
    }
    await flood((socket) => {
      for (let n = 0; n < 11; n++) socket.ping()
    }, 'link_pings_per_second')
    await flood((socket) => {
      // No handshake: the first one closes the link.
      for (let n = 0; n < 60; n++) socket.send(Buffer.alloc(32 * 1024))
    }, 'link_bytes_after_close')
  })

  it('holds three pending links at a time from one address, and one more when one ends', async () => {
    const rookery = await openTestConsole({ engine })
    const birds = [await pendingBird(rookery), await pendingBird(rookery), await pendingBird(rookery)]
    const fourth = await helloBird(rookery.console.linkUrl)
    expect(await fourth.receives('REFUSED')).toMatchObject({ reason: 'too-many', retryAfterS: 60 })
    await fourth.closed
    await birds[0]?.close()
    const { devices } = await rookery.api.registration.pending()
    expect(devices).toHaveLength(4)
    await expect.poll(async () => pendingBird(rookery).then(Boolean, () => false)).toBe(true)
  })

  it('begins ten handshakes a second from one address, and none more', async () => {
    const rookery = await openTestConsole({ engine, env: { ROOKERY_LINK_HANDSHAKES_PER_SECOND: '10' } })
    const { linkUrl } = rookery.console
    const connected = (count: number): Promise<number> =>
      Promise.allSettled(Array.from({ length: count }, () => connectBird(linkUrl))).then(
        (all) => all.filter(({ status }) => status === 'fulfilled').length,
      )
    const began = performance.now()
    const opened = await connected(60)
    const seconds = Math.ceil((performance.now() - began) / 1_000)
    expect(opened).toBeGreaterThanOrEqual(10)
    expect(opened).toBeLessThanOrEqual(10 * seconds)
  })

  it('says HELLO three times in 15 s with one key', async () => {
    const rookery = await openTestConsole({ engine })
    const key = newKey()
    for (let n = 0; n < 4; n++) {
      const bird = await helloBird(rookery.console.linkUrl, {}, { key })
      if (n < 3) await bird.receives('PENDING')
      else expect(await bird.receives('REFUSED')).toMatchObject({ reason: 'too-many', retryAfterS: 15 })
      await bird.close()
    }
  })
})

describe('a Bird on the link', () => {
  it('that asks on and never reads is closed at a MiB that waits for it', async () => {
    const rookery = await openTestConsole()
    const bird = await helloBird(rookery.console.linkUrl, {
      enrol: parseEnrolment(await rookery.console.enrolLocalBird()).secret,
    })
    const { tag, size } = await bird.receives('SETTINGS_OFFER')
    const before = hits('link_unsent_bytes')
    bird.pause()
    // Enough for the buffers of the kernel, too.
    const fetches = Math.ceil(40e6 / size)
    for (let n = 0; n < fetches; n++)
      bird.send({ kind: 'SETTINGS_FETCH', body: { tag, offset: 0, length: 32_768 } })
    await expect.poll(() => hits('link_unsent_bytes')).toBe(before + 1)
    bird.resume()
    await bird.closed
  })

  it('that beats more than once a second on average is closed', async () => {
    const rookery = await openTestConsole()
    const bird = await enrolledBird(rookery)
    for (let n = 0; n < 50; n++) bird.send(heartbeat())
    await bird.closed
    expect(bird.received.filter(({ kind }) => kind === 'HEARTBEAT_ACK')).toHaveLength(10)
  })
})
