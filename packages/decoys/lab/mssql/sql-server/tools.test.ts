// What tools sent, encryption switched off, is answered so that they were content, and reported.
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { packetsOf } from '../client.ts'
import { converse } from '../conversation.ts'
import { describeAnswer } from '../describe.ts'

/** Segments in hexadecimal, as they came. */
const TOOLS = JSON.parse(readFileSync(new URL('./tools.json', import.meta.url), 'utf8')) as Record<
  string,
  readonly string[]
>

const REFUSED = "18456 Login failed for user 'sa'. (closed)"
const PRELOGIN = 'PRELOGIN 15.0.2000.0 encryption 2 instance 0'
const UNTRUSTED =
  '18452 Login failed. The login is from an untrusted domain and cannot be used with Integrated authentication. (closed)'

const sql = (user: string, password: string, more: object = {}) => ({
  logtype: '9001',
  fields: { USERNAME: user, PASSWORD: password, ...more },
})
const windows = (user: string, more: object) => ({
  logtype: '9002',
  fields: { USERNAME: user, DOMAINNAME: 'CORP', PASSWORD: '<Sent as NTLM response>', ...more },
})

test.each<[tool: string, said: string, event: object | undefined]>([
  ['tsql (FreeTDS 1.3.17), TDS 7.0', REFUSED, sql('sa', 'pass-7.0', { APPNAME: 'TSQL' })],
  ['tsql, TDS 7.1', `${PRELOGIN} ${REFUSED}`, sql('sa', 'pass-7.1')],
  ['tsql, TDS 7.2', `${PRELOGIN} mars 0 ${REFUSED}`, sql('sa', 'pass-7.2')],
  ['tsql, TDS 7.3', `${PRELOGIN} mars 0 ${REFUSED}`, sql('sa', 'pass-7.3')],
  ['tsql, TDS 7.4', `${PRELOGIN} mars 0 ${REFUSED}`, sql('sa', 'pass-7.4', { SERVERNAME: '127.0.0.1' })],
  [
    'tsql, NTLM',
    `${PRELOGIN} mars 0 SSPI challenge ${UNTRUSTED}`,
    windows('bob', { RESPONSE: expect.stringMatching(/^bob::CORP:[0-9a-f]{16}:/) as string }),
  ],
  [
    'pymssql 2.2.2',
    `${PRELOGIN} mars 0 18456 Login failed for user 'reports'. (closed)`,
    sql('reports', 'Summer2026', { APPNAME: 'crm' }),
  ],
  [
    'impacket 0.10.0',
    `${PRELOGIN} 18456 Login failed for user 'Administrator'. (closed)`,
    sql('Administrator', 'Hello1'),
  ],
  [
    'impacket, NTLM',
    `${PRELOGIN} SSPI challenge ${UNTRUSTED}`,
    windows('Administrator', { RESPONSE: expect.stringMatching(/^Administrator::CORP:/) as string }),
  ],
  ['hydra 9.4', '(closed)', sql('sa', 'letmein')],
  ['medusa 2.2', '(closed)', sql('sa', 'letmein')],
  ['nmap 7.93 -sV', 'PRELOGIN 15.0.2000.0 encryption 0 instance 0', undefined],
  ['nmap, ms-sql-info', 'PRELOGIN 15.0.2000.0 encryption 0 instance 0', undefined],
])('%s is given: %s', (tool, said, event) => {
  const { replies, events, isClosed } = converse(TOOLS[tool]!.map((segment) => Buffer.from(segment, 'hex')))
  const bytes = Buffer.concat(replies.map(({ send = '' }) => Buffer.from(send)))
  expect(packetsOf(bytes).every(({ status }) => status === 1)).toBe(true)
  expect(describeAnswer({ text: bytes.toString('latin1'), closed: isClosed })).toBe(said)
  if (event === undefined) expect(events).toEqual([])
  else expect(events).toMatchObject([event])
})
