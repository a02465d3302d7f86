// Objects of a database that nobody uses. Their use makes the server look the token up, or log in to it.
import { Fault } from '@rookery/kernel/fault.ts'
import { lookUpFields } from '../../channels/dns/look-up-fields.ts'
import type { PostgresVisit } from '../../channels/postgres/visit.ts'
import { token } from '../../token.ts'
import { descriptor } from './descriptor.ts'
import { checkNames, namesOf } from './names.ts'
import { lookedUp } from './payload.ts'
import { foreignTableScript } from './postgres.ts'
import { functionScript, triggerScript, viewScript } from './t-sql.ts'

/** With a longer one, a path of SQL Server has no room for the name of a user. */
const MAX_DOMAIN_CHARACTERS = 60

/** PostgreSQL before 15 leaves `%u` as it is. */
const userOf = ({ applicationName }: PostgresVisit): string | undefined =>
  ['', '%u'].includes(applicationName) ? undefined : applicationName

export default token(descriptor, {
  renders(address, settings) {
    const { tokenId, hostname, postgres } = address
    const domainCharacters = hostname.length - tokenId.length - 1
    if (domainCharacters > MAX_DOMAIN_CHARACTERS)
      throw new Fault('bad-input', 'The domain of the token is too long for SQL Server.', {
        details: {
          custom_domain: `must be a domain of at most ${MAX_DOMAIN_CHARACTERS} characters, not ${domainCharacters}`,
        },
      })
    checkNames(settings)
    const { sql_schema, sql_table } = settings
    const names = namesOf(tokenId, settings)
    const sqlServer = { hostname, schema: sql_schema ?? 'dbo', ...names }
    return {
      view: viewScript(sqlServer),
      function: functionScript(sqlServer),
      ...(sql_table !== undefined && { trigger: triggerScript({ ...sqlServer, name: sql_table }) }),
      postgresql: foreignTableScript({
        tokenId,
        hostname,
        postgres,
        schema: sql_schema ?? 'public',
        ...names,
      }),
    }
  },
  on: {
    dns: {
      judge: ({ labels }) => (lookedUp(labels) ? 'fire' : 'quiet'),
      visitorDetail({ labels }) {
        const { sql_user, sql_action } = lookedUp(labels) ?? {}
        return sql_user === undefined ? [] : [`${sql_action}|${sql_user}`]
      },
      describe: (visit) => ({ ...lookUpFields(visit), ...lookedUp(visit.labels) }),
    },
    postgres: {
      visitorDetail(visit) {
        const user = userOf(visit)
        return user === undefined ? [] : [user]
      },
      describe(visit) {
        const user = userOf(visit)
        return { database: visit.database, ...(user !== undefined && { sql_user: user }) }
      },
    },
  },
})
