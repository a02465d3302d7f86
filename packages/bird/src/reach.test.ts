import { expect, it } from 'vitest'
import { decoyAddresses, ownAddress, reachOf } from './reach.ts'

const entry = (address: string, internal: boolean, scopeid = 0) => ({
  address,
  internal,
  netmask: '',
  mac: '',
  cidr: null,
  ...(address.includes(':') ? { family: 'IPv6' as const, scopeid } : { family: 'IPv4' as const }),
})
const machine = {
  lo: [entry('127.0.0.1', true), entry('::1', true)],
  eth0: [entry('10.0.0.5', false), entry('fe80::5', false, 2), entry('fd00::5', false)],
}

it.each([
  ['0.0.0.0', ['10.0.0.5'], 'network'],
  ['::', ['10.0.0.5', 'fd00::5'], 'network'],
  ['10.0.0.5', ['10.0.0.5'], 'network'],
  ['127.0.0.1', ['127.0.0.1'], 'own-machine'],
  ['127.9.9.9', ['127.9.9.9'], 'own-machine'],
  ['::1', ['::1'], 'own-machine'],
])('decoys on %s can be touched at the addresses %j', (bind, addresses, reach) => {
  expect([decoyAddresses(bind, machine), reachOf(bind, machine)]).toEqual([addresses, reach])
})

it('decoys of a machine without a network can be touched by it alone', () => {
  const { lo } = machine
  expect([decoyAddresses('0.0.0.0', { lo }), reachOf('0.0.0.0', { lo })]).toEqual([
    ['127.0.0.1'],
    'own-machine',
  ])
})

it.each([
  ['0.0.0.0', '127.0.0.1', '10.0.0.5'],
  ['::', '::ffff:127.0.0.1', '10.0.0.5'],
  ['10.0.0.5', '127.0.0.1', '10.0.0.5'],
  ['::', 'fd00::5', 'fd00::5'],
  ['127.0.0.1', '127.0.0.1', '127.0.0.1'],
  ['127.0.0.1', '10.0.0.5', '10.0.0.5'],
])('a Bird that listens on %s and reaches its console from %s is known as %s', (bind, link, own) => {
  expect(ownAddress(bind, link, machine)).toBe(own)
})
