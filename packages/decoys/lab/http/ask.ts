// Requests to a session of the web decoy, without a socket.
import { testContext } from '../../test/session-context.ts'
import type { Reply, SessionContext, SessionRunner } from '../../src/session/session.ts'
import { webSession } from '../../src/services/http/servers.ts'
import { loadSkin } from '../../src/services/http/load-skin.ts'

/** A session of this skin, with nothing set by an operator. */
export const withSkin = (skin: string) => webSession({ banner: '', skin: loadSkin(skin), headers: {} })
export const apache = (skin = 'nas') => withSkin(skin)

export const textOf = (replies: readonly Reply[]): string =>
  replies.map(({ send = '' }) => send.toString('latin1')).join('')
export const lastWakeOf = (replies: readonly Reply[]) =>
  replies.findLast(({ wakeMs }) => wakeMs !== undefined)?.wakeMs

/** A session that stays open. */
export function openSession(startSession: SessionRunner, context: Partial<SessionContext> = {}) {
  const session = startSession(testContext(context))
  return {
    opened: session.open(),
    wake: () => session.wake()!,
    send: (text: string) => session.receive(Buffer.from(text, 'latin1')),
  }
}

/** What a session answers to these bytes; latin1. */
export const ask = (text: string, startSession = apache()) => {
  const replies = openSession(startSession).send(text)
  return {
    text: textOf(replies),
    bytes: Buffer.concat(replies.map(({ send = '' }) => Buffer.from(send))),
    events: replies.flatMap(({ events = [] }) => events),
  }
}
export const post = (path: string, body: string, type = 'application/x-www-form-urlencoded', more = '') =>
  `POST ${path} HTTP/1.1\r\nHost: nas.lan\r\nUser-Agent: Firefox\r\nContent-Type: ${type}\r\n${more}Content-Length: ${body.length}\r\n\r\n${body}`
export const get = (path: string, more = '') =>
  `GET ${path} HTTP/1.1\r\nHost: nas.lan\r\nUser-Agent: Firefox\r\n${more}\r\n`
