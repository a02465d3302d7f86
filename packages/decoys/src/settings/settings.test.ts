import { expect, test } from 'vitest'
import { descriptor as ftp } from '../services/ftp/descriptor.ts'
import { descriptor as http } from '../services/http/descriptor.ts'
import { descriptor as redis } from '../services/redis/descriptor.ts'
import { defaultSettings } from '../../test/default-settings.ts'
import { checkSettings } from './settings.ts'

const services = [ftp, http, redis]
const check = (change: Record<string, unknown>) =>
  checkSettings(services, { ...defaultSettings(services), 'device.name': 'nas-1', ...change })

test('the default settings of a Bird can be applied, with every service on too', () => {
  expect(check({})).toEqual({})
  expect(check({ 'ftp.enabled': true, 'http.enabled': true, 'redis.enabled': true })).toEqual({})
  expect(defaultSettings(services, { 'device.name': 'nas-1' })).toMatchObject({
    'device.name': 'nas-1',
    'http.port': 80,
  })
})

test.each([
  [{ 'http.port': '80' }, { 'http.port': 'must be a number from 1 to 65535, not "80"' }],
  [{ 'http.port': 0 }, { 'http.port': 'must be a number from 1 to 65535, not 0' }],
  [{ 'http.enabled': 'yes' }, { 'http.enabled': 'must be true or false, not "yes"' }],
  [
    { 'http.skin': 'toaster' },
    {
      'http.skin':
        'must be one of nas, router, printer, portal, apache-default, nginx-default, iis-default, basic-auth, not "toaster"',
    },
  ],
  [
    { 'ftp.banner': 'x'.repeat(300) },
    { 'ftp.banner': expect.stringMatching(/^must be a text of at most 200 characters, not "x+…$/) as string },
  ],
  [{ 'http.headers': { a: 1 } }, { 'http.headers': 'must be an object of texts by name, not {"a":1}' }],
  [{ 'firewall.rulelist': {} }, { 'firewall.rulelist': 'must be a list of objects, not {}' }],
  [
    { 'firewall.rulelist': [{ port: 22 }] },
    { 'firewall.rulelist': 'must be a list of objects, each with port, rule, source, not [{"port":22}]' },
  ],
  [{ 'firewall.rulelist': [{ port: 22, rule: 'deny', source: '192.0.2.0/24' }] }, {}],
  [
    { 'ftp.banner': 'a\r\nb' },
    { 'ftp.banner': 'must be one line of printable ASCII characters, not "a\\r\\nb"' },
  ],
  [
    { 'http.headers': { 'X A': '1' } },
    {
      'http.headers':
        'must be an object whose names are each a header field name of at most 100 characters, not {"X A":"1"}',
    },
  ],
  [
    { 'http.headers': { 'X-A': '1\r\n' } },
    {
      'http.headers':
        'must be an object whose values are each one line of printable ASCII characters, not {"X-A":"1\\r\\n"}',
    },
  ],
  [{ 'device.name': ' ' }, { 'device.name': 'must be one line that is not blank, not " "' }],
  [
    { 'device.gw': '192.0.2.256' },
    { 'device.gw': 'must be an IP address such as 192.0.2.7, or empty, not "192.0.2.256"' },
  ],
  [{ 'device.gw': '192.0.2.25', 'device.dns1': '2001:db8::53', 'device.netmask': '255.255.255.0' }, {}],
  [{ 'gopher.enabled': true }, { 'gopher.enabled': 'is no setting' }],
  [
    { 'ftp.enabled': true, 'http.enabled': true, 'ftp.port': 80 },
    {
      'ftp.port': 'port 80 is also taken by http.port; give each a port of its own',
      'http.port': 'port 80 is also taken by ftp.port; give each a port of its own',
    },
  ],
  [{ 'ftp.enabled': false, 'http.enabled': true, 'ftp.port': 80 }, {}],
])('%j is refused by key', (change, reasons) => {
  expect(check(change)).toEqual(reasons)
})

test('a missing key is named, unless it is optional', () => {
  const { 'http.port': _, ...rest } = defaultSettings(services, { 'device.name': 'nas-1' })
  expect(checkSettings(services, rest)).toEqual({ 'http.port': 'is missing' })
  expect(checkSettings(services, rest, { optional: new Set(['http.port']) })).toEqual({})
})

test('an integer is whole and within its range', () => {
  const beeps = { type: 'integer', default: 2, minimum: 1, maximum: 9, title: 'Beeps' } as const
  const pager = { ...ftp, service: 'pager', settings: { 'pager.beeps': beeps } }
  const at = (value: unknown) =>
    checkSettings([pager], { ...defaultSettings([pager], { 'device.name': 'nas' }), 'pager.beeps': value })
  expect([at(1), at(9)]).toEqual([{}, {}])
  for (const wrong of [0, 10, 1.5, '2', null, true])
    expect(at(wrong)).toEqual({
      'pager.beeps': `must be a whole number from 1 to 9, not ${JSON.stringify(wrong)}`,
    })
})

test('a key of a later release than the Bird is refused, and may be missing', () => {
  const later = {
    ...ftp,
    service: 'smb',
    since: '3.2.0',
    settings: {
      'smb.enabled': ftp.settings['ftp.enabled'],
      'smb.mode': { ...ftp.settings['ftp.banner'], since: '3.10.1' },
    },
  }
  const settings = defaultSettings([later], { 'device.name': 'nas' })
  const at = (version: string, given = settings) => checkSettings([later], given, { version })
  expect(at('3.1.9')).toEqual({
    'smb.enabled': 'needs Bird 3.2.0; this one is 3.1.9',
    'smb.mode': 'needs Bird 3.10.1; this one is 3.1.9',
  })
  expect(at('3.10.0-beta')).toEqual({ 'smb.mode': 'needs Bird 3.10.1; this one is 3.10.0-beta' })
  expect([at('3.10.1'), at('4.0.0'), at('')]).toEqual([{}, {}, {}])
  const { 'smb.enabled': _enabled, 'smb.mode': _mode, ...old } = settings
  expect(at('3.1.9', old)).toEqual({})
  expect(at('3.2.0', old)).toEqual({ 'smb.enabled': 'is missing' })
})

test('a port that a service opens besides those of its settings clashes, too', () => {
  const smb = {
    ...ftp,
    service: 'smb',
    portsBesides: [
      { transport: 'tcp', port: 139 },
      { transport: 'udp', port: 21 },
    ] as const,
    settings: { 'smb.enabled': ftp.settings['ftp.enabled'] },
  }
  const both = { 'ftp.enabled': true, 'smb.enabled': true, 'device.name': 'nas' }
  const at = (port: number) =>
    checkSettings([ftp, smb], defaultSettings([ftp, smb], { ...both, 'ftp.port': port }))
  expect(Object.keys(at(139)).sort()).toEqual(['ftp.port', 'smb.enabled'])
  expect(at(21)).toEqual({})
})

test('a key that every JavaScript object has is still unknown', () => {
  const hostile = JSON.parse('{"__proto__": 1, "constructor": 2}') as Record<string, unknown>
  const reasons = checkSettings(
    services,
    Object.assign(
      Object.create(null) as Record<string, unknown>,
      defaultSettings(services),
      { constructor: 2 },
      { ...hostile },
    ),
  )
  expect(Object.getOwnPropertyDescriptor(reasons, 'constructor')?.value).toBe('is no setting')
})
