// Reads what SNS posts: its own certificate signs it, and it is of the one topic that the operator named.
import { X509Certificate } from 'node:crypto'
import { Fault } from '@rookery/kernel/fault.ts'
import type { AwsDeps } from './query.ts'
import { isSnsSignature, snsMessage, type SnsMessage } from './sns-message.ts'

export interface SnsTopic {
  /** `arn:aws:sns:<region>:<account>:<name>` */
  readonly arn: string
  /** Where every service is called instead of its own address; empty for AWS itself. */
  readonly endpoint: string
}

/** A message whose signature is right; throws an `unauthenticated` that says why it is not taken. */
export type ReadSns = (body: string) => Promise<SnsMessage>

const TIMEOUT_MS = 10_000
const MAX_CERTIFICATE_BYTES = 16 * 1024
/** AWS changes its certificate about once a year. */
const MAX_CERTIFICATES = 8

export function openSns(deps: AwsDeps, topic: SnsTopic): ReadSns {
  const certificates = new Map<string, X509Certificate>()

  async function certificateAt(url: string): Promise<X509Certificate> {
    const known = certificates.get(url)
    if (known) return known
    const certificate = await fetchCertificate(deps, url)
    if (certificates.size >= MAX_CERTIFICATES) certificates.clear()
    certificates.set(url, certificate)
    return certificate
  }

  return async (body) => {
    const message = snsMessage(body)
    if (!message) throw new Fault('unauthenticated', 'The request is no message of SNS with its signature.')
    if (message.topicArn !== topic.arn)
      throw new Fault(
        'unauthenticated',
        `The message is of the topic ${shown(message.topicArn)}, not ${topic.arn}.`,
      )
    if (!isCertificateUrl(message.certificateUrl, topic))
      throw new Fault('unauthenticated', `SNS has no certificate at ${shown(message.certificateUrl)}.`)
    const certificate = await certificateAt(message.certificateUrl)
    if (!isValidAt(certificate, deps.clock.now()))
      throw new Fault('unauthenticated', `The certificate at ${shown(message.certificateUrl)} has expired.`)
    if (!isSnsSignature(message, certificate.publicKey))
      throw new Fault('unauthenticated', 'The signature of the message is wrong.')
    return message
  }
}

/** Opens the address that confirms the subscription of the topic; throws where that is none of SNS. */
export async function confirmSubscription(
  { outbound }: Pick<AwsDeps, 'outbound'>,
  { subscribeUrl }: SnsMessage,
  topic: SnsTopic,
): Promise<void> {
  if (!isOfSns(subscribeUrl, topic))
    throw new Fault('unauthenticated', `SNS confirms no subscription at ${shown(subscribeUrl)}.`)
  const { status } = await outbound.send({
    url: subscribeUrl,
    method: 'GET',
    headers: {},
    timeoutMs: TIMEOUT_MS,
  })
  if (status !== 200) throw new Fault('unavailable', `SNS answered the confirmation with ${status}.`)
}

/** Anybody can write an address: only the host of SNS in the region of the topic may give a key. */
function isOfSns(url: string, { arn, endpoint }: SnsTopic): boolean {
  if (!URL.canParse(url)) return false
  const { origin, username, password } = new URL(url)
  const [, , , region = ''] = arn.split(':')
  const expected = endpoint === '' ? `https://sns.${region}.amazonaws.com` : new URL(endpoint).origin
  return origin === expected && username === '' && password === ''
}

/** Answers to calls at the same host repeat what is asked, so that a path alone is a certificate. */
const isCertificateUrl = (url: string, topic: SnsTopic): boolean =>
  isOfSns(url, topic) && /^https?:\/\/[^/?#]+\/SimpleNotificationService-\w{1,64}\.pem$/.test(url)

async function fetchCertificate({ outbound }: AwsDeps, url: string): Promise<X509Certificate> {
  const { status, body } = await outbound.send({
    url,
    method: 'GET',
    headers: {},
    timeoutMs: TIMEOUT_MS,
    mostBytes: MAX_CERTIFICATE_BYTES,
  })
  if (status !== 200) throw new Fault('unavailable', `SNS answered ${status} for its certificate.`)
  try {
    return new X509Certificate(body)
  } catch (cause) {
    throw new Fault('unavailable', 'What SNS gave as its certificate is none.', { cause })
  }
}

const isValidAt = ({ validFromDate, validToDate }: X509Certificate, at: number): boolean =>
  validFromDate.getTime() <= at && at <= validToDate.getTime()

const shown = (text: string): string => JSON.stringify(text.slice(0, 200))
