// What an intruder typed stands in events as it was typed, whichever of both encodings the client had. SSH: its session.test.ts;
// names of NTLM, for SMB and SQL Server: windows/ntlm.test.ts. VNC sends no text.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { testContext } from './session-context.ts'
import { readable } from '../src/session/readable.ts'
import { services } from '../src/services.gen.ts'
import { oldLogin as oldSqlServerLogin, packet, TYPE } from '../lab/mssql/client.ts'
import { converse as converseWithSqlServer } from '../lab/mssql/conversation.ts'
import { framed, login, oldLogin } from '../lab/mysql/client.ts'
import { converse as converseWithMysql } from '../lab/mysql/conversation.ts'
import { password, refuseAll, user } from '../lab/telnet/client.ts'
import { telnetDefaults } from '../lab/telnet/defaults.ts'
import { replayDialogue } from '../lab/telnet/replay.ts'
import type { DecoyEvent } from '../src/session/session.ts'

/** Events of a decoy of one listener, to a latin1 text. */
function eventsTo(service: 'ftp' | 'redis' | 'http', text: string): readonly DecoyEvent[] {
  const settings = { [`${service}.enabled`]: true, [`${service}.port`]: 1, 'http.skin': 'router' }
  const session = services[service]!.listeners(settings)[0]!.startSession(testContext())
  const replies = [session.open(), ...session.receive(Buffer.from(text, 'latin1'))]
  while (session.hasMore) replies.push(...session.resume())
  return replies.flatMap(({ events = [] }) => events)
}

async function eventsOfMysql(version: string, request: string): Promise<readonly DecoyEvent[]> {
  const { events, atEnd } = await converseWithMysql(version, [framed(request)])
  return [...events, ...atEnd()]
}

const post = (type: string, body: string): string =>
  `POST /login.html HTTP/1.1\r\nHost: x\r\nContent-Type: ${type}\r\nContent-Length: ${body.length}\r\n\r\n${body}`

/** Sends the name, as latin1 bytes, where a decoy records a text. */
const DECOYS: Readonly<
  Record<string, (name: string) => Promise<readonly DecoyEvent[]> | readonly DecoyEvent[]>
> = {
  ftp: (name) => eventsTo('ftp', `USER ${name}\r\nPASS ${name}\r\n`),
  redis: (name) => eventsTo('redis', `AUTH ${name}\r\n`),
  'http, in a header': (name) => eventsTo('http', `GET / HTTP/1.1\r\nHost: x\r\nUser-Agent: ${name}\r\n\r\n`),
  'http, in a form': (name) =>
    eventsTo('http', post('application/x-www-form-urlencoded', `username=${name}&password=${name}`)),
  'http, in a form of parts': (name) =>
    eventsTo(
      'http',
      post(
        'multipart/form-data; boundary=b',
        ['username', 'password']
          .map((field) => `--b\r\nContent-Disposition: form-data; name="${field}"\r\n\r\n${name}\r\n`)
          .join(''),
      ),
    ),
  telnet: (name) =>
    replayDialogue({ name: '', turns: [...refuseAll(), user(name), password(name)] }, telnetDefaults())
      .events,
  'dbsrv_a, by TDS 4.2': (name) =>
    converseWithSqlServer([
      packet(TYPE.oldLogin, oldSqlServerLogin({ user: name, password: name }), { status: 0 }),
    ]).events,
  'dbsrv_b, by MySQL 4': (name) => eventsOfMysql('mariadb-10.11', oldLogin({ user: name })),
  'dbsrv_b, by MySQL 5.7': (name) => eventsOfMysql('mysql-5.7', login({ user: name })),
  'dbsrv_b, by MySQL 8': (name) => eventsOfMysql('mysql-8.0', login({ user: name })),
}

test.each(Object.entries(DECOYS))(
  '%s: a name is read as UTF-8 where it is that, and else as Latin-1',
  async (_, send) => {
    for (const [sent, shown] of [
      ['J\xfcrgen', 'Jürgen'],
      ['J\xc3\xbcrgen', 'Jürgen'],
      ['\xe9\xdf\xc3', 'éßÃ'],
    ] as const) {
      const texts = JSON.stringify((await send(sent)).map(({ fields }) => fields))
      expect(texts).toContain(shown)
    }
  },
)

test('a field of a form may be written in per cent, in either encoding', () => {
  const form = 'application/x-www-form-urlencoded'
  for (const name of ['J%FCrgen', 'J%c3%bcrgen'])
    expect(eventsTo('http', post(form, `username=${name}&password=a+b%2bc`))[0]?.fields).toMatchObject({
      USERNAME: 'Jürgen',
      PASSWORD: 'a b+c',
    })
})

test('every text is shown as it was sent, but for what could forge what people see', () => {
  expect(readable('\x00\x85\xff')).toBe('\\x00\\x85ÿ')
  expect(readable('\xef\xbf\xbd')).toBe('\ufffd')
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      const shown = readable(Buffer.from(text).toString('latin1'))
      expect(shown).not.toMatch(/[\x00-\x1f\x7f-\x9f\u2028-\u202e]/)
      if (!/[\x00-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069]/.test(text)) expect(shown).toBe(text)
    }),
  )
})
