// The decoy https next to Debian's Apache, nginx and lighttpd: scanners and fingerprints of TLS and web clients say the same, but for the certificate.
import assert from 'node:assert/strict'
import { OUR_HOST, REAL_HOST } from '../../packages/decoys/test/real-server.ts'
import { nameOf, realServers, startRealServer } from '../../packages/decoys/test/real-servers.ts'
import { startDecoys } from '../../packages/decoys/test/start-decoys.ts'
import { fingerprintOf } from './lib/jarm.ts'
import { printedAlike, type ToolRun } from './lib/printed-alike.ts'
import type { Proof } from './lib/proof.ts'

const ROWS: readonly ToolRun[] = [
  { tool: 'sslscan', args: (host) => ['--no-colour', `${host}:443`] },
  { tool: 'nmap', args: (host) => ['-Pn', '-n', '-sV', '-sC', '-p', '443', host] },
  {
    tool: 'nmap',
    args: (host) => [
      '-Pn',
      '-n',
      '-p',
      '443',
      '--script',
      'ssl-enum-ciphers,tls-alpn,http-title,ssl-dh-params',
      host,
    ],
  },
  { tool: 'curl', args: (host) => ['-sk', '-D', '-', `https://${host}/`] },
  { tool: 'curl', args: (host) => ['-s', '-D', '-', `http://${host}:443/`] },
  { tool: 'curl', args: (host) => ['-sk', '--tls-max', '1.2', '--http2', '-I', `https://${host}/css`] },
]

const proof: Proof = {
  title:
    'sslscan, nmap, curl, JARM and JA3S say of the decoy https what they say of Apache, nginx and lighttpd, but for the certificate',
  packages: ['apache2', 'nginx', 'lighttpd', 'lighttpd-mod-openssl', 'sslscan', 'nmap', 'curl'],
  needs: ['apache2', 'nginx', 'lighttpd', 'sslscan', 'nmap', 'curl', 'openssl'],
  isIsolated: true,
  limitMs: 600_000,
  async prove({ folder, say }) {
    const servers = realServers.filter(({ service }) => service === 'https')
    assert.notEqual(servers.length, 0)
    for (const server of servers) {
      const real = await startRealServer(server, folder)
      const ours = await startDecoys(['https.enabled=true', ...(server.settings ?? [])], 443)
      for (const row of ROWS) {
        const lines = await printedAlike(row, REAL_HOST, OUR_HOST)
        say(`${nameOf(server)}, ${row.tool} ${row.args('HOST').join(' ')}: ${lines} lines, equal`)
      }
      const [theirs, answers] = await Promise.all(
        [REAL_HOST, OUR_HOST].map((host) => fingerprintOf(host, server.port)),
      )
      assert.deepEqual(answers, theirs)
      const refused = [...theirs!.ja3s.values()].filter((print) => print === 'refused').length
      assert.ok(refused < theirs!.ja3s.size, 'it refused every hello')
      say(`${nameOf(server)}, JARM ${theirs!.jarm}, equal`)
      say(`${nameOf(server)}, JA3S of ten hellos, ${refused} of them refused, equal`)
      await ours.stop()
      await real.stop()
    }
  },
}

export default proof
