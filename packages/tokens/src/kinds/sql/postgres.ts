// The script for PostgreSQL: a foreign table on the token's host. To read it makes the server log in there as the token.
import type { Endpoint } from '../../token.ts'
import { POSTGRES_LABEL } from './payload.ts'

export interface ForeignTable {
  readonly tokenId: string
  readonly hostname: string
  /** Undefined while the channel is switched off: then the look-up alone is seen. */
  readonly postgres: Endpoint | undefined
  readonly schema: string
  readonly name: string
  readonly columns: readonly string[]
  readonly password: string
}

const POSTGRES_PORT = 5_432
/** A server cuts names there (NAMEDATALEN). Names are ASCII. */
const IDENTIFIER_BYTES = 63
/** The statement of the intruder waits so long. */
const CONNECT_TIMEOUT_S = 3

export function foreignTableScript(given: ForeignTable): string {
  const { tokenId, hostname, postgres = { host: hostname, port: POSTGRES_PORT } } = given
  const { schema, name, columns, password } = given
  const server = quoted(`${name.slice(0, IDENTIFIER_BYTES - 4)}_srv`)
  const table = quoted(schema, name)
  const options = {
    // A name of its own: shorter ones are also those that resolvers ask for on their way to a longer one.
    host: postgres.host === hostname ? `${POSTGRES_LABEL}.${hostname}` : postgres.host,
    port: postgres.port,
    dbname: name.slice(0, IDENTIFIER_BYTES),
    connect_timeout: CONNECT_TIMEOUT_S,
    // From PostgreSQL 15 the user who runs the statement; before, these two characters.
    application_name: '%u',
  }
  return [
    'CREATE EXTENSION IF NOT EXISTS postgres_fdw;',
    `CREATE SERVER ${server} FOREIGN DATA WRAPPER postgres_fdw`,
    `  OPTIONS (${optionsOf(options)});`,
    `CREATE USER MAPPING FOR PUBLIC SERVER ${server}`,
    `  OPTIONS (${optionsOf({ user: tokenId, password })});`,
    `CREATE FOREIGN TABLE ${table} (${columnsOf(columns)})`,
    `  SERVER ${server};`,
    `GRANT SELECT ON ${table} TO PUBLIC;`,
    '',
  ].join('\n')
}

const columnsOf = (columns: readonly string[]): string =>
  ['"id" bigint', ...columns.map((column) => `"${column}" text`)].join(', ')

const optionsOf = (options: Readonly<Record<string, string | number>>): string =>
  Object.entries(options)
    .map(([name, value]) => `${name} '${String(value).replaceAll("'", "''")}'`)
    .join(', ')

const quoted = (...identifiers: readonly string[]): string =>
  identifiers.map((it) => `"${it.slice(0, IDENTIFIER_BYTES).replaceAll('"', '""')}"`).join('.')
