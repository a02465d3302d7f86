// The app that the operator registered with a chat service, for kinds of receivers that are authorised there.
import { Fault } from '@rookery/kernel/fault.ts'
import type { Config } from '../config/config.ts'

/** The app that the operator registered with the chat service. */
export interface ChatProvider {
  /** Base address of the service, without a trailing slash. */
  readonly url: string
  readonly clientId: string
  readonly clientSecret: string
}

/** What beginning and ending an authorisation take. */
export interface ChatDeps {
  /** The chat service with which the operator registered an app; undefined for none. */
  readonly chatProvider: () => ChatProvider | undefined
}

/** The provider of the options; undefined while there is no client id or no secret. */
export function chatProvider(config: Config): ChatProvider | undefined {
  const { ROOKERY_CHATOPS_CLIENT_ID: clientId, ROOKERY_CHATOPS_CLIENT_SECRET: clientSecret } = config
  if (clientId === '' || clientSecret === '') return undefined
  return { url: config.ROOKERY_CHATOPS_URL.replace(/\/+$/, ''), clientId, clientSecret }
}

export const NOT_CONFIGURED =
  'No chat service is configured: set ROOKERY_CHATOPS_CLIENT_ID and ROOKERY_CHATOPS_CLIENT_SECRET.'

/** The provider; a `conflict` that names the options where there is none. */
export function configured(provider: ChatProvider | undefined): ChatProvider {
  if (provider) return provider
  throw new Fault('conflict', NOT_CONFIGURED)
}
