// The certificates in use: read again when they change, chosen by the name that a client asks for (SNI, RFC 6066, 3).
import type { SecureContext } from 'node:tls'
import type { Clock } from '@rookery/kernel/world.ts'
import type { Logger } from 'pino'
import type { CertificateSource } from './certificate-source.ts'
import { contextOf, isFor, timeProblems, type ServerCertificate } from './server-certificate.ts'

export interface LoadedCertificate {
  readonly certificate: ServerCertificate
  readonly context: SecureContext
}

export interface LiveCertificates {
  /** For a client that asks for this name; the first one where none is for it. */
  find(serverName?: string): LoadedCertificate
  stop(): void
}

type Loaded = readonly [LoadedCertificate, ...LoadedCertificate[]]

const LOOK_EVERY_MS = 10_000

/** Throws as `source.read` does; a change that cannot be used later leaves the certificates before it in use. */
export function openLiveCertificates(
  source: CertificateSource,
  { clock, log }: { readonly clock: Clock; readonly log: Logger },
): LiveCertificates {
  let version = source.version()
  let loaded = load(source)
  const logProblems = problemLog(log)
  logProblems(loaded, clock.now())

  function lookAgain(): void {
    const found = source.version()
    if (found !== version) {
      version = found
      try {
        loaded = load(source)
        log.info({ certificates: loaded.map(summaryOf) }, 'certificates of the token host were read again')
      } catch (error) {
        log.error(
          { err: error },
          'a changed certificate of the token host cannot be used; the one before stays in use',
        )
      }
    }
    logProblems(loaded, clock.now())
    cancel = clock.after(LOOK_EVERY_MS, lookAgain)
  }
  let cancel = clock.after(LOOK_EVERY_MS, lookAgain)

  return {
    find(serverName) {
      const [first, ...others] = loaded
      if (serverName === undefined || isFor(first.certificate, serverName)) return first
      return others.find(({ certificate }) => isFor(certificate, serverName)) ?? first
    },
    stop: () => cancel(),
  }
}

function load(source: CertificateSource): Loaded {
  const [first, ...others] = source.read()
  return [prepared(first), ...others.map(prepared)]
}

const prepared = (certificate: ServerCertificate): LoadedCertificate => ({
  certificate,
  context: contextOf(certificate),
})

const summaryOf = ({ certificate: { x509, origin } }: LoadedCertificate) => ({
  origin,
  names: x509.subjectAltName,
  validTo: x509.validTo,
})

/** Says of each certificate once what is wrong with its time. */
function problemLog(log: Logger): (loaded: Loaded, now: number) => void {
  let said: readonly string[] = []
  return (loaded, now) => {
    const problems = loaded.flatMap(({ certificate }) => timeProblems(certificate, now))
    for (const problem of problems) if (!said.includes(problem)) log.warn(problem)
    said = problems
  }
}
