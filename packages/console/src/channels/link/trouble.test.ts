// What the link promises while the console is in trouble, or is not alone.
import { describe, expect, it } from 'vitest'
import { Fault } from '@rookery/kernel/fault.ts'
import { parseEnrolment } from '@rookery/link/enrolment.ts'
import { freshDatabase, openHouse } from '../../../test/house.ts'
import { batch, connectBird, hello, newKey, sshEvent } from '../../../test/link-bird.ts'
import type { Frame } from '@rookery/link/messages.ts'
import { keyPair } from '@rookery/link/noise/keys.ts'
import { talk, type Talking } from './talk.ts'

describe('a link in trouble', () => {
  it('acknowledges nothing that is not stored, and lets no batch overtake one that failed', async () => {
    const house = await openHouse({ parts: ['api'] })
    const { base } = house.console
    const said: Frame[] = []
    let isFull = true
    const stored: number[] = []
    const line: Parameters<typeof talk>[0] = {
      address: '192.0.2.9',
      isOpen: () => !said.some((frame) => frame.kind === 'REFUSED'),
      heardAt: () => 0,
      say: (frame) => void said.push(frame),
      refuse: (reason, message, retryAfterS = 0) =>
        void said.push({ kind: 'REFUSED', body: { reason, message, retryAfterS } }),
      close: () => undefined,
      ping: () => undefined,
      hold: () => undefined,
    }
    const talking: Talking = {
      ...base,
      greeter: { ...base, consoleKey: newKey(), guard: { admits: () => true } },
      ingest: {
        fromBird: ({ events }) => {
          // The disk has room again just after the first batch was refused.
          const wasFull = isFull
          isFull = false
          if (wasFull) return Promise.reject(new Fault('unavailable', 'The disk is full: /data cannot grow.'))
          stored.push(...events.map(({ seq }) => seq))
          return Promise.resolve(stored.at(-1) ?? 0)
        },
      },
      beats: { note: () => undefined, flush: () => Promise.resolve(), stop: () => Promise.resolve() },
      arrived: () => undefined,
      left: () => undefined,
      returned: () => undefined,
    }
    const key = keyPair(Buffer.alloc(32, 7)).publicKey
    const { heard } = talk(line, talking)
    const { secret } = parseEnrolment(await house.console.enrolLocalBird())
    heard(hello({ enrol: secret }), key)
    await expect.poll(() => said.map((frame) => frame.kind)).toContain('SETTINGS_OFFER')
    heard(batch([sshEvent(1)]), key)
    heard(batch([sshEvent(2)]), key)
    await expect
      .poll(() => said.at(-1))
      .toMatchObject({
        kind: 'REFUSED',
        body: { reason: 'unavailable', message: 'The disk is full: /data cannot grow.', retryAfterS: 5 },
      })
    expect([stored, said.filter((frame) => frame.kind === 'ACK')]).toEqual([[], []])
  })

  it('hears of what another console on the same database decided', async () => {
    const env = { ROOKERY_DATABASE_URL: await freshDatabase(), ROOKERY_MASTER_KEY: 'ab'.repeat(32) }
    const links = await openHouse({ env, parts: ['link'] })
    const api = await openHouse({ env, parts: ['api'] })
    const bird = await connectBird(links.console.linkUrl)
    bird.say(hello())
    await bird.hears('PENDING')
    const devices = (await api.get('/devices/commission/pending')).json['devices'] as unknown as {
      id: string
    }[]
    const node_id = devices[0]?.id ?? ''
    await api.post('/device/commission', { node_id })
    expect((await bird.hears('COMMISSIONED')).nodeId).toBe(node_id)
    bird.say(batch([sshEvent(1)]))
    await bird.hears('ACK')
    expect((await api.post('/device/decommission', { node_id })).json).toMatchObject({ delayed: true })
    expect((await bird.hears('CMD')).kind).toBe('decommission')
  })
})
