import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { World } from '@rookery/kernel/world.ts'
import { manualClock } from '../../../test/manual-clock.ts'
import { writeDatabase } from '../../../test/mmdb-writer.ts'
import { ownFolder } from '../../../test/own-folder.ts'
import { addReceiver, FLOCK, loopbackOutbound, raiseIncident } from '../../../test/raise-incident.ts'
import { openReceiver } from '../../../test/receiver.ts'
import { engines, openTestConsole, type TestConsole } from '../../../test/test-console.ts'
import type { EngineName } from '../../db/query.ts'
import { addSourceFacts } from '../../stores/incidents/event-facts.store.ts'

const GERMANY = { country: 'DE', country_name: 'Germany', city: 'Berlin', org: 'AS64500 Example Net' }

async function openWithFiles(engine: EngineName, world: Partial<World> = {}): Promise<TestConsole> {
  const folder = ownFolder()
  const record = {
    country: { iso_code: 'DE', names: { en: 'Germany' } },
    city: { names: { en: 'Berlin' } },
    autonomous_system_number: 64_500,
    autonomous_system_organization: 'Example Net',
  }
  const database = writeDatabase({ '127.0.0.0/8': record, '192.0.2.0/24': record, '2001:db8::/32': record })
  writeFileSync(join(folder, 'geo.mmdb'), database)
  writeFileSync(join(folder, 'exits'), '192.0.2.66\n')
  return openTestConsole({
    engine,
    env: { ROOKERY_GEO_DB: join(folder, 'geo.mmdb'), ROOKERY_TOR_EXITS: join(folder, 'exits') },
    world: { outbound: loopbackOutbound(), ...world },
  })
}

const incidents = async ({ api }: TestConsole) => (await api.incidentQueries.all()).incidents

describe.each(engines)('an event (%s)', (engine) => {
  it('of a token says where its source is, the first one soon after the touch, the next at once', async () => {
    const rookery = await openWithFiles(engine)
    const { decoytoken } = await rookery.api.tokens.create({ kind: 'http', memo: 'x', flock_id: FLOCK })
    await fetch(decoytoken.url)
    await expect
      .poll(async () => (await incidents(rookery))[0]?.description.events)
      .toEqual([expect.objectContaining({ decoytoken: decoytoken.decoytoken, geo_info: GERMANY })])
    const [before] = await incidents(rookery)
    await fetch(decoytoken.url, { headers: { 'User-Agent': 'another' } })
    const [after] = await incidents(rookery)
    expect(after?.description.events).toEqual([
      expect.objectContaining({ geo_info: GERMANY }),
      expect.objectContaining({ geo_info: GERMANY, useragent: 'another' }),
    ])
    expect(after?.updated_id).toBeGreaterThan(before?.updated_id ?? Infinity)
  })

  it('of a Bird says it, too, each address of an IPv6 network its own; one that no file knows says nothing', async () => {
    const rookery = await openWithFiles(engine)
    for (const srcHost of ['192.0.2.66', '2001:db8::7', '2001:db8::8', '10.0.0.9'])
      await raiseIncident(rookery, { srcHost })
    const eventsBySource = async () =>
      Object.fromEntries(
        (await incidents(rookery)).map((it) => [it.description.src_host, it.description.events]),
      )
    await expect.poll(eventsBySource).toMatchObject({
      '192.0.2.66': [{ USERNAME: 'root', geo_info: GERMANY, is_tor_relay: true }],
      '2001:db8::7': [{ geo_info: GERMANY }, { geo_info: GERMANY, src_host: '2001:db8::8' }],
    })
    const [unknown] = (await eventsBySource())['10.0.0.9'] ?? []
    expect(Object.keys(unknown ?? {})).toEqual([
      'timestamp',
      'timestamp_std',
      'USERNAME',
      'PASSWORD',
      'dst_host',
    ])
  })

  it('has its place in its alert: the first alert of a source waits for it', async () => {
    // The half second for which an alert waits does not pass.
    const rookery = await openWithFiles(engine, { clock: manualClock() })
    const receiver = await openReceiver()
    await addReceiver(rookery, receiver.url)
    await raiseIncident(rookery, { srcHost: '192.0.2.66' })
    const [alert] = await receiver.tries(1)
    expect(alert?.json['AdditionalDetails']).toEqual([
      ['Source location', 'Berlin, Germany'],
      ['Source network', 'AS64500 Example Net'],
      ['Source is an exit of Tor', 'yes'],
      ['USERNAME', 'root'],
      ['PASSWORD', 'toor'],
    ])
  })

  it('is left as it is where it has these keys, is of another address, or of a deleted incident', async () => {
    const rookery = await openTestConsole({ engine })
    const { reader, writer } = rookery.console.base
    await raiseIncident(rookery, { srcHost: '2001:db8::7' })
    const stored = () =>
      reader
        .selectFrom('incident')
        .innerJoin('incident_event as e', 'e.incident_id', 'incident.incident_id')
        .select(['incident_key', 'agg_key', 'updated_id', 'received_at', 'body'])
        .executeTakeFirstOrThrow()
    const { agg_key: aggregationKey, received_at: receivedAt, incident_key } = await stored()
    const add = async (srcHost: string, country: string): Promise<string[]> => {
      const found = { aggregationKey, receivedAt, srcHost, facts: { geo_info: { country } } }
      const before = await stored()
      await writer.write((tx) => addSourceFacts(tx, [found], receivedAt))
      const after = await stored()
      expect(after.body === before.body).toBe(after.updated_id === before.updated_id)
      return after.body.match(/(?<="country":")[A-Z]{2}/g) ?? []
    }
    expect(await add('2001:db8::8', 'FR')).toEqual([])
    expect(await add('2001:db8::7', 'DE')).toEqual(['DE'])
    expect(await add('2001:db8::7', 'FR')).toEqual(['DE'])

    const gone = { incident: incident_key }
    await rookery.api.incidentActions.acknowledge(gone)
    await rookery.api.incidentActions.remove(gone)
    const facts = { is_tor_relay: true }
    const late = { aggregationKey, receivedAt, srcHost: '2001:db8::7', facts }
    const { updated_id } = await stored()
    await writer.write((tx) => addSourceFacts(tx, [late], receivedAt))
    expect((await stored()).updated_id).toBe(updated_id)
  })
})
