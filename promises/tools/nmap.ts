// nmap prints for each decoy the line that its descriptor gives, on the default ports, with all of them switched on.
import assert from 'node:assert/strict'
import { descriptors } from '@rookery/decoys/descriptors.gen.ts'
import { portKeysOf, switchesOf } from '@rookery/decoys/settings/instances.ts'
import { run } from './lib/command.ts'
import { listens } from './lib/listens.ts'
import { HOST, startProduct } from './lib/product.ts'
import type { Proof } from './lib/proof.ts'

/** With a share and a SQL Server the machine is a Windows, whose agent knows no users. */
const OF_WINDOWS: Readonly<Record<string, string>> = { snmp: '{port}/udp open snmp SNMPv1 server (public)' }

const claims = descriptors.flatMap((descriptor) => {
  const { transport, settings } = descriptor
  const scanLine = OF_WINDOWS[descriptor.service] ?? descriptor.scanLine
  if (scanLine === undefined) return []
  const port = String(settings[portKeysOf(descriptor)[0] ?? '']?.default)
  return { place: `${port}/${transport}`, transport, port, line: scanLine.replaceAll('{port}', port) }
})

/** nmap knows the protocol of these and no product, at the real server too. */
const nameless = claims.filter(({ line }) => /^\S+ open [a-z-]+$/.test(line)).map(({ port }) => port)

const everyService = Object.fromEntries(descriptors.flatMap(switchesOf).map((key) => [key, true]))

const proof: Proof = {
  title: 'nmap -sV names the product and version that each decoy claims, and no honeypot',
  needs: ['nmap'],
  isIsolated: true,
  limitMs: 450_000,
  async prove({ folder, say }) {
    const { console, nodeId } = await startProduct(folder, { ROOKERY_BIRD_PORT_OFFSET: '0' })
    const { status, text } = await console.post('/device/configure_personality', {
      node_id: nodeId,
      personality: 'default',
      additional_settings: JSON.stringify(everyService),
    })
    assert.equal(status, 200, text)
    const ports = (by: string): string[] =>
      claims.filter(({ transport }) => transport === by).map(({ port }) => port)
    await Promise.all(ports('tcp').map((port) => listens(Number(port))))
    const asked = `T:${ports('tcp').join()},U:${ports('udp').join()}`
    const { stdout, stderr, code } = await run(
      'nmap',
      ['-Pn', '-n', '-sS', '-sU', '-sV', '-p', asked, HOST],
      {
        patienceMs: 400_000,
      },
    )
    assert.equal(code, 0, stderr)
    const lines = stdout.split('\n').map((line) => line.trim().replace(/\s+/g, ' '))
    for (const { place, line } of claims) {
      const printed = lines.find((it) => it.startsWith(`${place} `)) ?? `${place} is not listed`
      say(printed)
      assert.equal(printed, line)
    }
    assert.doesNotMatch(stdout, /honeypot|honeyd|cowrie|kippo|dionaea|canary/i)
    const unrecognized = [...stdout.matchAll(/^SF-Port(\d+)-/gm)].map(([, port]) => port)
    assert.deepEqual(unrecognized, nameless)
    await console.stop()
  },
}

export default proof
