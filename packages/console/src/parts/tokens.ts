// The part `tokens`: the listeners where tokens are met.
import { withMax, type Limit } from '@rookery/kernel/limit.ts'
import type { StoredFile } from '@rookery/tokens/settings.ts'
import { servedChannelOf } from '@rookery/tokens/visit.ts'
import { QUERIES_PER_NETWORK } from '../channels/dns/answerer.ts'
import { openDnsServer, type DnsServerDeps } from '../channels/dns/server.ts'
import { zoneOf } from '../channels/dns/zone-option.ts'
import { openChannelUses } from '../channels/channel-use.ts'
import { answeredFiles } from '../channels/http/answered-files.ts'
import { providerFeed } from '../channels/http/provider-feed.ts'
import { openTokenServer } from '../channels/http/token-server.ts'
import { openTokenTouches } from '../channels/token-touches.ts'
import { lockTouchSpool } from '../channels/touch-spool.ts'
import type { Config } from '../config/config.ts'
import type { DataFolder } from '../data-folder.ts'
import type { LoginEndpoints, TokenOrigin } from '../flows/tokens/address.ts'
import { readChallenges } from '../stores/certificates/store.ts'
import { refusedConnections } from '../flows/refused-connections.ts'
import { readUpload } from '../flows/files/uploads.ts'
import { CONNECTIONS_PER_SOURCE } from '../admission/admission.ts'
import { FORWARDED_HEADERS, type ForwardedHeader } from '../addresses/client-address.ts'
import { listeningAt, portOf } from '../addresses/listening.ts'
import { parseRanges, type Ranges } from '../addresses/ranges.ts'
import { printedUrl } from '../addresses/reachable-address.ts'
import type { OpenContext } from '../open-context.ts'
import type { Flows } from './flows.ts'
import { httpsBase, serveHttps } from './https.ts'
import { serveLogins, type ServedLogins } from './login-channels.ts'
import { openListener } from './open-listener.ts'
import { serveWireguard } from './wireguard.ts'

export interface ServedTokens {
  /** The base address of token URLs. */
  readonly url: string
  /** Where HTTPS listens; undefined when its default address is taken. */
  readonly httpsAddress: string | undefined
  /** Where the DNS server listens; undefined when its default address is taken. */
  readonly dnsAddress: string | undefined
  /** Where the WireGuard server listens; undefined when it is off or its default address is taken. */
  readonly wireguardAddress: string | undefined
  readonly logins: ServedLogins
}

/** Serves every channel. */
export async function serveTokens(
  base: OpenContext,
  config: Config,
  flows: Flows,
  folder: DataFolder,
  opened: AsyncDisposableStack,
): Promise<ServedTokens> {
  opened.defer(lockTouchSpool(folder.touches))
  const uses = openChannelUses(base)
  opened.defer(uses.stop)
  const touches = openTokenTouches({
    ...base,
    folder: folder.touches,
    store: flows.ingest.fromToken,
    onTouch: ({ visit }) => uses.touch(servedChannelOf(visit)),
  })
  opened.defer(touches.stop)
  flows.setWaitingTouches(touches)
  const perSource = connectionsPerSource(config)
  const trusted = parseRanges(config.ROOKERY_TRUSTED_PROXIES, 'ROOKERY_TRUSTED_PROXIES')
  const balancers = balancersOf(config)
  const onRefused = ({ channel }: { readonly channel: string }) =>
    refusedConnections({ ...base, ...flows.raised }, channel)
  let feedBase = httpsBase(config) ?? config.ROOKERY_TOKENS_URL
  const forUrls = {
    ...base,
    answerFeed: providerFeed({
      ...base,
      registry: flows.providers.registry,
      ingest: flows.ingest,
      tokensUrl: () => feedBase,
    }),
    touches,
    perSource,
    readFile: answeredFiles({
      clock: base.world.clock,
      leftMs: touches.leftMs,
      read: (file: StoredFile) => readUpload(base.reader, file),
    }),
    trusted,
    forwardedHeader: forwardedHeaderOf(config),
    balancers,
  }
  const http = openTokenServer({
    ...forUrls,
    onRequest: (srcHost) => uses.request({ channel: 'http', srcHost }),
    onRefused: onRefused({ channel: 'http' }),
    advertisedPort: portOf(config.ROOKERY_TOKENS_URL),
  })
  const listens = await listeningAt(http.server, config.ROOKERY_TOKENS_LISTEN)
  opened.defer(http.stop)
  const named = config.ROOKERY_TOKENS_URL || printedUrl(listens)
  feedBase ||= named
  const https = await serveHttps({ base, config, folder, flows, uses, opened }, forUrls, named)
  const dns = await openListener('ROOKERY_DNS_LISTEN', config, base.log, (at) =>
    openDnsServer(
      {
        ...base,
        touches,
        perSource,
        trusted,
        onRequest: (srcHost) => uses.request({ channel: 'dns', srcHost }),
        onRefused: onRefused({ channel: 'dns' }),
        acmeTexts: () => base.config.get('acme_challenges', readChallenges),
        ...dnsOptions(config),
      },
      at,
    ),
  )
  if (dns) opened.defer(dns.stop)
  const wireguard = await serveWireguard(base, config, { touches, uses }, opened)
  const logins = await serveLogins(
    { ...base, touches, perSource, trusted, balancers, uses, onRefused },
    config,
    opened,
  )
  await uses.open([
    { channel: 'http', listens, named },
    https.channel,
    { channel: 'dns', listens: dns?.address ?? '', named: config.ROOKERY_TOKENS_DOMAIN },
    wireguard,
    ...logins.channels,
  ])
  https.start()
  return {
    url: named,
    httpsAddress: https.channel.listens || undefined,
    dnsAddress: dns?.address,
    wireguardAddress: wireguard.listens || undefined,
    logins,
  }
}

const dnsOptions = (config: Config): Pick<DnsServerDeps, 'zone' | 'perNetwork'> => ({
  zone: zoneOf(config.ROOKERY_TOKENS_DOMAIN, config.ROOKERY_DNS_ADDRESSES, config.ROOKERY_TOKENS_URL),
  perNetwork: withMax(QUERIES_PER_NETWORK, Number(config.ROOKERY_DNS_QUERIES_PER_SECOND)),
})

const forwardedHeaderOf = (config: Config): ForwardedHeader =>
  FORWARDED_HEADERS.find((header) => header === config.ROOKERY_TOKENS_FORWARDED_HEADER) ?? 'x-forwarded-for'

const balancersOf = ({ ROOKERY_TOKENS_PROXY_PROTOCOL: text }: Config): Ranges | undefined =>
  text === '' ? undefined : parseRanges(text, 'ROOKERY_TOKENS_PROXY_PROTOCOL')

/** The bound that the options set. */
export const connectionsPerSource = (config: Config): Limit =>
  withMax(CONNECTIONS_PER_SOURCE, Number(config.ROOKERY_CONNECTIONS_PER_SOURCE))

/** The base address of token URLs where another process serves them, at the same options. */
export const tokensElsewhere = (config: Config): string =>
  config.ROOKERY_TOKENS_URL || printedUrl(config.ROOKERY_TOKENS_LISTEN)

/** What artefacts of new tokens name; `url` is the base address of token URLs. */
export const tokenOrigin = (config: Config, url: string): Omit<TokenOrigin, keyof LoginEndpoints> => ({
  url: url.replace(/\/+$/, ''),
  httpsUrl: httpsBase(config),
  domain: config.ROOKERY_TOKENS_DOMAIN,
})
