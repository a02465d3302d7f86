// What the events of this service say, by the keys of its descriptor.
import { readableText } from '../../../../session/readable.ts'
import type { DecoyEvent } from '../../../../session/session.ts'
import { crackerLine } from '../../../../windows/netntlm.ts'
import { isAnonymous, type Authenticate } from '../../../../windows/ntlm.ts'
import type { Login } from '../../protocol/login.ts'
import { ANONYMOUS } from '../../protocol/tokens.ts'

type Program = Pick<Login, 'host' | 'app' | 'server'>

/** In place of a password that only its response tells of. */
const RESPONSE_ALONE = '<Sent as NTLM response>'

/** 9001: a user of the database. */
export const sqlLogin = (login: Program & Pick<Login, 'user' | 'password'>): DecoyEvent => ({
  logtype: '9001',
  fields: {
    USERNAME: readableText(login.user),
    PASSWORD: readableText(login.password),
    ...programFields(login),
    DOMAINNAME: readableText(domainOf(login.user)),
  },
})

/** Some log in to the database as `DOMAIN\user`. */
const domainOf = (user: string): string => (user.includes('\\') ? user.slice(0, user.indexOf('\\')) : '')

/** 9002: a user of Windows; without `authenticate` the client left before it said who it was. */
export function windowsLogin(
  login: Program,
  authenticate: Authenticate | undefined,
  challenge: Buffer,
): DecoyEvent {
  const user = authenticate && isAnonymous(authenticate) ? ANONYMOUS : (authenticate?.user ?? '')
  const response = authenticate ? crackerLine(authenticate, challenge) : ''
  return {
    logtype: '9002',
    fields: {
      USERNAME: readableText(user),
      PASSWORD: response === '' ? '' : RESPONSE_ALONE,
      ...programFields({ ...login, host: login.host || (authenticate?.workstation ?? '') }),
      DOMAINNAME: readableText(authenticate?.domain ?? ''),
      RESPONSE: readableText(response),
    },
  }
}

const programFields = ({ host, app, server }: Program) => ({
  HOSTNAME: readableText(host),
  APPNAME: readableText(app),
  SERVERNAME: readableText(server),
})
