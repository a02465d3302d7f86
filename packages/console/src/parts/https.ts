// Token URLs by HTTPS, as the options place it.
import type { ChannelUses, OpenedChannel } from '../channels/channel-use.ts'
import { openCertificateSource } from '../channels/http/tls/certificate-source.ts'
import { openLiveCertificates } from '../channels/http/tls/live-certificates.ts'
import { openTokenServer, type TokenServerOptions } from '../channels/http/token-server.ts'
import type { Config } from '../config.ts'
import type { DataFolder } from '../data-folder.ts'
import { listening, portOf } from '../net/listening.ts'
import type { OpenContext } from '../open-context.ts'
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
  readonly uses: Pick<ChannelUses, 'request'>
  readonly opened: AsyncDisposableStack
}

/** What the listener of HTTP has, too. */
type CommonOptions = Omit<TokenServerOptions, 'advertisedPort' | 'certificates' | 'onRequest'>

/**
 * Serves it, unless its default address is taken; a certificate that cannot be used is a `bad-input`. `httpBase` is what
 * artefacts name where there is no address by HTTPS.
 */
export async function serveHttps(
  { base, config, folder, uses, opened }: HttpsDeps,
  common: CommonOptions,
  httpBase: string,
): Promise<OpenedChannel> {
  const { world, log } = base
  const source = openCertificateSource(config, folder, world)
  const certificates = openLiveCertificates(source, { clock: world.clock, log })
  opened.defer(certificates.stop)
  const named = httpsBase(config)
  const https = openTokenServer({
    ...common,
    certificates,
    onRequest: (srcHost) => uses.request({ channel: 'https', srcHost }),
    advertisedPort: portOf(named ?? ''),
  })
  const url = await openListener('ROOKERY_TOKENS_TLS_LISTEN', config, log, (at) =>
    listening(https.server, at),
  )
  if (url !== undefined) opened.defer(https.stop)
  return { channel: 'https', listens: url?.replace('http://', '') ?? '', named: named ?? httpBase }
}
