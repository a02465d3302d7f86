// PostgreSQL: a login whose user or database carries a token id.
import { printableText } from '@rookery/kernel/sanitize.ts'
import { channel } from '../../channel.ts'
import type { PostgresAnswer, PostgresVisit } from './visit.ts'

/** A server cuts names there (NAMEDATALEN). */
const NAME_BYTES = 63
const nameOf = (text: string): string => Buffer.from(text).subarray(0, NAME_BYTES).toString()

export default channel<PostgresVisit, PostgresAnswer>({
  name: 'postgres',
  // A session that is refused connects again for each statement.
  visitMs: 60_000,
  visitor: ({ srcHost, user, database }) => `${srcHost}|${user}|${database}`,
  eventName: () => '',
  sanitize: (visit) => ({
    ...visit,
    srcHost: printableText(visit.srcHost),
    user: printableText(visit.user),
    database: printableText(visit.database),
    applicationName: printableText(visit.applicationName),
  }),
  // No password is asked for where no line of pg_hba.conf fits the client.
  blank: ({ srcHost, user, database }) => ({
    code: '28000',
    message: `no pg_hba.conf entry for host "${srcHost}", user "${nameOf(user)}", database "${nameOf(database)}", no encryption`,
    raisedBy: { file: 'auth.c', line: 544, routine: 'ClientAuthentication' },
  }),
})
