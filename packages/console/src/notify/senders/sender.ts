// What every way to a receiver has in common: a message goes in, the result of one try comes out.
import type { World } from '@rookery/kernel/world.ts'
import type { Config } from '../../config/config.ts'
import type { Message } from '../message/message.ts'
import type { Receiver } from '../receiver.ts'

export interface SendResult {
  readonly delivered: boolean
  /** Not delivered, but some of its recipients have it: the next try is for the others. */
  readonly isPartial?: true
  /** The HTTP status, or what the transport has in its place; 0 when there was no answer. */
  readonly status: number
  /** Why it failed, in a sentence; when it was delivered, what was wrong nevertheless, or nothing. */
  readonly reason: string
  /** The receiver wants no message any more. */
  readonly gone: boolean
  /** How long the receiver wants to be left alone, in milliseconds; 0 when it did not say. */
  readonly retryAfterMs: number
}

/** Where a message goes; of a receiver that nobody registered, only what a test was given. */
export type Target = Pick<Receiver, 'kind' | 'webhookId' | 'url' | 'headers' | 'secret' | 'settings'>

/** One try. `messageId` is the same on every try of a message. It may throw: that is a failure, too. */
export type Sender = (to: Target, message: Message, messageId: string) => Promise<SendResult>

/** What senders may use; each takes what it needs. */
export interface SenderDeps {
  readonly world: Pick<World, 'clock' | 'random' | 'outbound' | 'outboundStream' | 'mail'>
  readonly config: Config
  /** How long a receiver may take to answer. */
  readonly timeoutMs: number
}

/** A try without an answer. */
export const notSent = (reason: string): SendResult => ({
  delivered: false,
  status: 0,
  reason: reason.slice(0, 300),
  gone: false,
  retryAfterMs: 0,
})

/** What one try sends, without its secrets. */
export interface Sent {
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}
