// What a format is: how one service reads a message that is posted to a plain URL of it.
import type { Message } from '../message/message.ts'

export interface Format {
  /** Whose URLs these are, for people. */
  readonly service: string
  /** Host and path of the URLs at which nothing else can be: no other format is sent there. */
  readonly own?: RegExp
  /** Host and path of URLs that `auto` takes for it; an operator who knows better may name another format. */
  readonly likely?: RegExp
  /** Where it is posted; missing: to the URL as it was given. */
  readonly at?: (url: URL) => string
  /** Why it cannot be sent to a URL, as a sentence goes on behind it. */
  readonly refusal?: (url: URL) => string | undefined
  /** Pure; bounded by what the service takes, whatever the message holds. */
  readonly body: (message: Message, url: URL) => object
}
