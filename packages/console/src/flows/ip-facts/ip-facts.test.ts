import { renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pino } from 'pino'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openBackground } from '../../background/background.ts'
import { manualClock } from '../../../test/manual-clock.ts'
import { Float, writeDatabase } from '../../../test/mmdb-writer.ts'
import { ownFolder } from '../../../test/own-folder.ts'
import { systemWorld } from '../../world/system.ts'
import { openIpFacts } from './ip-facts.ts'
import { readTorExits } from './tor-exits.ts'

const CITIES = writeDatabase({
  '192.0.2.0/24': {
    city: { names: { en: 'Berlin' } },
    country: { iso_code: 'DE', names: { en: 'Germany' } },
    location: { latitude: new Float(52.52437), longitude: new Float(13.4), time_zone: 'Europe/Berlin' },
    subdivisions: [{ names: { en: 'State of Berlin' } }],
  },
  '198.51.100.0/24': { country: 'FR', city: '\u202e Par\u0000is', timezone: 'Europe/Paris', asn: 'AS64501' },
  '203.0.113.0/24': { location: { latitude: new Float(91), longitude: new Float(NaN) }, country: {} },
})
const NETWORKS = writeDatabase({
  '192.0.2.0/25': { autonomous_system_number: 64_500, autonomous_system_organization: 'Example Net' },
})
const BERLIN = {
  country: 'DE',
  country_name: 'Germany',
  region: 'State of Berlin',
  city: 'Berlin',
  loc: '52.5244,13.4',
  timezone: 'Europe/Berlin',
}

function open(files: Readonly<Record<string, string | Buffer>>) {
  const folder = ownFolder()
  const path = (name: string): string => join(folder, name)
  for (const [name, content] of Object.entries(files)) writeFileSync(path(name), content)
  const lines: string[] = []
  const log = pino({ base: null }, { write: (line: string) => lines.push(line.replaceAll(folder, '')) })
  const clock = manualClock()
  const world = { ...systemWorld({ send: () => Promise.reject(new Error('nobody is asked')) }), clock }
  const facts = openIpFacts(
    { geoDatabases: ['cities', 'networks'].map(path), torExits: path('exits') },
    { world, log, background: openBackground(clock) },
  )
  if (!facts) throw new Error('no file is named')
  onTestFinished(() => facts.stop())
  return {
    facts,
    clock,
    path,
    /** Warnings and errors, by their words. */
    said: () =>
      lines
        .map((line) => JSON.parse(line) as { level: number; msg: string; path: string; err?: Error })
        .filter(({ level }) => level > 30)
        .map(({ msg, path, err }) => `${path}: ${err?.message}: ${msg}`),
  }
}

