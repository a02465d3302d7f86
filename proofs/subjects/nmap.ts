// Nmap names the product and version that the settings of each decoy claim, on the ports where such servers stand.
import assert from 'node:assert/strict'
import { run } from '../lib/command.ts'
import { HOST, startProduct } from '../lib/product.ts'
import type { Proof } from '../proof.ts'

const PORTS = [21, 22, 80, 6379] as const

/** What a Bird's settings claim, as nmap should print it. */
function claims(settings: Readonly<Record<string, unknown>>): Record<(typeof PORTS)[number], string> {
  const [, ftp] = /\(vsFTPd ([\d.]+)\)/.exec(String(settings['ftp.banner'])) ?? []
  const [, ssh, system] = /^OpenSSH_(\S+) (.*)$/.exec(String(settings['ssh.version'])) ?? []
  const [, web, under] = /^Apache\/([\d.]+) \((\w+)\)$/.exec(String(settings['http.banner'])) ?? []
  const distribution = /^(Debian|Ubuntu)-(.*)$/.exec(system ?? '')
  return {
    21: `vsftpd ${ftp}`,
    22:
      distribution?.[1] === 'Debian'
        ? `OpenSSH ${ssh} Debian ${distribution[2]} (protocol 2.0)`
        : `OpenSSH ${ssh} ${system} (Ubuntu Linux; protocol 2.0)`,
    80: `Apache httpd ${web} ((${under}))`,
    6379: 'Redis key-value store',
  }
}

const proof: Proof = {
  title: 'nmap -sV names the product and version that each decoy claims, and no honeypot',
  needs: ['nmap'],
  isIsolated: true,
  limitMs: 180_000,
  async prove({ folder, say }) {
    const { console, nodeId } = await startProduct(folder, { ROOKERY_BIRD_PORT_OFFSET: '0' })
    const { json } = await console.get('/device/info', { node_id: nodeId, settings: true })
    const { settings } = json['device'] as { settings: Readonly<Record<string, unknown>> }
    const claimed = claims(settings)
    const { stdout, stderr, code } = await run('nmap', ['-Pn', '-n', '-sV', '-p', PORTS.join(','), HOST], {
      patienceMs: 170_000,
    })
    assert.equal(code, 0, stderr)
    for (const port of PORTS) {
      const line =
        stdout.split('\n').find((it) => it.startsWith(`${port}/tcp`)) ?? `${port}/tcp is not listed`
      say(line)
      assert.match(line, /^\d+\/tcp\s+open /)
      assert.ok(line.includes(claimed[port]), `${line} does not say ${claimed[port]}.`)
    }
    assert.doesNotMatch(stdout, /honeypot|honeyd|cowrie|kippo|dionaea|canary/i)
    assert.doesNotMatch(stdout, /unrecognized despite returning data/)
    await console.stop()
  },
}

export default proof
