// From the options to a certificate: the account, one order, and the texts of its challenges on the DNS servers of all consoles.
import { Fault } from '@rookery/kernel/fault.ts'
import { std } from '@rookery/kernel/time.ts'
import type { AppContext } from '../../app-context.ts'
import { removeChallenges, storeChallenges } from '../../stores/certificates/store.ts'
import { withAccount } from './acme-account.ts'
import type { AcmeOptions } from './acme-options.ts'
import type { ServerCertificate } from '../http/tls/server-certificate.ts'
import { readIssued } from './issued-certificate.ts'
import { orderCertificate, type IssuedCertificate, type OrderDeps } from './order-certificate.ts'
import { renewalAt } from './renewal-times.ts'
import { sleep, untilAborted } from './until-aborted.ts'

export type ObtainDeps = Pick<AppContext, 'reader' | 'writer' | 'vault' | 'world' | 'log' | 'engine'>

const CHALLENGE_MS = 3_600_000
/** Every console reads a change of the configuration within this time. */
const HEARD_AFTER_MS = 1_000

/** Rejects with a `Fault` that says why there is none, and with the reason of the signal when that is aborted. */
export async function obtainCertificate(
  base: ObtainDeps,
  { directoryUrl, contact, domain, names }: AcmeOptions,
  signal: AbortSignal,
): Promise<IssuedCertificate> {
  const { outbound, clock } = base.world
  const send: typeof outbound.send = (request) => untilAborted(outbound.send(request), signal)
  const deps = { ...base, clock, outbound: { send }, directoryUrl, contact }
  const issued = await withAccount(deps, (account) =>
    orderCertificate(orderDeps(base, signal), account, names),
  )
  checkValidity(readIssued(issued, domain, directoryUrl), clock.now())
  return issued
}

/** One whose renewal is due already would be ordered again at once, and again. */
function checkValidity({ x509, origin }: ServerCertificate, now: number): void {
  const { validFromDate, validToDate } = x509
  if (now < renewalAt(x509)) return
  throw new Fault(
    'unavailable',
    `${origin} gave a certificate that is valid from ${std(validFromDate.getTime())} to ${std(validToDate.getTime())}, and it is ${std(now)} here: check the clock of this machine.`,
  )
}

const orderDeps = (
  { world: { clock }, writer, engine, log }: ObtainDeps,
  signal: AbortSignal,
): OrderDeps => ({
  clock,
  sleep: (ms) => sleep(clock, ms, signal),
  async publish(texts) {
    const now = clock.now()
    await writer.write((tx) => storeChallenges(tx, texts, { now, expiresAt: now + CHALLENGE_MS }))
    if (engine.name !== 'sqlite') await sleep(clock, HEARD_AFTER_MS, signal)
  },
  withdraw: (texts) =>
    writer
      .write((tx) => removeChallenges(tx, texts))
      .catch((error: unknown) => log.debug({ err: error }, 'challenges of ACME stay for an hour')),
})

/** Why an order failed, as operators read it, and how long the server wants to be left alone. */
export function failureOf(error: unknown): { readonly reason: string; readonly waitMs: number } {
  if (error instanceof Fault) return { reason: error.message, waitMs: (error.retryAfterS ?? 0) * 1_000 }
  return { reason: `The console made a mistake: ${(error as Error).message}.`, waitMs: 0 }
}
