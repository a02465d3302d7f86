// Which settings are refused, and which may stand together.
import { expect, it, test } from 'vitest'
import { describeService } from '../../settings/descriptor.ts'
import { descriptors } from '../../descriptors.gen.ts'
import type { BirdSettings } from '../../session/session.ts'
import { defaultSettings } from '../../../test/default-settings.ts'
import { checkSettings } from '../../settings/settings.ts'
import { descriptor } from './descriptor.ts'
import { VERSIONS, versionNamed } from './products/sql-server/profile.ts'

const check = (change: BirdSettings) =>
  checkSettings(
    descriptors,
    defaultSettings(descriptors, { 'device.name': 'db', 'dbsrv_a.enabled': true, ...change }),
  )

it.each<[BirdSettings, RegExp]>([
  [{ 'dbsrv_a.version': '2008' }, /^must be one of 2012, 2014, 2016, 2017, 2019, 2022/],
  [{ 'dbsrv_a.version': 2019 }, /^must be one of 2012/],
  [{ 'dbsrv_a.port': 0 }, /^must be a number from 1 to 65535/],
  [{ 'dbsrv_a.port': 3306, 'dbsrv_b.enabled': true }, /^port 3306 is also taken by dbsrv_b.port/],
  [{ 'dbsrv_a.enabled': 'yes' }, /^must be true or false/],
])('%j is refused', (change, reason) => {
  expect(check(change)[Object.keys(change)[0]!]).toMatch(reason)
})

test('each version stands together with the file share', () => {
  for (const { name } of VERSIONS) expect(check({ 'dbsrv_a.version': name, 'smb.enabled': true })).toEqual({})
  expect(descriptor.settings['dbsrv_a.version'].choices).toEqual(VERSIONS.map(({ name }) => name))
  expect(() => versionNamed('2008')).toThrow(/dbsrv_a.version is "2008"; it must be one of 2012,/)
})

test('the port of the browser service clashes with another service over UDP, and not with one over TCP', () => {
  const other = (transport: 'tcp' | 'udp') =>
    describeService({
      service: 'other',
      title: 'Other',
      transport,
      example: '{host} {port}',
      settings: {
        'other.enabled': { type: 'boolean', default: true, title: 'On' },
        'other.port': { type: 'port', default: 1434, title: 'Port' },
      },
      logtypes: [],
    })
  const reasonsWith = (transport: 'tcp' | 'udp') => {
    const all = [descriptor, other(transport)]
    return checkSettings(all, defaultSettings(all, { 'device.name': 'db', 'dbsrv_a.enabled': true }))
  }
  expect(reasonsWith('udp')['other.port']).toMatch(/^port 1434 is also taken by dbsrv_a.enabled/)
  expect(reasonsWith('tcp')).toEqual({})
})
