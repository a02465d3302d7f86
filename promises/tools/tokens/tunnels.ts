// Kinds that are tunnels into a network.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { run } from '../lib/command.ts'
import { until } from '../lib/until.ts'
import { SYSTEM_PATH } from '../lib/as-system.ts'
import { download, PORTS, type TokenProof } from './token-proof.ts'

export const tunnels: readonly TokenProof[] = [
  {
    kind: 'vpn',
    program: 'wg-quick, wireguard-go',
    needs: ['wg-quick', 'wg', 'wireguard-go', 'ip'],
    logtype: '17022',
    async fire(planted, deps) {
      const file = await download(planted, deps, 'rookery0.conf')
      const env = { PATH: SYSTEM_PATH, WG_QUICK_USERSPACE_IMPLEMENTATION: 'wireguard-go' }
      const up = await run('wg-quick', ['up', file], { env })
      assert.equal(up.code, 0, up.stderr)
      const [, key = ''] = /^PrivateKey = (\S+)$/m.exec(readFileSync(file, 'utf8')) ?? []
      const { stdout } = await run('wg', ['pubkey'], { input: key })
      await until('the client sent its first message', async () => {
        const transfer = await run('wg', ['show', 'rookery0', 'transfer'], { env })
        // Peer, bytes received, bytes sent.
        return /\t0\t[1-9]\d*$/m.test(transfer.stdout) || undefined
      })
      await run('wg-quick', ['down', file], { env })
      return { client_public_key: stdout.trim(), dst_port: PORTS.wireguard }
    },
  },
]
