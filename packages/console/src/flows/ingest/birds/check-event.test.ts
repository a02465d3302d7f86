import { describe, expect, it } from 'vitest'
import { sshLogin } from '../../../../test/touches.ts'
import type { Touch } from '@rookery/kernel/touch.ts'
import { checkBirdEvent } from './check-event.ts'

const DAY = 86_400_000
const REGISTERED = Date.parse('2026-11-01T00:00:00Z')
const NOW = REGISTERED + 30 * DAY

const check = (change: Partial<Touch>, receivedAt = NOW) =>
  checkBirdEvent({ ...sshLogin().touch, at: NOW, ...change }, REGISTERED, receivedAt)
const hosts = (change: Partial<Touch>): unknown => {
  const checked = check(change)
  return 'touch' in checked ? [checked.touch.srcHost, checked.touch.dstHost] : checked.refused
}

describe('an event of a Bird', () => {
  it.each<readonly [string, string]>([
    ['4002', 'ssh'],
    ['2000', 'ftp'],
    ['3006', 'http'],
    ['3006', 'https'],
    ['21001', 'redis'],
    ['22001', 'rollback'],
    ['22002', 'decoys'],
    ['22003', 'telnet'],
    ['22003', 'ssh'],
    ['22004', 'spool'],
  ])('of logtype %s and instance %s is taken', (logtype, instance) => {
    expect(check({ logtype, instance })).toHaveProperty('touch')
  })

  it.each([
    ['of the console', '23001', 'ssh', 'logtype'],
    ['of liveness', '1004', 'ssh', 'logtype'],
    ['of a token', '17000', 'http', 'logtype'],
    ['of nothing', '424242', 'ssh', 'logtype'],
    ['of another service', '4002', 'redis', 'instance'],
    ['of a service that no settings have', '4002', 'ssh_2', 'instance'],
    ['of what is a part of a service', '5010', 'smb.guest', 'instance'],
    ['of the Bird, of another part of it', '22001', 'spool', 'instance'],
    ['of the Bird, of no part of it', '22002', 'decoys-17', 'instance'],
    ['of silence, at no decoy', '22003', 'spool', 'instance'],
  ])('%s is refused', (_, logtype, instance, refused) => {
    expect(check({ logtype, instance })).toEqual({ refused })
  })

  it.each([
    ['192.0.2.7', '10.0.0.5', ['192.0.2.7', '10.0.0.5']],
    ['::ffff:192.0.2.7', '::ffff:10.0.0.5', ['192.0.2.7', '10.0.0.5']],
    ['2001:DB8:0::7', '', ['2001:db8::7', '']],
    ['::ffff:c000:207', '::FFFF:a00:5', ['192.0.2.7', '10.0.0.5']],
    ['fe80::7%eth0', 'fe80::1', ['fe80::7', 'fe80::1']],
    ['', '10.0.0.5', 'address'],
    ['many sources', '10.0.0.5', 'address'],
    ['192.0.2.0/24', '10.0.0.5', 'address'],
    ['2001:db8::/64', '10.0.0.5', 'address'],
    ['192.0.2.7', 'nas.example.com', 'address'],
    ['x'.repeat(255), '10.0.0.5', 'address'],
  ])('from %s to %s has its addresses in one spelling, or is refused', (srcHost, dstHost, expected) => {
    expect(hosts({ srcHost, dstHost })).toEqual(expected)
  })

  it('of the Bird itself needs no source', () => {
    expect(hosts({ logtype: '22001', instance: 'rollback', srcHost: '' })).toEqual(['', '10.0.0.5'])
  })

  it('counts as of its reception when it lies more than seven days before the registration', () => {
    const first = REGISTERED - 7 * DAY
    const at = (touch: Partial<Touch>, receivedAt = NOW): number | undefined => {
      const checked = check(touch, receivedAt)
      return 'touch' in checked ? checked.touch.at : undefined
    }
    expect(at({ at: first })).toBe(first)
    expect(at({ at: first - 1 })).toBe(NOW)
    // The console's clock was set back.
    const before = REGISTERED - 400 * DAY
    expect(at({ at: before }, before)).toBe(before)
  })
})
