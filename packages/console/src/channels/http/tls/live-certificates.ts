// The certificates in use: read again when they change, chosen by the name that a client asks for (SNI, RFC 6066, 3).
import type { SecureContext } from 'node:tls'
import type { Clock } from '@rookery/kernel/world.ts'
import type { Logger } from 'pino'
import type { CertificateState } from '../../../flows/certificate-watch.ts'
import type { Background } from '../../../background/background.ts'
import { watchVersion } from '../../../watched-files.ts'
import type { CertificateSource } from './certificate-source.ts'
import {
  contextOf,
  dayOf,
  isFor,
  namesOf,
  timeProblems,
  type ServerCertificate,
} from './server-certificate.ts'

export interface LoadedCertificate {
  readonly certificate: ServerCertificate
  readonly context: SecureContext
  /** Its names, its end and its origin, in one line. */
  readonly summary: string
}

export interface LiveCertificates {
  /** For a client that asks for this name; the first one where none is for it. */
  find(serverName?: string): LoadedCertificate
  stop(): void
}

export interface LiveCertificatesDeps {
  readonly clock: Clock
  readonly background: Background
  readonly log: Logger
  /** Whose they are. */
  readonly host: string
  /** Called at first, and whenever it is another one. */
  readonly onState: (state: CertificateState) => void
}

type Loaded = readonly [LoadedCertificate, ...LoadedCertificate[]]

/** Throws as `source.read` does; a change that cannot be used later leaves the certificates before it in use. */
export function openLiveCertificates(
  source: CertificateSource,
  { clock, background, log, host, onState }: LiveCertificatesDeps,
): LiveCertificates {
  const { version } = source
  const first = version()
  let loaded = load(source)
  const report = stateReporter(log, onState)
  report(stateOf(loaded, source, clock.now()))

  const stop = watchVersion({ version, first, clock, background }, (isChanged) => {
    if (isChanged) {
      try {
        loaded = load(source)
        log.info({ certificates: loaded.map(logFieldsOf) }, `certificates of ${host} were read again`)
      } catch (error) {
        log.error(
          { err: error },
          `a changed certificate of ${host} cannot be used; the one before stays in use`,
        )
      }
    }
    report(stateOf(loaded, source, clock.now()))
  })

  return {
    find(serverName) {
      const [first, ...others] = loaded
      if (serverName === undefined || isFor(first.certificate, serverName)) return first
      return others.find(({ certificate }) => isFor(certificate, serverName)) ?? first
    },
    stop,
  }
}

function load(source: CertificateSource): Loaded {
  const [first, ...others] = source.read()
  return [prepared(first), ...others.map(prepared)]
}

const prepared = (certificate: ServerCertificate): LoadedCertificate => ({
  certificate,
  context: contextOf(certificate),
  summary: summaryOf(certificate),
})

const logFieldsOf = ({ certificate: { x509, origin } }: LoadedCertificate) => ({
  origin,
  names: x509.subjectAltName,
  validTo: x509.validTo,
})

const stateOf = (loaded: Loaded, source: CertificateSource, now: number): CertificateState => ({
  summary: loaded.map(({ summary }) => summary).join('; '),
  expiring: loaded.flatMap(({ certificate }) => timeProblems(certificate, now)),
  problem: source.problem?.(),
})

const summaryOf = ({ x509, origin }: ServerCertificate): string =>
  `${namesOf(x509)} until ${dayOf(x509.validToDate)}, from ${origin}`

/** Logs each problem once, and hands on what changed. */
function stateReporter(
  log: Logger,
  onState: (state: CertificateState) => void,
): (state: CertificateState) => void {
  let handedOn = ''
  let said: readonly string[] = []
  return (state) => {
    const problems = [...state.expiring, ...(state.problem === undefined ? [] : [state.problem])]
    for (const problem of problems) if (!said.includes(problem)) log.warn(problem)
    said = problems
    const text = JSON.stringify(state)
    if (text === handedOn) return
    handedOn = text
    onState(state)
  }
}
