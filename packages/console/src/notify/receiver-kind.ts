// What a kind of receiver is: a folder below `receivers/`, found by the generator. README.md tells how to add one.
import type { Route } from '@rookery/contract/implement.ts'
import type { AppContext } from '../app-context.ts'
import type { Scope, Tx } from '../db/query.ts'
import type { Notifier, ReceiverForm } from './receivers.ts'
import type { Receiver } from './receiver.ts'
import type { Message } from './message/message.ts'
import type { Sender, SenderDeps, Sent, Target } from './senders/sender.ts'

/** The default export of `receivers/<kind>/receiver.ts`. */
export interface ReceiverKind {
  readonly descriptor: ReceiverDescriptor
  readonly openSender: (deps: SenderDeps) => Sender
  /** Whether the operator has set what its sender needs; missing: it needs nothing. */
  readonly isConfigured?: (deps: SenderDeps) => boolean
  /** Why nothing can be sent as the operator has set it; undefined where it can. */
  readonly refusal?: (deps: SenderDeps) => string | undefined
  /** Its contract group, served; missing where a list of recipients makes its receivers. */
  readonly routes?: (deps: ReceiverDeps) => Route<ReceiverCall>[]
  /** What a receiver would be sent, where its sender asks before it sends; missing: the sender is run, and what it sends is kept. */
  readonly preview?: (to: Target, message: Message, messageId: string) => Sent
  /** What it does besides sending messages, from the start of a console to its stop. */
  readonly openWork?: (deps: WorkDeps) => ReceiverWork
}

export type WorkDeps = Pick<
  AppContext,
  'engine' | 'reader' | 'writer' | 'config' | 'vault' | 'world' | 'log' | 'background'
> & {
  /** The console's own address, for links. */
  readonly consoleUrl: () => string
  /** How long a receiver may take to answer. */
  readonly timeoutMs: number
  /** Flock → the receivers whose alerts are on. */
  readonly active: () => Promise<{ get(flockId: string): readonly string[] | undefined }>
}

export interface ReceiverWork {
  /** Gives the work to another console. */
  stop(): Promise<void>
}

/** Pure: data, and functions of their arguments alone. */
export type ReceiverDescriptor = WebhookDescriptor | RecipientListDescriptor

interface Described {
  /** The folder's name: in the `kind` column and in the delivery log. */
  readonly kind: string
  /** Its name for people. */
  readonly title: string
  /** What it is, what it needs, and what its vendor limits, in sentences. */
  readonly help: string
  readonly takes: 'incidents' | 'weekly-summary'
  /** It is a store of events that nobody reads one by one: every message goes out, and none is folded into a digest. */
  readonly isUnlimited?: true
  /** It keeps what it was sent in states: it is notified when an incident is acknowledged or deleted, too. */
  readonly followsStates?: true
}

/** Operations of a contract group make its receivers, and the switches of webhooks silence them. */
export interface WebhookDescriptor<Given = never, View = unknown> extends Described {
  readonly madeBy: 'operations'
  /** From parameters to what is kept, sealed but for the host; what is wrong is a `bad-input` that names it. */
  readonly parse: (given: Given) => ReceiverForm
  /** How the API shows one; a caller who is no admin sees no secret. */
  readonly view: (receiver: Receiver, isAdmin: boolean) => View
  /** The channel of a chat service that one writes into, shown with the incidents whose alert it has; missing: it is no chat. */
  readonly channelOf?: (receiver: Receiver) => string
  /** The one format that it writes, or `any`: no receiver is added with a URL of a chat that reads another. */
  readonly writes?: string
  /** The field of `webhooks/info` that shows those of a Flock; `one`: a Flock has at most one. */
  readonly info: { readonly field: string; readonly holds: 'many' | 'one' }
}

/** A list of recipients makes its receiver while the list is enabled; it has a switch of its own. */
export interface RecipientListDescriptor extends Described {
  readonly madeBy: 'recipient-list'
  /** The list's name: the last part of its operations' paths, and its field in the answers. */
  readonly list: string
  /** The parameter that holds the recipients, separated by commas. */
  readonly parameter: string
  readonly maxRecipients: number
  /** The one spelling in which a recipient is kept; undefined for what is none. */
  readonly parse: (text: string) => string | undefined
  /** What a recipient must be, with an example. */
  readonly expected: string
  /** Shown in logs instead of the recipients, before their number. */
  readonly shownAs: string
  /** The reason why a list cannot be enabled before its provider is configured. */
  readonly notConfigured: string
}

/** What the operations of a kind take. */
export type ReceiverDeps = Pick<AppContext, 'reader' | 'config' | 'vault' | 'world'> & {
  readonly notifier: Notifier
}

/** What the operations of a kind know of a call. */
export interface ReceiverCall {
  readonly caller: { readonly type: string; readonly scope: Scope }
  readonly change: <T>(work: (tx: Tx) => Promise<T>) => Promise<T>
}

/** Types a descriptor by what its `parse` takes and its `view` answers. */
export const describeWebhook = <Given, View>(
  descriptor: Omit<WebhookDescriptor<Given, View>, 'madeBy' | 'takes'>,
): WebhookDescriptor<Given, View> => ({ ...descriptor, madeBy: 'operations', takes: 'incidents' })
