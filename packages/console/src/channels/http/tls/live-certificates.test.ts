import { X509Certificate } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import { pino } from 'pino'
import { expect, it } from 'vitest'
import { openBackground } from '../../../background/background.ts'
import { makeAuthority } from '../../../../test/certificates.ts'
import { manualClock } from '../../../../test/manual-clock.ts'
import type { CertificateState } from '../../../flows/certificate-watch.ts'
import { openLiveCertificates, type LoadedCertificate } from './live-certificates.ts'
import type { ServerCertificate } from './server-certificate.ts'

const DAY_MS = 86_400_000
const authority = makeAuthority()

function certificateFor(host: string, origin: string, notAfter?: number): ServerCertificate {
  const { cert, key } = authority.issue([host], notAfter === undefined ? {} : { notAfter })
  return { chain: cert, key, x509: new X509Certificate(cert), issuers: [], origin, renewal: 'renew it' }
}

type Given = [ServerCertificate, ...ServerCertificate[]]

/** A source that the test changes, and what is logged. */
function open(first: Given) {
  const clock = manualClock(Date.now())
  const source = { given: first as Given | Error, version: 1 }
  const lines: string[] = []
  const states: CertificateState[] = []
  const log = pino(
    { level: 'info' },
    { write: (line: string) => lines.push((JSON.parse(line) as { msg: string }).msg) },
  )
  const live = openLiveCertificates(
    {
      version: () => String(source.version),
      read() {
        if (source.given instanceof Error) throw source.given
        return source.given
      },
    },
    {
      clock,
      background: openBackground(clock),
      log,
      host: 'the token host',
      onState: (state) => states.push(state),
    },
  )
  /** Time passes, and what watches has looked. */
  async function leap(ms: number): Promise<void> {
    await setImmediate()
    clock.leap(ms)
    await setImmediate()
  }
  async function change(given: Given | Error): Promise<void> {
    Object.assign(source, { given, version: source.version + 1 })
    await leap(10_000)
  }
  return { lines, states, live, change, leap }
}

const nameIn = ({ certificate }: LoadedCertificate): string => certificate.x509.subject

it('a client gets the certificate of the name that it asks for, else the first', () => {
  const { live } = open([
    certificateFor('a.example.com', 'a'),
    certificateFor('*.b.example.com', 'b'),
    certificateFor('c.example.com', 'c'),
  ])
  const asked = [
    undefined,
    'C.example.com',
    'x.b.example.com',
    'x.y.b.example.com',
    '',
    '\ud800',
    '127.0.0.1',
  ]
  expect(asked.map((name) => nameIn(live.find(name)))).toEqual(
    ['a', 'c', '*.b', 'a', 'a', 'a', 'a'].map((it) => `CN=${it}.example.com`),
  )
})

it('a certificate that changed is in use within ten seconds; one that is broken is not, and the log says so', async () => {
  const { live, change, lines } = open([certificateFor('old.example.com', 'cert.pem')])
  await change(new Error('cert.pem holds no certificate'))
  expect(nameIn(live.find())).toBe('CN=old.example.com')
  expect(lines).toEqual([
    'a changed certificate of the token host cannot be used; the one before stays in use',
  ])
  await change([certificateFor('new.example.com', 'cert.pem')])
  expect(nameIn(live.find())).toBe('CN=new.example.com')
  expect(lines.slice(1)).toEqual(['certificates of the token host were read again'])
})

it('a certificate that nears its end is said once, and once more when it is over', async () => {
  const { leap, lines, states } = open([
    certificateFor('a.example.com', 'cert.pem', Date.now() + 15 * DAY_MS),
  ])
  expect(lines).toEqual([])
  const summary = expect.stringMatching(/^a\.example\.com until \d{4}-\d\d-\d\d, from cert\.pem$/) as string
  expect(states).toEqual([{ summary, expiring: [], problem: undefined }])
  await leap(2 * DAY_MS)
  expect(lines).toEqual([expect.stringContaining('in cert.pem expires on')])
  await leap(14 * DAY_MS)
  expect(lines.slice(1)).toEqual([expect.stringContaining('in cert.pem expired on')])
  expect(states.slice(1).map(({ expiring }) => expiring)).toEqual(lines.map((line) => [line]))
})

it('what cannot be read at first is thrown', () => {
  const read = () => {
    throw new Error('cert.pem holds no certificate')
  }
  const deps = {
    clock: manualClock(),
    background: openBackground(manualClock()),
    log: pino({ level: 'silent' }),
    host: 'the token host',
    onState: () => undefined,
  }
  expect(() => openLiveCertificates({ version: () => '1', read }, deps)).toThrow(
    'cert.pem holds no certificate',
  )
})
