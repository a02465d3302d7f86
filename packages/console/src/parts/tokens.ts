// The part `tokens`: the listener where token URLs are opened.
import { withMax, type Limit } from '@rookery/kernel/limit.ts'
import { openTokenServer } from '../channels/http/token-server.ts'
import type { Config } from '../config.ts'
import { CONNECTIONS_PER_SOURCE } from '../net/admission.ts'
import { listening, portOf } from '../net/listening.ts'
import { parseRanges } from '../net/ranges.ts'
import type { OpenContext } from '../open-context.ts'
import type { Flows } from './flows.ts'

/** Serves and answers the base address of token URLs. */
export async function serveTokens(
  base: OpenContext,
  config: Config,
  flows: Flows,
  opened: AsyncDisposableStack,
): Promise<string> {
  const channel = openTokenServer({
    ...base,
    trusted: parseRanges(config.ROOKERY_TRUSTED_PROXIES, 'ROOKERY_TRUSTED_PROXIES'),
    perSource: connectionsPerSource(config),
    advertisedPort: portOf(config.ROOKERY_TOKENS_URL),
    submit: flows.ingest.fromToken,
  })
  flows.setBufferedTouches(channel.held)
  const url = await listening(channel.server, config.ROOKERY_TOKENS_LISTEN)
  opened.defer(channel.stop)
  return config.ROOKERY_TOKENS_URL || url
}

/** The bound that the options set. */
export const connectionsPerSource = (config: Config): Limit =>
  withMax(CONNECTIONS_PER_SOURCE, Number(config.ROOKERY_CONNECTIONS_PER_SOURCE))

/** The base address of token URLs where another process serves them, at the same options. */
export const tokensElsewhere = (config: Config): string =>
  config.ROOKERY_TOKENS_URL || `http://${config.ROOKERY_TOKENS_LISTEN}`
