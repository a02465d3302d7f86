// Where the artefacts of tokens log in by PostgreSQL.
import { limit } from '@rookery/kernel/limit.ts'
import channel from '@rookery/tokens/channels/postgres/channel.ts'
import { errorResponse } from '@rookery/tokens/channels/postgres/error-response.ts'
import { postgresProtocol } from '@rookery/tokens/channels/postgres/protocol.ts'
import type { PostgresLogin, PostgresVisit } from '@rookery/tokens/channels/postgres/visit.ts'
import { kinds } from '@rookery/tokens/kinds.gen.ts'
import type { TokenOutcome } from '../../flows/ingest/ingest-item.ts'
import { UNKNOWN_TOKEN } from '../token-touches.ts'
import {
  openLoginServer,
  type LoginChannel,
  type LoginServer,
  type LoginServerDeps,
} from '../tcp/login-server.ts'

/** Clients that are connected to the listener of tokens at once. */
const CONNECTIONS = limit('postgres_connections', 1_000)

const postgres: LoginChannel<PostgresLogin, PostgresVisit> = {
  protocol: postgresProtocol,
  bound: CONNECTIONS,
  names: ({ user, database }) => `${user} ${database}`,
  visitOf: (login, base) => ({ channel: 'postgres', ...login, ...base }),
  refusal(visit, { kind, settings, visited }: TokenOutcome = UNKNOWN_TOKEN) {
    const answer =
      kind === undefined ? undefined : kinds[kind]?.on.postgres?.answer?.(visit, settings, visited)
    return errorResponse(answer ?? channel.blank(visit))
  },
}

export const openPostgresServer = (deps: LoginServerDeps, at: string): Promise<LoginServer> =>
  openLoginServer(deps, postgres, at)
