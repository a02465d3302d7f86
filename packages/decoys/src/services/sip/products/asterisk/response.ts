// Responses as pjsip writes them: the order of the headers, the Via with what it saw, and the To with a tag.
import type { SessionContext } from '../../../../session/session.ts'
import { valueOf, type Request } from '../../protocol/message.ts'
import { REALM, REASONS, SERVER } from './profile.ts'

export function response(request: Request, status: number, context: SessionContext): string {
  const vias = request.headers.filter(({ name }) => name === 'Via').flatMap(({ value }) => split(value))
  const routes = request.headers.filter(({ name }) => name === 'Record-Route')
  const branch = /;\s*branch=([^;,\s]+)/i.exec(vias[0] ?? '')?.[1]
  const lines = [
    `SIP/2.0 ${status} ${REASONS.get(status)}`,
    ...vias.map((via, at) => `Via: ${at === 0 ? seen(via, context) : via}`),
    ...routes.map(({ value }) => `Record-Route: ${value}`),
    ...copied(request, 'Call-ID', (value) => value),
    ...copied(request, 'From', bracketed),
    ...copied(request, 'To', (value) => tagged(bracketed(value), branch, context)),
    ...copied(request, 'CSeq', (value) => value),
    ...(status === 401 ? [`WWW-Authenticate: ${challenge(context)}`] : []),
    `Server: ${SERVER}`,
    'Content-Length:  0',
  ]
  return `${lines.join('\r\n')}\r\n\r\n`
}

const copied = (request: Request, name: string, change: (value: string) => string): readonly string[] => {
  const value = valueOf(request, name)
  return value === undefined ? [] : [`${name}: ${change(value)}`]
}

/** Several of them may stand in one line. */
const split = (value: string): readonly string[] =>
  value.split(/,(?=\s*SIP\s*\/)/i).map((part) => part.trim())

/** The topmost gets the address that it came from, and the port where that is asked for (RFC 3261, 18.2.1; RFC 3581, 4). */
function seen(via: string, { src }: SessionContext): string {
  const [place = '', ...parameters] = via.split(';').map((part) => part.trim())
  const asks = parameters.some((parameter) => /^rport(?:=|$)/i.test(parameter))
  const others = parameters.filter((parameter) => !/^(?:rport|received)(?:=|$)/i.test(parameter))
  return [place, ...(asks ? [`rport=${src.port}`] : []), `received=${src.host}`, ...others].join(';')
}

/** An address alone gets its brackets, as pjsip prints it; what stands behind it are parameters of the header. */
function bracketed(value: string): string {
  if (value.includes('<')) return value
  const [address = '', ...parameters] = value.split(';')
  return [`<${address.trim()}>`, ...parameters.map((parameter) => parameter.trim())].join(';')
}

/** Without a state of its own, pjsip takes the branch for its tag. */
function tagged(to: string, branch: string | undefined, { random }: SessionContext): string {
  const behind = to.slice(to.lastIndexOf('>') + 1)
  return /;\s*tag=/i.test(behind) ? to : `${to};tag=${branch ?? random(16).toString('hex')}`
}

/** Fresh each time: the second and what nobody can foresee (RFC 2617, 3.2.1). */
function challenge({ now, random }: SessionContext): string {
  const nonce = `${Math.floor(now() / 1_000)}/${random(16).toString('hex')}`
  return `Digest realm="${REALM}",nonce="${nonce}",opaque="${random(8).toString('hex')}",algorithm=md5,qop="auth"`
}
