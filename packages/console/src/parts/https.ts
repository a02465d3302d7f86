// Token URLs by HTTPS, as the options place it.
import type { ChannelUses, OpenedChannel } from '../channels/channel-use.ts'
import { acmeOptions } from '../channels/acme/acme-options.ts'
import { openCertificateRenewal } from '../channels/acme/certificate-renewal.ts'
import { TOKEN_HOST } from '../channels/http/tls/certificate-files.ts'
import { openCertificateSource } from '../channels/http/tls/certificate-source.ts'
import { openLiveCertificates } from '../channels/http/tls/live-certificates.ts'
import { openTokenServer, type TokenServerOptions } from '../channels/http/token-server.ts'
import type { Config } from '../config/config.ts'
import type { DataFolder } from '../data-folder.ts'
import { openCertificateWatch, type CertificateState } from '../flows/certificate-watch.ts'
import { refusedConnections } from '../flows/refused-connections.ts'
import { listeningAt, portOf } from '../addresses/listening.ts'
import type { OpenContext } from '../open-context.ts'
import type { Flows } from './flows.ts'
import { openListener } from './open-listener.ts'

/** The base address of token URLs by HTTPS, without a trailing slash; undefined where the options name none. */
export function httpsBase({ ROOKERY_TOKENS_TLS_URL, ROOKERY_TOKENS_URL }: Config): string | undefined {
  const url = [ROOKERY_TOKENS_TLS_URL, ROOKERY_TOKENS_URL].find((it) => it.startsWith('https:'))
  return url?.replace(/\/+$/, '')
}

export interface HttpsDeps {
  readonly base: OpenContext
  readonly config: Config
  readonly folder: DataFolder
  readonly flows: Pick<Flows, 'raised'>
  readonly uses: Pick<ChannelUses, 'request'>
  readonly opened: AsyncDisposableStack
}

/** What the listener of HTTP has, too. */
type CommonOptions = Omit<TokenServerOptions, 'advertisedPort' | 'certificates' | 'onRequest' | 'onRefused'>

export interface ServedHttps {
  readonly channel: OpenedChannel
  /** Called once the channels are stored and the DNS server answers: from then on certificates are ordered, and reported. */
  readonly start: () => void
}

/**
 * Serves it, unless its default address is taken; a certificate that cannot be used is a `bad-input`. `httpBase` is what
 * artefacts name where there is no address by HTTPS.
 */
export async function serveHttps(
  { base, config, folder, flows, uses, opened }: HttpsDeps,
  common: CommonOptions,
  httpBase: string,
): Promise<ServedHttps> {
  const { world, log } = base
  const ordered = acmeOptions(config)
  const own = openCertificateSource(config, folder, world)
  const renewal = ordered && (await openCertificateRenewal(base, ordered, own))
  if (renewal) opened.defer(renewal.stop)
  const watch = openCertificateWatch({ ...base, ...flows.raised, channel: 'https' })
  let isStarted = false
  let state: CertificateState | undefined
  const certificates = openLiveCertificates(renewal ?? own, {
    clock: world.clock,
    background: base.background,
    log,
    host: TOKEN_HOST.host,
    onState(changed) {
      state = changed
      if (isStarted) watch.note(changed)
    },
  })
  opened.defer(certificates.stop)
  const named = httpsBase(config)
  const https = openTokenServer({
    ...common,
    certificates,
    onRequest: (srcHost) => uses.request({ channel: 'https', srcHost }),
    onRefused: refusedConnections({ ...base, ...flows.raised }, 'https'),
    advertisedPort: portOf(named ?? ''),
  })
  const listens = await openListener('ROOKERY_TOKENS_TLS_LISTEN', config, log, (at) =>
    listeningAt(https.server, at),
  )
  if (listens !== undefined) opened.defer(https.stop)
  return {
    channel: { channel: 'https', listens: listens ?? '', named: named ?? httpBase },
    start() {
      isStarted = true
      if (state) watch.note(state)
      renewal?.start()
    },
  }
}
