// Where the artefacts of tokens log in by MySQL.
import { limit } from '@rookery/kernel/limit.ts'
import channel from '@rookery/tokens/channels/mysql/channel.ts'
import {
  errorPacket,
  SEQUENCE_AFTER_LOGIN,
  SEQUENCE_AFTER_REPLY,
} from '@rookery/tokens/channels/mysql/packet.ts'
import { mysqlProtocol } from '@rookery/tokens/channels/mysql/protocol.ts'
import type { MysqlLogin, MysqlVisit } from '@rookery/tokens/channels/mysql/visit.ts'
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
const CONNECTIONS = limit('mysql_connections', 1_000)

const mysql: LoginChannel<MysqlLogin, MysqlVisit> = {
  protocol: mysqlProtocol,
  bound: CONNECTIONS,
  names: ({ user, database }) => `${user} ${database}`,
  visitOf: (login, base) => ({ channel: 'mysql', ...login, ...base }),
  refusal(visit, { kind, settings, visited }: TokenOutcome = UNKNOWN_TOKEN, isReply) {
    const answer = kind === undefined ? undefined : kinds[kind]?.on.mysql?.answer?.(visit, settings, visited)
    const sequence = isReply ? SEQUENCE_AFTER_REPLY : SEQUENCE_AFTER_LOGIN
    return errorPacket(answer ?? channel.blank(visit), sequence)
  },
}

export const openMysqlServer = (deps: LoginServerDeps, at: string): Promise<LoginServer> =>
  openLoginServer(deps, mysql, at)
