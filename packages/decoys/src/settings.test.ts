import { expect, test } from 'vitest'
import { descriptor as ftp } from './services/ftp/descriptor.ts'
import { descriptor as http } from './services/http/descriptor.ts'
import { descriptor as redis } from './services/redis/descriptor.ts'
import { checkSettings, defaultSettings } from './settings.ts'

const services = [ftp, http, redis]
const check = (change: Record<string, unknown>) =>
  checkSettings(services, { ...defaultSettings(services), ...change })

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
  [{ 'http.skin': 'toaster' }, { 'http.skin': 'must be one of nas, not "toaster"' }],
  [
    { 'ftp.banner': 'x'.repeat(300) },
    { 'ftp.banner': expect.stringMatching(/^must be a text of at most 200 characters, not "x+…$/) as string },
  ],
  [{ 'http.headers': { a: 1 } }, { 'http.headers': 'must be an object of texts by name, not {"a":1}' }],
  [{ 'firewall.rulelist': {} }, { 'firewall.rulelist': 'must be a list of objects, not {}' }],
  [{ 'gopher.enabled': true }, { 'gopher.enabled': 'is no setting' }],
  [
    { 'ftp.enabled': true, 'http.enabled': true, 'ftp.port': 80 },
    { 'http.port': 'port 80 is already taken by ftp.port' },
  ],
  [{ 'ftp.enabled': false, 'http.enabled': true, 'ftp.port': 80 }, {}],
])('%j is refused by key', (change, reasons) => {
  expect(check(change)).toEqual(reasons)
})

test('a missing key is named, unless it is optional', () => {
  const { 'http.port': _, ...rest } = defaultSettings(services)
  expect(checkSettings(services, rest)).toEqual({ 'http.port': 'is missing' })
  expect(checkSettings(services, rest, ['http.port'])).toEqual({})
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
