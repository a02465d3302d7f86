import { describe, expect, it } from 'vitest'
import { forgeFile } from '../../../test/forge-file.ts'
import type { WireguardVisit } from '../../channels/wireguard/visit.ts'
import { privateKey, publicBytes } from '../../channels/wireguard/x25519.ts'
import { deriver } from '../../derive.ts'
import { describeVisit, judgeVisit, nonceOf } from '../../token.ts'
import forge from './forge.ts'
import vpn from './token.ts'

const AT = Date.UTC(2026, 10, 23, 5, 30)
const visit = (change: Partial<WireguardVisit> = {}): WireguardVisit => ({
  channel: 'wireguard',
  clientPublicKey: 'a2V5',
  sessionIndex: 7,
  sentAt: AT,
  ephemeralKey: 'ZXBoZW1lcmFs',
  srcHost: '192.0.2.7',
  dstPort: 51_820,
  headers: {},
  ...change,
})

describe('the vpn kind', () => {
  it('fires while the clock of the client is near enough, and shows how far it is off', () => {
    expect(judgeVisit(vpn, visit({ sentAt: AT - 180_000 }), {}, AT)).toBe('fire')
    expect(judgeVisit(vpn, visit({ sentAt: AT + 180_000 }), {}, AT)).toBe('fire')
    expect(describeVisit(vpn, visit({ sentAt: AT - 12_400 }), {}, AT)).toEqual({
      client_public_key: 'a2V5',
      session_index: 7,
      skew_s: -12,
    })
  })

  it('is quiet for an old message, and knows each by its ephemeral key', () => {
    expect(judgeVisit(vpn, visit({ sentAt: AT - 180_001 }), {}, AT)).toBe('quiet')
    expect(judgeVisit(vpn, visit({ sentAt: AT + 180_001 }), {}, AT)).toBe('quiet')
    expect(nonceOf(vpn, visit())).toBe('ZXBoZW1lcmFs')
  })
})

describe('the configuration', () => {
  const address = { tokenId: 'abc', url: 'http://t.example/abc/x.gif', hostname: 'abc.t.example' }
  const forged = async (placement?: { endpoint: string; publicKey: string }) => {
    const file = await forgeFile(forge, {
      address,
      ...(placement && { placement: { wireguard: placement } }),
    })
    return { ...file, text: Buffer.from(file.bytes).toString() }
  }

  it('names the server, one client, and networks behind the server', async () => {
    const { filename, text } = await forged()
    // wg-quick takes the name of the file for the interface.
    expect(filename).toMatch(/^[a-z0-9-]{1,15}\.conf$/)
    expect(text).toMatch(
      /^\[Interface\]\nPrivateKey = [\w+/]{43}=\nAddress = 10\.\d+\.250\.\d+\/32\n\n\[Peer\]\nPublicKey = xRx1ka8lBsmKVY3gUJ3gUbTqU8hdLYgnkBWFMjvHkRk=\nAllowedIPs = (10\.\d+\.\d+\.0\/24(, |\n)){3}Endpoint = vpn\.t\.example:51820\nPersistentKeepalive = 25\n$/,
    )
    expect((await forged()).text).toBe(text)
  })

  it('leads nothing that goes to the server itself into the tunnel', async () => {
    const network = /AllowedIPs = (10\.\d+)\./
    const usual = network.exec((await forged()).text)?.[1]
    const { text } = await forged({ endpoint: `${usual}.0.7:51820`, publicKey: 'a2V5' })
    expect(network.exec(text)?.[1]).not.toBe(usual)
  })

  it('has the private key whose public one finds the token', () => {
    const derive = deriver('vpn', Buffer.alloc(32, 5))
    const own = clientKeyOf(derive)
    expect(vpn.peerKey?.(derive)).toBe(publicBytes(privateKey(own)).toString('base64'))
    expect(vpn.peerKey?.(deriver('vpn', Buffer.alloc(32, 6)))).not.toBe(vpn.peerKey?.(derive))
  })
})

function clientKeyOf(derive: ReturnType<typeof deriver>): Buffer {
  const file = forge.file({
    address: { tokenId: 'abc', url: '', hostname: '' },
    placement: { wireguard: { endpoint: 'a:1', publicKey: '' } },
    settings: {},
    uploads: {},
    issued: {},
    derive,
  })
  if (file instanceof Promise) throw new Error('A configuration is forged at once.')
  return Buffer.from(/PrivateKey = (\S+)/.exec(Buffer.from(file.bytes).toString())?.[1] ?? '', 'base64')
}
