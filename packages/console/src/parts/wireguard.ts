// The WireGuard channel as the options place it.
import { openResponder } from '@rookery/tokens/channels/wireguard/initiation.ts'
import type { WireguardPlacement } from '@rookery/tokens/token.ts'
import type { ChannelUses, OpenedChannel } from '../channels/channel-use.ts'
import type { TokenTouches } from '../channels/token-touches.ts'
import { openWireguardServer } from '../channels/wireguard/server.ts'
import type { Config } from '../config/config.ts'
import { hostPort } from '../addresses/host-port.ts'
import { printedAddress } from '../addresses/reachable-address.ts'
import { OPTIONS } from '../config/options.ts'
import type { OpenContext } from '../open-context.ts'
import { wireguardKey } from '../secrets/wireguard-key.ts'
import { findTestOfPeer } from '../stores/tokens/tests.store.ts'
import { findTokenOfPeer } from '../stores/tokens/store.ts'
import { openListener } from './open-listener.ts'

/** `listens`: where it was opened, if it was. */
export function wireguardPlacement(
  config: Config,
  vault: OpenContext['vault'],
  listens: string | undefined,
): WireguardPlacement {
  const { ROOKERY_TOKENS_WIREGUARD_LISTEN: asked, ROOKERY_TOKENS_WIREGUARD_AT: at } = config
  const fallback = asked === 'off' ? OPTIONS.ROOKERY_TOKENS_WIREGUARD_LISTEN.default : asked
  return {
    endpoint: at || printedAddress(listens ?? fallback),
    publicKey: openResponder(wireguardKey(vault)).publicKey.toString('base64'),
  }
}

/** Serves it, unless it is off or its default address is taken. */
export async function serveWireguard(
  base: OpenContext,
  config: Config,
  touching: { readonly touches: Pick<TokenTouches, 'submit'>; readonly uses: Pick<ChannelUses, 'request'> },
  opened: AsyncDisposableStack,
): Promise<OpenedChannel> {
  const { ROOKERY_TOKENS_WIREGUARD_AT: at } = config
  const server = await openListener('ROOKERY_TOKENS_WIREGUARD_LISTEN', config, base.log, (address) =>
    openWireguardServer(
      {
        ...base,
        touches: touching.touches,
        responder: openResponder(wireguardKey(base.vault)),
        tokenOf: (clientPublicKey) => tokenOf(base, clientPublicKey),
        onRequest: (srcHost) => touching.uses.request({ channel: 'wireguard', srcHost }),
        advertisedPort: at === '' ? undefined : hostPort(at).port,
      },
      address,
    ),
  )
  if (server) opened.defer(server.stop)
  const { endpoint } = wireguardPlacement(config, base.vault, server?.address)
  return { channel: 'wireguard', listens: server?.address ?? '', named: endpoint }
}

/** Rejects with `unavailable` while the database is away. */
async function tokenOf(
  { reader, outage }: Pick<OpenContext, 'reader' | 'outage'>,
  clientPublicKey: string,
): Promise<string | undefined> {
  try {
    return (await findTokenOfPeer(reader, clientPublicKey)) ?? (await findTestOfPeer(reader, clientPublicKey))
  } catch (error) {
    throw outage(error) ?? error
  }
}
