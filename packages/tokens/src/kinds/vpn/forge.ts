import { openDraws, type Draws } from '../../draws.ts'
import { forge, textFile } from '../../forge.ts'
import { descriptor } from './descriptor.ts'
import { clientKey } from './keys.ts'

/** The name is that of the interface: at most 15 characters without the ending. */
const NAMES = [
  'admin',
  'backup-site',
  'corp',
  'datacenter',
  'hq',
  'mgmt',
  'office',
  'ops',
  'prod',
  'wg0',
] as const

export default forge(descriptor, {
  file({ placement: { wireguard }, derive }) {
    const draws = openDraws(derive, 'configuration')
    const name = draws.pick(NAMES)
    const network = privateNetwork(draws, wireguard.endpoint)
    const lines = [
      '[Interface]',
      `PrivateKey = ${clientKey(derive).toString('base64')}`,
      `Address = ${network}.250.${draws.integer(2, 200)}/32`,
      '',
      '[Peer]',
      `PublicKey = ${wireguard.publicKey}`,
      // Not all traffic: who tries it must notice nothing.
      `AllowedIPs = ${draws
        .pickSome([0, 1, 2, 8, 10, 16, 20, 40], 3)
        .map((third) => `${network}.${third}.0/24`)
        .join(', ')}`,
      `Endpoint = ${wireguard.endpoint}`,
      // Makes a client begin the handshake at once, and not with the first packet into the tunnel.
      'PersistentKeepalive = 25',
    ]
    return textFile(`${name}.conf`, lines)
  },
})

/** The first two numbers of a network that does not lead to the endpoint itself. */
function privateNetwork(draws: Draws, endpoint: string): string {
  const second = draws.integer(16, 250)
  return endpoint.startsWith(`10.${second}.`) ? `10.${second + 1}` : `10.${second}`
}
