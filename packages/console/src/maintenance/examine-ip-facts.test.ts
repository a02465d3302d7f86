import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { writeDatabase } from '../../test/mmdb-writer.ts'
import { ownFolder } from '../../test/own-folder.ts'
import { readConfig } from '../config/config.ts'
import { examineIpFacts } from './examine-ip-facts.ts'

it('doctor says of each file of addresses what it is, or what is wrong with it', async () => {
  const folder = ownFolder()
  const database = writeDatabase(
    { '64.0.0.0/10': { country: { iso_code: 'US' } } },
    { type: 'GeoLite2-City' },
  )
  const damaged = Buffer.from(database)
  damaged.fill(0xff, damaged.indexOf('country') - 1, damaged.indexOf('US'))
  const files = { 'city.mmdb': database, 'cut.mmdb': database.subarray(0, 100), 'damaged.mmdb': damaged }
  const path = (name: string): string => join(folder, name)
  for (const [name, bytes] of Object.entries(files)) writeFileSync(path(name), bytes)
  writeFileSync(path('exits'), '192.0.2.7\n')
  const examine = async (env: Readonly<Record<string, string>>) =>
    (await examineIpFacts(readConfig(env))).map(({ ok, text }) => [ok, text.replaceAll(`${folder}/`, '')])

  expect(await examine({})).toEqual([])
  expect(
    await examine({
      ROOKERY_GEO_DB: [...Object.keys(files), 'absent.mmdb'].map(path).join(', '),
      ROOKERY_TOR_EXITS: path('exits'),
    }),
  ).toEqual([
    [true, 'city.mmdb is GeoLite2-City of 2026-11-01, 106 nodes'],
    [
      false,
      'ROOKERY_GEO_DB: cut.mmdb is no MaxMind DB, or it is cut: it has no metadata at its end: events lack what it would say',
    ],
    [
      false,
      'ROOKERY_GEO_DB: damaged.mmdb has a map with a key that is no text: events lack what it would say',
    ],
    [false, 'ROOKERY_GEO_DB: absent.mmdb cannot be read (ENOENT): events lack what it would say'],
    [true, 'exits names 1 exits of Tor'],
  ])
})
