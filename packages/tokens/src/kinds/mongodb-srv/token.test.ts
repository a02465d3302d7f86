import { describe, expect, it } from 'vitest'
import { forgeFile } from '../../../test/forge-file.ts'
import type { DnsVisit } from '../../channels/dns/visit.ts'
import { amendmentOf, describeVisit } from '../../token.ts'
import forge from './forge.ts'
import mongodb from './token.ts'

const HOST = 'abc.t.example'
const settings = { mongodb_database: 'app' }

const asked = (labels: readonly string[], qtype = 'SRV'): DnsVisit => ({
  channel: 'dns',
  qname: [...labels, HOST].join('.'),
  qtype,
  labels,
  isNx: false,
  network: '192.0.2.0/24',
  srcHost: '192.0.2.7',
  dstPort: 53,
  headers: {},
})
const DRIVER = ['_mongodb', '_tcp']

describe('the mongodb-srv kind', () => {
  it('plants a connection string that a driver takes', async () => {
    const { filename, bytes } = await forgeFile(forge, { settings })
    const text = Buffer.from(bytes).toString()
    expect(filename).toBe('.env')
    const uri = new URL(/^MONGODB_URI=(.*)$/m.exec(text)?.[1] ?? '')
    expect([uri.protocol, uri.hostname, uri.pathname]).toEqual(['mongodb+srv:', HOST, '/app'])
    expect([uri.username, uri.password]).toEqual([
      expect.stringMatching(/^\w+$/),
      expect.stringMatching(/^\w{16}$/),
    ])
  })

  it('fires by any look-up, and says when a driver makes it', () => {
    expect(describeVisit(mongodb, asked(DRIVER), settings, 0)).toEqual({
      qtype: 'SRV',
      qname: `_mongodb._tcp.${HOST}`,
      by_driver: true,
      src_host_is_resolver: true,
    })
    expect(describeVisit(mongodb, asked([], 'A'), settings, 0)).toMatchObject({ by_driver: false })
    expect(amendmentOf(mongodb, asked(['_tcp'], 'A'), settings)).toBeUndefined()
    expect(amendmentOf(mongodb, asked(DRIVER), settings)).toMatchObject({ by_driver: true })
  })

  it('has no cluster: the name that drivers ask for does not exist, the others do', () => {
    const answer = (labels: readonly string[]) => mongodb.on.dns?.answer?.(asked(labels), settings)
    expect(answer(DRIVER)).toBe('no-such-name')
    for (const labels of [[], ['_tcp'], ['x', ...DRIVER]]) expect(answer(labels)).toBe('addresses')
  })
})
