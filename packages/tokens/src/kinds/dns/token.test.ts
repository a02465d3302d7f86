import { describe, expect, it } from 'vitest'
import type { DnsVisit } from '../../channels/dns/visit.ts'
import dns from './token.ts'

const visit = (labels: readonly string[], more: Partial<DnsVisit> = {}): DnsVisit => ({
  channel: 'dns',
  qname: [...labels, 'abc.t.example'].join('.'),
  qtype: 'A',
  labels,
  network: '192.0.2.0/24',
  isNx: false,
  srcHost: '192.0.2.7',
  dstPort: 53,
  headers: {},
  ...more,
})
const described = (...visits: Parameters<typeof visit>) => dns.on.dns?.describe?.(visit(...visits), {}, 0)

describe('the dns kind', () => {
  it('plants the host name', () => {
    const address = { tokenId: 'abc', url: 'http://t.example/abc', hostname: 'abc.t.example' }
    expect(dns.renders(address, {})).toEqual({ hostname: 'abc.t.example' })
  })

  it('shows the name, the type, and the network of the client where the resolver says it', () => {
    expect(described([])).toEqual({ qtype: 'A', qname: 'abc.t.example', src_host_is_resolver: true })
    expect(described(['www'], { qtype: 'AAAA', clientSubnet: '198.51.100.0/24' })).toEqual({
      qtype: 'AAAA',
      qname: 'www.abc.t.example',
      src_host_is_resolver: true,
      client_subnet: '198.51.100.0/24',
    })
  })

  it('shows the data in front of the name, over as many labels as it takes, whatever their case', () => {
    expect(described(['OjxW65CAMRRDC'.toLowerCase(), 'g42'])).toMatchObject({ data: 'root@db1' })
    expect(described(['ojxw65', 'camrrdc', 'g42'])).toMatchObject({ data: 'root@db1' })
  })

  it('adds a longer name to the event, with its data once they are whole', () => {
    const amended = (labels: readonly string[]) => dns.on.dns?.amend?.(visit(labels), {})
    expect(amended([])).toBeUndefined()
    expect(amended(['db1'])).toEqual({ qname: 'db1.abc.t.example' })
    expect(amended(['ojxw65camrrdc', 'g42'])).toEqual({
      qname: 'ojxw65camrrdc.g42.abc.t.example',
      data: 'root@db1',
    })
  })

  it('shows no data where the name has none, a part of it, or something else', () => {
    for (const labels of [
      ['g42'],
      ['ojxw65camrrdc'],
      ['ojxw65camrrdc', 'g4'],
      ['0189', 'g42'],
      ['74', 'g42'],
    ])
      expect(described(labels)).not.toHaveProperty('data')
  })
})
