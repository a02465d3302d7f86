// The console by HTTPS, for people: passwords do not cross a network in the clear.
import { Fault } from '@rookery/kernel/fault.ts'
import {
  certificateFiles,
  CONSOLE_HOST,
  type CertificateFiles,
} from '../channels/http/tls/certificate-files.ts'
import { filesSource } from '../channels/http/tls/certificate-source.ts'
import { openLiveCertificates } from '../channels/http/tls/live-certificates.ts'
import { isFor } from '../channels/http/tls/server-certificate.ts'
import type { LinkChannel } from '../channels/link/server.ts'
import type { Config } from '../config/config.ts'
import type { OpenedServer } from '../http/server.ts'
import { hostPort, hostPortText } from '../addresses/host-port.ts'
import { baseAddress, listeningAt } from '../addresses/listening.ts'
import { isLoopbackHost } from '../addresses/own-address.ts'
import { isUnspecified, localAddress, printedAddress } from '../addresses/reachable-address.ts'
import type { OpenContext } from '../open-context.ts'

export interface ConsoleHttps {
  /** `host:port` where it listens. */
  readonly at: string
  /** Whether a certificate is for this host. */
  readonly isFor: (host: string) => boolean
}

const GRACE_MS = 1_000

/** The files of the certificates; none where the console has no listener by HTTPS. A `bad-input` for one option without another. */
export function consoleCertificateFiles(config: Config): CertificateFiles[] {
  const files = certificateFiles(config, CONSOLE_HOST)
  const { ROOKERY_TLS_LISTEN: listen } = config
  if (listen !== '' && files.length === 0)
    throw new Fault(
      'bad-input',
      `ROOKERY_TLS_LISTEN is ${listen}, and ROOKERY_TLS_CERT names no file: name a certificate and, in ROOKERY_TLS_KEY, its key.`,
    )
  if (listen === '' && files.length > 0)
    throw new Fault(
      'bad-input',
      'ROOKERY_TLS_CERT is set, and ROOKERY_TLS_LISTEN is not: say where HTTPS listens, such as 0.0.0.0:8443.',
    )
  return files
}

/** Serves it where the options say so. */
export async function serveConsoleHttps(
  { world, log, background }: Pick<OpenContext, 'world' | 'log' | 'background'>,
  config: Config,
  openTls: OpenedServer['openTls'],
  link: LinkChannel | undefined,
  opened: AsyncDisposableStack,
): Promise<ConsoleHttps | undefined> {
  const [first, ...others] = consoleCertificateFiles(config)
  if (!first) return undefined
  const certificates = openLiveCertificates(filesSource(first, others), {
    clock: world.clock,
    background,
    log,
    host: CONSOLE_HOST.host,
    onState: () => undefined,
  })
  opened.defer(certificates.stop)
  const { server, admission, stop } = openTls(certificates)
  // A Bird is sent to ROOKERY_PUBLIC_URL, which may name this listener.
  link?.attach(server, admission)
  const at = await listeningAt(server, config.ROOKERY_TLS_LISTEN)
  opened.defer(() => {
    setTimeout(() => server.closeAllConnections(), GRACE_MS).unref()
    return stop()
  })
  return { at, isFor: (host) => isFor(certificates.find(host).certificate, host) }
}

/**
 * Where people reach the console by HTTPS: the public URL, else the listener, under the host that they asked where it serves
 * that; undefined where there is neither.
 */
export function httpsUrlFor(
  { ROOKERY_PUBLIC_URL: publicUrl }: Pick<Config, 'ROOKERY_PUBLIC_URL'>,
  https: ConsoleHttps | undefined,
  askedUrl: string,
): string | undefined {
  if (/^https:/i.test(publicUrl)) return publicUrl
  if (!https) return undefined
  const asked = URL.parse(askedUrl)?.hostname.replace(/^\[|\]$/g, '')
  const { host, port } = hostPort(https.at)
  const isServed = asked !== undefined && (isUnspecified(host) || https.isFor(asked))
  const at = isServed ? hostPortText(asked, port) : printedAddress(https.at)
  return new URL(`https://${at}`).origin
}

/** Where a person may type a password, as far as there is such an address; never one that no program can call. */
export function signInUrl(
  { ROOKERY_PUBLIC_URL: publicUrl }: Pick<Config, 'ROOKERY_PUBLIC_URL'>,
  at: string,
  httpsAt: string | undefined,
): string {
  const isSecure = /^https:/i.test(publicUrl) || isLoopbackHost(URL.parse(publicUrl)?.hostname ?? '')
  const base = publicUrl.replace(/\/+$/, '')
  if (base !== '' && isSecure) return base
  if (httpsAt) return new URL(`https://${printedAddress(httpsAt)}`).origin
  return base || baseAddress(localAddress(at))
}
