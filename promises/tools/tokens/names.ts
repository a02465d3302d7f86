// Kinds that are host names.
import assert from 'node:assert/strict'
import { dig } from '../lib/dig.ts'
import type { TokenProof } from './token-proof.ts'

export const names: readonly TokenProof[] = [
  {
    kind: 'dns',
    program: 'dig',
    needs: ['dig'],
    logtype: '16000',
    async fire({ hostname }, { console }) {
      const { stdout } = await dig(console.dnsPort, hostname, 'A')
      assert.equal(stdout, '127.0.0.1\n')
      return { qtype: 'A', qname: hostname, event_name: 'DNS A', dst_port: 53, src_host_is_resolver: true }
    },
  },
  {
    kind: 'dns',
    program: 'dig +tcp',
    needs: ['dig'],
    logtype: '16000',
    async fire({ hostname }, { console }) {
      await dig(console.dnsPort, '+tcp', '+subnet=198.51.100.0/24', hostname, 'AAAA')
      return { qtype: 'AAAA', qname: hostname, client_subnet: '198.51.100.0/24' }
    },
  },
  {
    kind: 'dns',
    program: 'dig through unbound',
    needs: ['dig', 'unbound'],
    logtype: '16000',
    async fire({ hostname }, { resolverPort }) {
      // "root@db1" in base32, in two labels.
      const name = `ojxw65ca.mrrdc.G42.${hostname}`
      const { stdout } = await dig(resolverPort, name, 'A')
      assert.equal(stdout, '127.0.0.1\n')
      return { data: 'root@db1', qname: name.toLowerCase() }
    },
  },
]
