// MySQL: a login whose user or database carries a token id.
import { printableText } from '@rookery/kernel/sanitize.ts'
import { channel } from '../../channel.ts'
import type { MysqlAnswer, MysqlVisit } from './visit.ts'

/** A server cuts the name of a user there. */
const USER_CHARACTERS = 128

export default channel<MysqlVisit, MysqlAnswer>({
  name: 'mysql',
  // Clients open several connections at once, and a replica connects again.
  visitMs: 60_000,
  visitor: ({ srcHost, user }) => `${srcHost}|${user}`,
  visitorDetail: ({ database }) => [database],
  eventName: () => '',
  sanitize: (visit) => ({
    ...visit,
    srcHost: printableText(visit.srcHost),
    user: printableText(visit.user),
    database: printableText(visit.database),
    clientVersion: printableText(visit.clientVersion),
    os: printableText(visit.os),
    program: printableText(visit.program),
  }),
  // ER_ACCESS_DENIED_ERROR
  blank: ({ user, srcHost, hasPassword }) => ({
    code: 1045,
    sqlState: '28000',
    message: `Access denied for user '${user.slice(0, USER_CHARACTERS)}'@'${srcHost}' (using password: ${hasPassword ? 'YES' : 'NO'})`,
  }),
})