describe('what files say of an address', () => {
  const files = { cities: CITIES, networks: NETWORKS, exits: '# exits\n192.0.2.7\n\n2001:db8::7\n' }

  it('comes of all of them, and then from memory', async () => {
    const { facts, said } = open(files)
    expect(facts.known('192.0.2.7')).toBeUndefined()
    const found = { geo_info: { ...BERLIN, org: 'AS64500 Example Net' }, is_tor_relay: true }
    expect(await facts.lookUp('::ffff:192.0.2.7')).toEqual(found)
    expect(await facts.lookUp('192.0.2.7')).toEqual(found)
    expect(facts.known('192.0.2.7')).toEqual(found)
    expect(await facts.lookUp('192.0.2.200')).toEqual({ geo_info: BERLIN })
    expect(await facts.lookUp('2001:db8::7')).toEqual({ is_tor_relay: true })
    for (const unknown of ['10.0.0.1', 'many sources', '', '203.0.113.9'])
      expect(await facts.lookUp(unknown)).toEqual({})
    expect(said()).toEqual([])
  })

  it('is read in the shapes of other makers, without characters that act', async () => {
    const { facts } = open(files)
    expect(await facts.lookUp('198.51.100.1')).toEqual({
      geo_info: { country: 'FR', city: 'Paris', timezone: 'Europe/Paris', org: 'AS64501' },
    })
  })

  it('is read again once a file is another one', async () => {
    const { facts, clock, path } = open(files)
    await facts.lookUp('192.0.2.7')
    writeFileSync(path('new'), writeDatabase({ '192.0.2.0/24': { country: { iso_code: 'FR' } } }))
    renameSync(path('new'), path('cities'))
    expect(facts.known('192.0.2.7')).toMatchObject({ geo_info: { country: 'DE' } })
    clock.advance(10_000)
    expect(facts.known('192.0.2.7')).toBeUndefined()
    expect(await facts.lookUp('192.0.2.7')).toEqual({
      geo_info: { country: 'FR', org: 'AS64500 Example Net' },
      is_tor_relay: true,
    })
  })

  it('is of the new file for who asks while the old one is replaced', async () => {
    const { facts, clock, path, said } = open(files)
    await facts.lookUp('192.0.2.1')
    writeFileSync(path('new'), writeDatabase({ '192.0.2.0/24': { country: { iso_code: 'FR' } } }))
    renameSync(path('new'), path('cities'))
    const asked = Array.from({ length: 60 }, (_, n) => facts.lookUp(`192.0.2.${n + 130}`))
    clock.advance(10_000)
    for (const found of await Promise.all(asked)) expect(found).toEqual({ geo_info: { country: 'FR' } })
    expect(said()).toEqual([])
  })

  it('is left out of a file that cannot be used, which is said once, until it can', async () => {
    const { facts, clock, path, said } = open({ ...files, cities: CITIES.subarray(0, 900), exits: 'a page' })
    for (const address of ['192.0.2.7', '192.0.2.8'])
      expect(await facts.lookUp(address)).toEqual({ geo_info: { org: 'AS64500 Example Net' } })
    const reason = 'is no MaxMind DB, or it is cut: it has no metadata at its end'
    expect(said()).toEqual([
      `/cities: ${reason}: geography database cannot be used; events lack what it would say`,
      '/exits: has in line 1 "a page", which is no IP address: list of Tor exits cannot be used; events do not say who comes from Tor',
    ])
    clock.advance(60_000)
    await facts.lookUp('192.0.2.9')
    expect(said()).toHaveLength(2)
    writeFileSync(path('cities'), CITIES)
    clock.advance(10_000)
    expect(await facts.lookUp('192.0.2.200')).toEqual({ geo_info: BERLIN })
  })

  it('is not kept where a record cannot be read, and the file is named once', async () => {
    const damaged = Buffer.from(CITIES)
    damaged.fill(0xff, damaged.indexOf('city') - 1, damaged.indexOf('Berlin'))
    const { facts, said } = open({ ...files, cities: damaged })
    for (const _ of [1, 2, 3]) {
      expect(await facts.lookUp('192.0.2.7')).toMatchObject({ geo_info: { org: 'AS64500 Example Net' } })
      expect(facts.known('192.0.2.7')).toBeUndefined()
    }
    expect(said()).toEqual([expect.stringMatching(/^\/cities: has a .*: geography database cannot be used/)])
  })

  it('is nothing where every file is missing', async () => {
    const { facts, said } = open({})
    expect(await facts.lookUp('192.0.2.7')).toEqual({})
    expect(said().map((line) => line.split(',')[0])).toEqual([
      '/cities: ENOENT: no such file or directory',
      '/networks: ENOENT: no such file or directory',
      '/exits: ENOENT: no such file or directory',
    ])
  })
})

it('a list of Tor exits is read as the Tor Project writes it, in both forms', () => {
  const list = `@type tordnsel 1.0\nDownloaded 2026-11-23 00:02:00\nExitNode 0011BD2485AD45D984EC4159C88FC066E5E3300E
Published 2026-11-22 10:27:56\nLastStatus 2026-11-22 13:00:00\nExitAddress 192.0.2.7 2026-11-22 13:05:00\r\n`
  expect(readTorExits(list).addresses.has(0xc0000207)).toBe(true)
  expect(readTorExits('192.0.2.7\n2001:db8::1\n').count).toBe(2)
  expect(() => readTorExits('<html>')).toThrow('has in line 1 "<html>", which is no IP address')
  expect(() => readTorExits('# nothing\n')).toThrow('has no IP address')
})
