// One order of a certificate: the zone is proven by DNS-01, then the request for the certificate is signed (RFC 8555, 7.4).
import { createPrivateKey, createPublicKey, sign } from 'node:crypto'
import { Fault } from '@rookery/kernel/fault.ts'
import type { Clock } from '@rookery/kernel/world.ts'
import { alternativeNames, noName, signRequest } from '@rookery/kernel/x509-certificate.ts'
import type { Static, TSchema } from 'typebox'
import { retryAfterMs } from '../../notify/senders/retry-after.ts'
import type { AcmeAccount } from './acme-account.ts'
import { locationIn, messageIn } from './acme-client.ts'
import { challengeText, newKeyPem } from './jws.ts'
import { Authorization, Order, sentenceOf } from './messages.ts'

export interface OrderDeps {
  readonly clock: Pick<Clock, 'now'>
  /** Rejects when the console stops. */
  readonly sleep: (ms: number) => Promise<void>
  /** Resolves once the DNS servers of all consoles answer these texts for the name of the challenge. */
  readonly publish: (texts: readonly string[]) => Promise<void>
  readonly withdraw: (texts: readonly string[]) => Promise<void>
}

export interface IssuedCertificate {
  /** PEM, as the server gave it. */
  readonly chain: string
  /** PEM. */
  readonly key: string
}

interface OpenChallenge {
  /** Of the authorization. */
  readonly url: string
  readonly challengeUrl: string
  readonly text: string
}

const FIRST_POLL_MS = 250
const MAX_POLL_MS = 10_000
/** Some minutes in all. */
const POLLS = 30

/** A certificate for these names, of which all but the wildcards are proven at `_acme-challenge.<name>`. */
export async function orderCertificate(
  deps: OrderDeps,
  account: AcmeAccount,
  names: readonly string[],
): Promise<IssuedCertificate> {
  const { client } = account
  const post = (url: string, payload?: object) => client.post(url, payload, account.url)
  const identifiers = names.map((value) => ({ type: 'dns', value }))
  const placed = await post(client.directory.newOrder, { identifiers })
  const orderUrl = locationIn(placed, 'order')
  const { authorizations, finalize } = messageIn(Order, placed, 'order')
  const open: OpenChallenge[] = []
  for (const url of authorizations) {
    const authorization = messageIn(Authorization, await post(url), 'authorization')
    if (authorization.status !== 'valid') open.push(openChallenge(account, url, authorization))
  }
  if (open.length > 0) await prove(deps, account, open)

  const key = newKeyPem()
  const ready = await poll(deps, account, orderUrl, Order, 'order', ({ status }) => status !== 'pending')
  if (ready.status === 'ready') await post(finalize, { csr: requestFor(names, key).toString('base64url') })
  const done = await poll(deps, account, orderUrl, Order, 'order', ({ status }) =>
    ['valid', 'invalid'].includes(status),
  )
  if (done.status !== 'valid' || done.certificate === undefined)
    throw new Fault('unavailable', `The ACME server refused the order: ${sentenceOf(done.error ?? {})}.`)
  return { chain: (await post(done.certificate)).body, key }
}

function openChallenge(
  { key }: Pick<AcmeAccount, 'key'>,
  url: string,
  { challenges, identifier, status }: Authorization,
): OpenChallenge {
  const challenge = challenges.find(({ type }) => type === 'dns-01')
  if (status !== 'pending' || challenge?.token === undefined)
    throw new Fault(
      'unavailable',
      `The ACME server offers no dns-01 challenge for ${identifier.value} (its authorization is ${status}).`,
    )
  return { url, challengeUrl: challenge.url, text: challengeText({ jwk: key.jwk }, challenge.token) }
}

/** Answers the challenges; resolves once the server has seen all of them. */
async function prove(deps: OrderDeps, account: AcmeAccount, open: readonly OpenChallenge[]): Promise<void> {
  const texts = open.map(({ text }) => text)
  try {
    await deps.publish(texts)
    for (const { challengeUrl } of open) await account.client.post(challengeUrl, {}, account.url)
    for (const { url } of open) {
      const seen = await poll(
        deps,
        account,
        url,
        Authorization,
        'authorization',
        ({ status }) => status !== 'pending',
      )
      if (seen.status !== 'valid') throw refused(seen)
    }
  } finally {
    await deps.withdraw(texts)
  }
}

function refused({ challenges, identifier }: Authorization): Fault {
  const error = challenges.find((challenge) => challenge.error !== undefined)?.error
  const reason = sentenceOf(error ?? { detail: 'it does not say why' })
  return new Fault(
    'unavailable',
    `The ACME server refused the proof for ${identifier.value}: ${reason}. It asks for the TXT record of _acme-challenge.${identifier.value}: check that the zone is delegated to this console, and port 53.`,
  )
}

/** Asks again and again until it is done, as slowly as the server wishes. */
async function poll<T extends TSchema>(
  { clock, sleep }: OrderDeps,
  { client, url: account }: AcmeAccount,
  url: string,
  schema: T,
  what: string,
  isDone: (message: Static<T>) => boolean,
): Promise<Static<T>> {
  for (let polls = 0; polls < POLLS; polls++) {
    const answer = await client.post(url, undefined, account)
    const message = messageIn(schema, answer, what)
    if (isDone(message)) return message
    const wishedMs = retryAfterMs(answer.headers['retry-after'], clock.now())
    await sleep(Math.min(Math.max(wishedMs, FIRST_POLL_MS * 2 ** polls), MAX_POLL_MS))
  }
  throw new Fault(
    'unavailable',
    `The ACME server was asked ${POLLS} times for its ${what}, which is not done yet.`,
  )
}

/** A request for a certificate (RFC 2986), in DER. */
function requestFor(names: readonly string[], pem: string): Buffer {
  const key = createPrivateKey(pem)
  const publicKey = createPublicKey(key).export({ type: 'spki', format: 'der' })
  return signRequest(
    { subject: noName, publicKey, extensions: [alternativeNames(names)] },
    { keyType: 'ec', sign: (body) => sign('sha256', body, key) },
  )
}
