// Keeps the certificate of the zone by ACME: one console of several orders it, before its time is over, and all serve it.
import { task } from '../../background/task.ts'
import type { AppContext } from '../../app-context.ts'
import { openLease, type Lease } from '../../db/lease.ts'
import {
  certificateKeyPlace,
  storeCertificate,
  type CertificateRow,
} from '../../stores/certificates/store.ts'
import type { CertificateSource } from '../http/tls/certificate-source.ts'
import type { AcmeOptions } from './acme-options.ts'
import { failureOf, obtainCertificate } from './obtain-certificate.ts'
import { retryDelay } from './renewal-times.ts'
import { dueAt, noCertificate, problemOf, readStored, type StoredCertificate } from './stored-certificate.ts'

export interface CertificateRenewal extends CertificateSource {
  /** Orders what is due; the DNS server must be open by then. */
  start(): void
  /** Resolves once no order is under way. */
  idle(): Promise<void>
  stop(): Promise<void>
}

const LOOK_EVERY_MS = 10_000
const TASK = task(
  'certificate_renewal',
  LOOK_EVERY_MS,
  'Orders the certificate of the token host by ACME before it ends',
  { runsLong: true },
)

/** Reads what is stored. `fallback` serves until there is a certificate. */
export async function openCertificateRenewal(
  base: AppContext,
  options: AcmeOptions,
  fallback: CertificateSource,
): Promise<CertificateRenewal> {
  const { writer, vault, world, log, config, background } = base
  const { clock, random } = world
  const { domain, directoryUrl } = options
  const stopping = new AbortController()
  const read = (): Promise<StoredCertificate> =>
    config.get('acme_certificate', (db) => readStored(db, vault, domain))
  let stored = await read()
  /** How an order ended, while the database does not take it: nothing else is ordered meanwhile. */
  let unstored: CertificateRow | undefined

  /** The row that follows; undefined where the console stops before. */
  async function order(): Promise<CertificateRow | undefined> {
    const facts = { names: options.names, directory: directoryUrl }
    log.info(facts, 'ordering a certificate for the token host')
    try {
      const { chain, key } = await obtainCertificate(base, options, stopping.signal)
      log.info(facts, 'certificate for the token host obtained')
      const sealed_key = vault.seal(key, certificateKeyPlace(domain))
      return { ...noCertificate(domain), chain, sealed_key, directory: directoryUrl }
    } catch (error) {
      return stopping.signal.aborted ? undefined : afterFailure(error)
    }
  }

  function afterFailure(error: unknown): CertificateRow {
    const { row } = stored
    const failures = (row.tried === directoryUrl ? row.failures : 0) + 1
    const { reason, waitMs } = failureOf(error)
    const failed_at = clock.now()
    const retry_at = failed_at + retryDelay(failures, (random.bytes(1)[0] ?? 0) / 255, waitMs)
    const retryAt = new Date(retry_at).toISOString()
    log.warn({ err: error, failures, retryAt }, 'certificate for the token host not obtained; trying again')
    return { ...row, failures, failed_at, reason, retry_at, tried: directoryUrl }
  }

  async function store(row: CertificateRow): Promise<void> {
    await writer.write((tx) => storeCertificate(tx, row))
    unstored = undefined
  }

  let isHeld = false
  const loop = background.loop(TASK, {
    clock,
    async run() {
      stored = await read()
      if (isHeld && unstored === undefined && clock.now() >= dueAt(stored, options)) unstored = await order()
      if (unstored !== undefined) await store(unstored)
      stored = await read()
      return clock.now() + LOOK_EVERY_MS
    },
    onError(error) {
      log.debug({ err: error }, 'certificates wait for the database')
      return LOOK_EVERY_MS
    },
  })
  let lease: Lease | undefined

  return {
    version: () =>
      stored.certificate ? stored.certificate.x509.fingerprint256 : `without ${fallback.version()}`,
    read: () => (stored.certificate ? [stored.certificate] : fallback.read()),
    problem: () => problemOf(stored, options, clock.now()),
    start() {
      const onHeld = (): void => {
        isHeld = true
        loop.wake()
      }
      lease = openLease(base, 'acme', onHeld, () => (isHeld = false))
      loop.wake()
    },
    idle: loop.idle,
    async stop() {
      stopping.abort()
      await lease?.stop()
      await loop.stop()
    },
  }
}
