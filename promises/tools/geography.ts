// Databases of addresses: read as the library of their inventor reads them, and shown in events.
import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { GEO_WANTED, geoInfoOf } from '../../packages/console/src/flows/ip-facts/geo-info.ts'
import { readAddress } from '../../packages/console/src/addresses/address-set.ts'
import { openDatabase } from '../../packages/console/src/flows/ip-facts/mmdb/database.ts'
import { Float, writeDatabase, type Value } from '../../packages/console/test/mmdb-writer.ts'
import { startConsole } from '../rig/scenes/console.ts'
import { run } from './lib/command.ts'
import { incidentWith } from './lib/incidents.ts'
import type { Proof } from './lib/proof.ts'
import { plant } from './tokens/token-proof.ts'

const NETWORKS = 60

/** Networks of both families, each with a city of its own. */
const world = (): Record<string, Value> =>
  Object.fromEntries(
    Array.from({ length: NETWORKS }, (_, n): [string, Value] => [
      n % 2 === 0 ? `127.${n}.0.0/${16 + (n % 5)}` : `2001:db8:${n.toString(16)}::/${48 + n}`,
      {
        city: { names: { de: `Stadt ${n}`, en: `City ${n}` } },
        country: { iso_code: 'DE', names: { en: 'Germany' } },
        location: { latitude: new Float(n + 0.5), longitude: new Float(-n), time_zone: 'Europe/Berlin' },
      },
    ]),
  )

/** The value as the tool prints it, without its type. */
async function asked(file: string, address: string, ...path: string[]): Promise<string | undefined> {
  const { stdout } = await run('mmdblookup', ['--file', file, '--ip', address, ...path])
  return /^\s*"?(.*?)"? <\w+>\s*$/m.exec(stdout)?.[1]
}

const proof: Proof = {
  title: 'databases of addresses say what mmdblookup says of them, and events of touches say it, too',
  packages: ['mmdb-bin', 'curl'],
  needs: ['mmdblookup', 'curl'],
  isIsolated: true,
  limitMs: 120_000,
  async prove({ folder, say }) {
    for (const recordBits of [24, 28, 32] as const) {
      const file = join(folder, `${recordBits}.mmdb`)
      writeFileSync(file, writeDatabase(world(), { recordBits }))
      const database = await openDatabase(file)
      let found = 0
      for (let n = 0; n < NETWORKS; n++)
        for (const address of [`127.${n}.0.7`, `2001:db8:${n.toString(16)}::7`]) {
          const { city, loc } = geoInfoOf(
            (await database.lookUp(readAddress(address) ?? 0, GEO_WANTED)) ?? {},
          )
          assert.equal(city, await asked(file, address, 'city', 'names', 'en'), address)
          const latitude = await asked(file, address, 'location', 'latitude')
          assert.equal(Number(loc?.split(',')[0]), Number(latitude), address)
          if (city !== undefined) found++
        }
      await database.close()
      assert.ok(found >= NETWORKS)
      say(
        `records of ${recordBits} bits: ${2 * NETWORKS} addresses, ${found} of them known, as mmdblookup says`,
      )
    }

    const [dataDir, file, exits] = ['data', '28.mmdb', 'exits'].map((name) => join(folder, name)) as [
      string,
      string,
      string,
    ]
    mkdirSync(dataDir)
    writeFileSync(exits, '127.2.0.7\n')
    const console = await startConsole({
      dataDir,
      env: { ROOKERY_GEO_DB: file, ROOKERY_TOR_EXITS: exits },
    })
    const deps = { console, folder, resolverPort: 0 }
    const firing = {
      kind: 'http',
      program: 'curl',
      needs: [],
      logtype: '17000',
      fire: () => Promise.reject(),
    }
    const { id, url } = await plant(firing, deps)
    await run('curl', ['-s', '--interface', '127.2.0.7', '-o', '/dev/null', url])
    const { description } = await incidentWith(console, '17000', { is_tor_relay: true }, id)
    const city = await asked(file, '127.2.0.7', 'city', 'names', 'en')
    assert.deepEqual(
      description.events.map((event) => (event['geo_info'] as { city?: string }).city),
      [city],
    )
    await console.stop()
    say(`a touch from 127.2.0.7 is from ${city}, by the event and by mmdblookup`)
  },
}

export default proof
