// TLS inside VeNCrypt, over real sockets and with OpenSSL as the client.
import { once } from 'node:events'
import { connect as connectTls } from 'node:tls'
import { afterEach, expect, test } from 'vitest'
import { connectTo } from '../../../../../test/tcp-client.ts'
import { openTestHost, portOf } from '../../../../../test/test-host.ts'
import { descriptors } from '../../../../descriptors.gen.ts'
import type { ClientHello } from '../../../../host/tls/client-hello.ts'
import type { Host } from '../../../../host/host.ts'
import { defaultSettings } from '../../../../../test/default-settings.ts'
import service from '../../service.ts'
import { wantsCertificate } from './tls.ts'

const opened: Host[] = []
afterEach(() => Promise.all(opened.splice(0).map((host) => host.close())))

/** A client that has chosen TLSVnc; the next bytes are its handshake. */
async function chooseTls() {
  const { host, touches } = openTestHost()
  opened.push(host)
  await host.apply(
    service.listeners(defaultSettings(descriptors, { 'device.name': 'desk', 'vnc.enabled': true })),
  )
  const client = connectTo(portOf(host, 'vnc'))
  for (const [wanted, answer] of [
    [/RFB 003.008\n$/, 'RFB 003.008\n'],
    [/\n\x02\x13\x02$/, '\x13'],
    [/\0\x02$/, '\0\x02'],
    [/\0\0\x01\x02$/, '\0\0\x01\x02'],
  ] as const) {
    await client.until(wanted)
    client.write(Buffer.from(answer, 'latin1'))
  }
  await client.until(/\0\0\x01\x02\x01$/)
  return { client, touches, host }
}

test.each(['AECDH-AES128-SHA', 'AECDH-AES256-SHA'])(
  'a client that offers %s first gets it without a ticket, and its login is an event',
  async (cipher) => {
    const { client, touches, host } = await chooseTls()
    client.socket.removeAllListeners('data')
    const socket = connectTls({
      socket: client.socket,
      ciphers: `${cipher}:AECDH:@SECLEVEL=0`,
      ecdhCurve: 'X448',
      maxVersion: 'TLSv1.2',
      rejectUnauthorized: false,
    })
    const [challenge] = (await once(socket, 'data')) as [Buffer]
    expect(challenge).toHaveLength(16)
    expect(socket.getCipher().name).toBe(cipher)
    expect(socket.getTLSTicket()).toBeUndefined()
    socket.write('0123456789abcdef')
    const [refusal] = (await once(socket, 'data')) as [Buffer]
    expect(refusal.toString('latin1')).toBe('\0\0\0\x01\0\0\0\x16Authentication failure')
    await once(socket, 'close')
    await host.close()
    expect(touches.map(({ logtype }) => logtype)).toEqual(['12001'])
  },
)

test('what is no TLS gets close_notify, and the refusal unencrypted', async () => {
  const { client } = await chooseTls()
  client.write('GET / HTTP/1.0\r\n\r\n')
  expect(await client.until(/failed$/)).toMatch(
    /\x01\x15\x03\x03\0\x02\x01\0\0\0\0\x01\0\0\0,Authentication failure: TLS Handshake failed$/,
  )
})

test('a client that ends its side in the middle of the handshake gets close_notify, and no refusal', async () => {
  const { client } = await chooseTls()
  client.write(Buffer.from([22, 3, 1, 1, 0, 1]))
  client.socket.end()
  expect(await client.until(/\x15\x03\x03\0\x02\x01\0$/)).not.toContain('failure')
  await once(client.socket, 'close')
})

const hello = (ciphers: readonly number[], change: Partial<ClientHello> = {}): ClientHello => ({
  version: 0x0303,
  ciphers,
  serverName: '',
  protocols: [],
  groups: [0x17],
  keyShares: [],
  pskIdentities: [],
  ...change,
})

const FFDHE = { groups: [0x17, 0x100] }

test.each([
  ['RSA first', hello([0x2f, 0xc018]), true],
  ['RSA behind', hello([0xc018, 0x2f]), false],
  ['RSA alone', hello([0xc02f]), true],
  ['an unknown suite first', hello([0x1301, 0x0a, 0xc019, 0x35]), false],
  ['GCM in TLS 1.1', hello([0x9c, 0xc018], { version: 0x0302 }), false],
  ['DHE without its groups', hello([0x33, 0x9e, 0xc018]), false],
  ['DHE with one', hello([0x33, 0xc018], FFDHE), true],
  ['DHE with one and GCM', hello([0x9e, 0xc018], FFDHE), true],
  ['anonymous DH with one', hello([0x34, 0x2f], FFDHE), false],
])('the certificate that a client wants first ends the handshake: %s', (_name, it, expected) => {
  expect(wantsCertificate(it)).toBe(expected)
})
