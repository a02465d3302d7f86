// The decoy https next to Debian's Apache: scanners of TLS and web clients print the same, but for the certificate.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { REAL_HOST } from '../../packages/decoys/test/real-server.ts'
import { realServers, startProgram, startRealServer } from '../../packages/decoys/test/real-servers.ts'
import { run } from '../lib/command.ts'
import type { Proof } from '../proof.ts'

const OUR_HOST = '127.0.0.1'
const SERVE = join(import.meta.dirname, '../../packages/decoys/test/serve.ts')

/** What a certificate, an address, a clock or the time of a scan makes differ. */
const OWN =
  /^(Connected to|Testing SSL server|Subject:|Altnames:|Issuer:|Not valid|\| ?_?ssl-cert:|\| ?_?Subject Alternative|\|_?\s*Not valid|Nmap |Starting |Host is|Date:)/

interface Row {
  readonly tool: string
  readonly args: (host: string) => readonly string[]
}

const ROWS: readonly Row[] = [
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
  title: 'sslscan, nmap and curl print of the decoy https what they print of Apache, but for its certificate',
  packages: ['apache2', 'sslscan', 'nmap', 'curl'],
  needs: ['apache2', 'sslscan', 'nmap', 'curl', 'openssl'],
  isIsolated: true,
  limitMs: 600_000,
  async prove({ folder, say }) {
    const server = realServers.find(({ service }) => service === 'https')
    assert(server)
    const real = await startRealServer(server, folder)
    const ours = await startProgram(
      process.execPath,
      [SERVE, 'https.enabled=true'],
      { ...process.env, DECOYS_QUIET: '1', DECOYS_BIND: OUR_HOST },
      { host: OUR_HOST, port: 443 },
    )
    for (const { tool, args } of ROWS) {
      const [theirs, answer] = await Promise.all(
        [REAL_HOST, OUR_HOST].map((host) => printed(tool, args(host), host)),
      )
      assert.equal(answer, theirs)
      say(`${tool} ${args('HOST').join(' ')}: ${answer!.split('\n').length} lines, equal`)
    }
    await ours.stop()
    await real.stop()
  },
}

/** The lines that do not speak of the certificate, the address or the time; nmap's scripts end in any order. */
async function printed(tool: string, args: readonly string[], host: string): Promise<string> {
  const { stdout } = await run(tool, args, { patienceMs: 200_000 })
  assert.notEqual(stdout, '', `${tool} printed nothing of ${host}`)
  const lines = stdout.split('\n').filter((line) => !OWN.test(line.trim()))
  const inOrder = tool === 'nmap' ? lines.map((line) => line.replace(/^\|_/, '| ')).sort() : lines
  return inOrder.join('\n').replaceAll(host, 'HOST')
}

export default proof
