import { createHash } from 'node:crypto'
import { connect } from 'node:net'
import { once } from 'node:events'
import { describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { parseEnrolment } from '@rookery/link/enrolment.ts'
import { pairingPhrase } from '@rookery/link/pairing.ts'
import { engines, openTestConsole, type TestConsole } from '../../../test/test-console.ts'
import {
  batch,
  connectBird,
  enrolledBird,
  heartbeat,
  helloBird,
  SPOOL,
  sshEvent,
} from '../../../test/link-bird.ts'

const incidents = async (rookery: TestConsole) =>
  (await rookery.api.incidentQueries.all({ shrink: false })).incidents ?? []

describe.each(engines)('the link (%s)', (engine) => {
  it('shows an unknown Bird as pending with the phrase that the Bird shows, and lets it in when it is commissioned', async () => {
    const rookery = await openTestConsole({ engine })
    const bird = await helloBird(rookery.console.linkUrl)
    await bird.receives('PENDING')
    const [pending] = (await rookery.api.registration.pending()).devices
    expect(pending).toMatchObject({ name: 'nas-02', live: 'True' })
    expect(pending?.pairing_phrase).toBe(await pairingPhrase(bird.key.publicKey, bird.consoleKey))

    const node_id = pending?.id ?? ''
    expect(await rookery.api.registration.commission({ node_id })).toEqual({ result: 'success', node_id })
    const commissioned = await bird.receives('COMMISSIONED')
    const offer = await bird.receives('SETTINGS_OFFER')
    expect(commissioned).toMatchObject({ nodeId: node_id, settingsTag: offer.tag, acked: { upto: 0 } })

    let text = Buffer.alloc(0)
    while (text.length < offer.size) {
      bird.send({ kind: 'SETTINGS_FETCH', body: { tag: offer.tag, offset: text.length, length: 1000 } })
      const chunk = await bird.receives('SETTINGS_CHUNK', Math.floor(text.length / 1000) + 1)
      text = Buffer.concat([text, Buffer.from(chunk.bytes, 'base64')])
    }
    expect(createHash('sha256').update(text).digest('hex')).toBe(offer.sha256)
    expect(JSON.parse(text.toString())).toMatchObject({
      'device.name': 'nas-02',
      'ssh.enabled': true,
      'redis.enabled': true,
    })
    bird.send({
      kind: 'SETTINGS_APPLIED',
      body: { tag: offer.tag, seq: offer.seq, serviceCount: 4, notStanding: [] },
    })
    bird.send(heartbeat({ settings: { tag: offer.tag, seq: offer.seq }, serviceCount: 4 }))
    await bird.receives('HEARTBEAT_ACK')
    await expect
      .poll(async () => (await rookery.api.birdQueries.info({ node_id })).device)
      .toMatchObject({ current_settings: offer.tag, service_count: '4', live: 'True', ghost: 'False' })
  })

  it('stores what a Bird saw once, however often it is sent', async () => {
    const rookery = await openTestConsole({ engine })
    const bird = await enrolledBird(rookery)
    bird.send(batch([sshEvent(1), sshEvent(2)]))
    expect(await bird.receives('ACK')).toEqual({ spoolId: SPOOL, upto: 2 })
    bird.send(batch([sshEvent(1), sshEvent(2), sshEvent(3)]))
    expect(await bird.receives('ACK', 2)).toEqual({ spoolId: SPOOL, upto: 3 })
    const [incident, ...others] = await incidents(rookery)
    expect(others).toEqual([])
    expect(incident?.description).toMatchObject({ logtype: '4002', events_count: '3' })
    expect(incident?.description.events.map((event) => event['PASSWORD'])).toEqual([
      'toor1',
      'toor2',
      'toor3',
    ])

    // A second session of the same key takes over, and hears how far the console is.
    const again = await helloBird(
      rookery.console.linkUrl,
      { nodeId: bird.nodeId, spool: { spoolId: SPOOL, first: 1, next: 5 } },
      bird,
    )
    expect((await again.receives('REGISTERED')).acked).toEqual({ spoolId: SPOOL, upto: 3 })
    expect(await bird.receives('REFUSED')).toMatchObject({ reason: 'superseded' })
    await bird.closed

    await rookery.restart()
    const late = await helloBird(rookery.console.linkUrl, { nodeId: bird.nodeId }, bird)
    expect((await late.receives('REGISTERED')).acked.upto).toBe(3)
    expect(late.consoleKey).toEqual(bird.consoleKey)
    late.send(batch([sshEvent(3), sshEvent(4)]))
    expect((await late.receives('ACK')).upto).toBe(4)
    expect((await incidents(rookery))[0]?.description.events_count).toBe('4')
  })

  it('says itself when an event was and where it came from, whatever keys the event has', async () => {
    const rookery = await openTestConsole({ engine })
    const bird = await enrolledBird(rookery)
    const forged = {
      timestamp: 1,
      timestamp_std: 'never',
      src_host: '10.0.0.1',
      src_port: 1,
      dst_host: '10.0.0.2',
    }
    const place = { geo_info: { country: 'XX' }, is_tor_relay: true }
    bird.send(batch([sshEvent(1, { fields: { USERNAME: 'root', ...forged, ...place } })]))
    await bird.receives('ACK')
    const [incident] = await incidents(rookery)
    const { created, created_std, events } = incident?.description ?? {}
    expect(events).toEqual([
      { timestamp: Number(created), timestamp_std: created_std, USERNAME: 'root', dst_host: '10.0.0.5' },
    ])
  })

  it('lets what is over the allowance of a Bird wait with it, and loses none of it', async () => {
    const rookery = await openTestConsole({ engine, env: { ROOKERY_BIRD_EVENTS_PER_SECOND: '100' } })
    const bird = await enrolledBird(rookery)
    const began = performance.now()
    const events = (from: number) => Array.from({ length: 120 }, (_, n) => sshEvent(from + n))
    for (const from of [1, 121, 241]) bird.send(batch(events(from)))
    bird.send(heartbeat())
    expect((await bird.receives('ACK', 3)).upto).toBe(360)
    const kinds = bird.received.map(({ kind }) => kind)
    expect(kinds.indexOf('HEARTBEAT_ACK')).toBeLessThan(kinds.lastIndexOf('ACK'))
    // 240 events at 100 a second, of which those of the first second are taken at once.
    expect(performance.now() - began).toBeGreaterThan(1_300)
    expect((await incidents(rookery))[0]?.description.events_count).toBe('360')
  })

  it('takes hostile fields as they are: null, depth, NUL and half a character', async () => {
    const rookery = await openTestConsole({ engine })
    const bird = await enrolledBird(rookery)
    const deep = JSON.parse('['.repeat(500) + ']'.repeat(500)) as unknown
    const event = sshEvent(1, {
      srcHost: '192.0.2.7\0',
      fields: { A: null, B: deep, C: 'a\0b', D: '\ud800', __proto__: 'x' },
    })
    bird.send(batch([event]))
    expect((await bird.receives('ACK')).upto).toBe(1)
    const [incident] = await incidents(rookery)
    expect(incident?.description.events[0]).toMatchObject({ A: '', C: 'a\0b', D: '\ufffd' })
  })

  it('lets a code in as often as it is good for, into the Flock that it names', async () => {
    const rookery = await openTestConsole({ engine })
    const secret = parseEnrolment(await rookery.console.enrolLocalBird()).secret
    const bird = await helloBird(rookery.console.linkUrl, { enrol: secret })
    const { nodeId } = await bird.receives('COMMISSIONED')
    expect((await rookery.api.birdQueries.info({ node_id: nodeId })).device).toMatchObject({
      flock_id: 'flock:default',
    })
    const second = await helloBird(rookery.console.linkUrl, { enrol: secret })
    expect(await second.receives('REFUSED')).toMatchObject({
      reason: 'bad-enrolment',
      message: 'The code is used up: it let in its last Bird.',
    })
    await second.closed
    // A registered Bird that missed its COMMISSIONED gets it again.
    const again = await helloBird(rookery.console.linkUrl, { enrol: secret }, { key: bird.key })
    expect((await again.receives('COMMISSIONED')).nodeId).toBe(nodeId)
  })

  it('keeps strangers from filling the pending list', async () => {
    const rookery = await openTestConsole({ engine })
    for (let n = 0; n < 11; n++) {
      const bird = await helloBird(rookery.console.linkUrl)
      if (n < 10) await bird.receives('PENDING')
      else expect(await bird.receives('REFUSED')).toMatchObject({ reason: 'too-many', retryAfterS: 600 })
      await bird.close()
    }
    expect((await rookery.api.registration.pending()).devices).toHaveLength(10)
  })

  it('says how settings came out, and offers no bundle again that was rolled back', async () => {
    const rookery = await openTestConsole({ engine })
    const bird = await enrolledBird(rookery)
    const offer = await bird.receives('SETTINGS_OFFER')
    bird.send({
      kind: 'SETTINGS_REVERTED',
      body: { tag: offer.tag, seq: offer.seq, to: 'old', reason: 'no answer' },
    })
    await expect
      .poll(async () => (await rookery.api.birdQueries.info({ node_id: bird.nodeId })).device)
      .toMatchObject({ was_rollback: 'True' })
    await bird.close()
    const again = await helloBird(
      rookery.console.linkUrl,
      { nodeId: bird.nodeId, settings: { tag: 'old', seq: 0 }, wasRollback: true },
      bird,
    )
    await again.receives('REGISTERED')
    again.send(heartbeat({ wasRollback: true }))
    await again.receives('HEARTBEAT_ACK')
    expect(again.received.map((frame) => frame.kind)).toEqual(['REGISTERED', 'HEARTBEAT_ACK'])
  })

  it('offers a bundle that failed again when the Bird comes back, until it is applied', async () => {
    const rookery = await openTestConsole({ engine })
    const bird = await enrolledBird(rookery)
    const offer = await bird.receives('SETTINGS_OFFER')
    const { tag, seq } = offer
    const failure = async (): Promise<unknown> => {
      const answer = await rookery.api.birdQueries.info({ node_id: bird.nodeId })
      return answer.device['settings_failure']
    }
    bird.send({ kind: 'SETTINGS_FAILED', body: { tag, seq, reason: 'ssh: port 22 is in use' } })
    await expect.poll(failure).toBe('ssh: port 22 is in use')
    const { devices } = await rookery.api.birdQueries.all()
    expect(devices).toMatchObject([{ settings_failure: 'ssh: port 22 is in use' }])
    await bird.close()
    const again = await helloBird(rookery.console.linkUrl, { nodeId: bird.nodeId }, bird)
    expect(await again.receives('SETTINGS_OFFER')).toEqual(offer)
    again.send({ kind: 'SETTINGS_APPLIED', body: { tag, seq, serviceCount: 4, notStanding: [] } })
    await expect.poll(failure).toBe('')
  })
})

describe('the link', () => {
  it('closes garbage with a log line and goes on', async () => {
    const rookery = await openTestConsole()
    const url = rookery.console.linkUrl ?? ''
    const socketUrl = `${url.replace('http', 'ws')}/bird/v1/link`
    for (const message of [
      'text',
      Buffer.alloc(0),
      Buffer.alloc(31),
      Buffer.alloc(32),
      Buffer.alloc(33),
      Buffer.alloc(70_000),
    ]) {
      const socket = new WebSocket(socketUrl)
      socket.on('error', () => undefined)
      await once(socket, 'open')
      socket.send(message)
      socket.send(message, () => undefined)
      await once(socket, 'close')
    }
    const pending = await connectBird(rookery.console.linkUrl)
    pending.send(heartbeat())
    expect(await pending.receives('REFUSED')).toMatchObject({ reason: 'bad-frame' })
    const early = await helloBird(rookery.console.linkUrl)
    early.send(batch([sshEvent(1)]))
    expect(await early.receives('REFUSED')).toMatchObject({ reason: 'bad-frame' })
    const future = await helloBird(rookery.console.linkUrl, { protocol: 2 })
    expect(await future.receives('REFUSED')).toMatchObject({ reason: 'protocol' })
    // Other upgrades are turned away, or served as the plain requests that they are.
    const other = connect(Number(new URL(url).port), '127.0.0.1')
    other.write('GET /elsewhere HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n')
    expect(String((await once(other, 'data'))[0])).toMatch(/^HTTP\/1\.1 404 /)
    const h2c = connect(Number(new URL(url).port), '127.0.0.1')
    h2c.write('GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: Upgrade, close\r\nUpgrade: h2c\r\n\r\n')
    expect(String((await once(h2c, 'data'))[0])).toMatch(/^HTTP\/1\.1 200 /)
    expect((await rookery.get('/ping')).status).toBe(200)
  })

  it('opens a listener of its own where the API is not served', async () => {
    const rookery = await openTestConsole({ parts: ['link'] })
    expect(rookery.console.apiUrl).toBeUndefined()
    const bird = await helloBird(rookery.console.linkUrl)
    await bird.receives('PENDING')
    expect((await fetch(`${rookery.console.linkUrl}/api/v1/ping`)).status).toBe(404)
    expect((await fetch(`${rookery.console.linkUrl}/healthz`)).status).toBe(200)
  })

  it('says goodbye when the console stops', async () => {
    const rookery = await openTestConsole()
    const bird = await enrolledBird(rookery)
    const restarted = rookery.restart()
    await bird.receives('GOODBYE')
    await bird.closed
    await restarted
  })

  it('writes the heartbeats of many Birds in one transaction a second', async () => {
    const rookery = await openTestConsole()
    const birds = await Promise.all(Array.from({ length: 20 }, () => enrolledBird(rookery)))
    const { writer } = rookery.console.base
    // The first request marks its key as used: a write of its own.
    await rookery.api.birdQueries.live()
    await writer.idle()
    let writes = 0
    const { transaction } = rookery.console.base.engine
    Object.assign(rookery.console.base.engine, {
      transaction: (...work: Parameters<typeof transaction>) => (writes++, transaction(...work)),
    })
    const before = Date.now()
    for (let round = 1; round <= 3; round++) {
      for (const bird of birds) bird.send(heartbeat({ uptimeS: 1000 * round }))
      for (const bird of birds) await bird.receives('HEARTBEAT_ACK', round)
    }
    await expect
      .poll(async () => (await rookery.api.birdQueries.live()).devices)
      .toSatisfy(
        (devices: { uptime: number }[]) =>
          devices.length === 20 && devices.every(({ uptime }) => uptime >= 3000),
      )
    // One at each end of the time, and what else the console writes now and then; not one for each of 60 heartbeats.
    expect(writes).toBeLessThanOrEqual(Math.ceil((Date.now() - before) / 1000) + 2)
  })
})
