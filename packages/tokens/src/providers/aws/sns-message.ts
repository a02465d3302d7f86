// A message of Amazon SNS to an HTTPS endpoint, and its signature (SNS developer guide, "Verifying the signatures of messages").
import { byWord } from '@rookery/kernel/by-word.ts'
import { verify, type KeyObject } from 'node:crypto'
import { parsedJson, valuesOf } from '../../reported.ts'

const SIGNED_KEYS = {
  Notification: ['Message', 'MessageId', 'Subject', 'Timestamp', 'TopicArn', 'Type'],
  SubscriptionConfirmation: [
    'Message',
    'MessageId',
    'SubscribeURL',
    'Timestamp',
    'Token',
    'TopicArn',
    'Type',
  ],
  UnsubscribeConfirmation: ['Message', 'MessageId', 'SubscribeURL', 'Timestamp', 'Token', 'TopicArn', 'Type'],
} as const

const HASHES = byWord<string>({ 1: 'sha1', 2: 'sha256' })

export interface SnsMessage {
  readonly type: keyof typeof SIGNED_KEYS
  readonly messageId: string
  readonly topicArn: string
  readonly message: string
  /** When SNS took it, milliseconds UTC. */
  readonly at: number
  /** Empty in a notification. */
  readonly subscribeUrl: string
  /** The certificate whose key signed it. */
  readonly certificateUrl: string
  readonly signature: Buffer
  readonly hash: string
  /** What is signed. */
  readonly signedText: string
}

/** Undefined for a body that is none. */
export function snsMessage(body: string): SnsMessage | undefined {
  const values = valuesOf(parsedJson(body))
  if (!values) return undefined
  const text = (name: string): string => {
    const value = values[name]
    return typeof value === 'string' ? value : ''
  }
  const type = text('Type')
  const hash = HASHES[text('SignatureVersion')]
  const at = Date.parse(text('Timestamp'))
  if (!isType(type) || hash === undefined || Number.isNaN(at)) return undefined
  const signed = SIGNED_KEYS[type].filter((name) => name !== 'Subject' || text(name) !== '')
  return {
    type,
    hash,
    at,
    messageId: text('MessageId'),
    topicArn: text('TopicArn'),
    message: text('Message'),
    subscribeUrl: text('SubscribeURL'),
    certificateUrl: text('SigningCertURL'),
    signature: Buffer.from(text('Signature'), 'base64'),
    signedText: signed.map((name) => `${name}\n${text(name)}\n`).join(''),
  }
}

const isType = (type: string): type is keyof typeof SIGNED_KEYS => Object.hasOwn(SIGNED_KEYS, type)

/** RSA, PKCS #1 1.5: with SHA-1 in version 1, with SHA-256 in version 2. */
export const isSnsSignature = ({ hash, signedText, signature }: SnsMessage, key: KeyObject): boolean =>
  verify(hash, Buffer.from(signedText), key, signature)
