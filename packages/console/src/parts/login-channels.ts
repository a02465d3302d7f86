// The channels whose clients log in over TCP: MySQL and PostgreSQL.
import type { ChannelUses, OpenedChannel } from '../channels/channel-use.ts'
import { openMysqlServer } from '../channels/mysql/server.ts'
import { openPostgresServer } from '../channels/postgres/server.ts'
import type { LoginServer, LoginServerDeps } from '../channels/tcp/login-server.ts'
import type { Config } from '../config/config.ts'
import type { LoginEndpoints } from '../flows/tokens/address.ts'
import { hostPort } from '../addresses/host-port.ts'
import { openListener } from './open-listener.ts'

type LoginChannelName = keyof LoginEndpoints

const LISTENERS = {
  mysql: {
    open: openMysqlServer,
    listen: 'ROOKERY_TOKENS_MYSQL_LISTEN',
    at: 'ROOKERY_TOKENS_MYSQL_AT',
  },
  postgres: {
    open: openPostgresServer,
    listen: 'ROOKERY_TOKENS_POSTGRES_LISTEN',
    at: 'ROOKERY_TOKENS_POSTGRES_AT',
  },
} as const

export interface ServedLogins {
  readonly endpoints: LoginEndpoints
  /** `host:port` of each listener; undefined for a channel that is switched off, or whose default address is taken. */
  readonly addresses: Readonly<Record<LoginChannelName, string | undefined>>
  readonly channels: readonly OpenedChannel[]
}

type Deps = Omit<LoginServerDeps, 'advertisedPort' | 'onRequest' | 'onRefused'> & {
  readonly uses: ChannelUses
  readonly onRefused: (at: { readonly channel: LoginChannelName }) => (address: string) => void
}

/** Serves those that are not switched off. */
export async function serveLogins(
  deps: Deps,
  config: Config,
  opened: AsyncDisposableStack,
): Promise<ServedLogins> {
  const mysql = await serveOne('mysql', deps, config)
  if (mysql) opened.defer(mysql.stop)
  const postgres = await serveOne('postgres', deps, config)
  if (postgres) opened.defer(postgres.stop)
  const addresses = { mysql: mysql?.address, postgres: postgres?.address }
  const endpoints = endpointsOf(config, addresses)
  const opens = (channel: LoginChannelName): OpenedChannel => ({
    channel,
    listens: addresses[channel] ?? '',
    named: namedAt(endpoints[channel], config.ROOKERY_TOKENS_DOMAIN),
  })
  return { endpoints, addresses, channels: [opens('mysql'), opens('postgres')] }
}

function serveOne(
  channel: LoginChannelName,
  { uses, onRefused, ...deps }: Deps,
  config: Config,
): Promise<LoginServer | undefined> {
  const { open, listen, at } = LISTENERS[channel]
  const advertisedPort = config[at] === '' ? undefined : hostPort(config[at]).port
  const onRequest = (srcHost: string): void => uses.request({ channel, srcHost })
  return openListener(listen, config, deps.log, (address) =>
    open({ ...deps, advertisedPort, onRequest, onRefused: onRefused({ channel }) }, address),
  )
}

/** What artefacts name. `addresses` are those of this process; where another one serves the channels, those of the options. */
export function endpointsOf(
  config: Config,
  addresses: Partial<ServedLogins['addresses']> = {},
): LoginEndpoints {
  const endpoint = (channel: LoginChannelName): string => {
    const { listen, at } = LISTENERS[channel]
    if (config[listen] === 'off') return ''
    return config[at] || `:${hostPort(addresses[channel] ?? config[listen]).port}`
  }
  return { mysql: endpoint('mysql'), postgres: endpoint('postgres') }
}

const namedAt = (endpoint: string, zone: string): string =>
  endpoint.startsWith(':') ? `${zone}${endpoint}` : endpoint
