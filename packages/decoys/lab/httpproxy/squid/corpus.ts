// The probes that squid, which wants a password of everyone, and our decoy answer alike.
import type { Probe } from '../../../test/probe.ts'
import { FIELDS } from '../../http/requests.ts'
import { PROXY_FIELDS, TARGETS } from './targets.ts'

export const concurrency = 8

const request = (line: string, ...fields: string[]): string => [line, ...fields, '', ''].join('\r\n')
const get = (...fields: string[]): string => request('GET http://a/ HTTP/1.1', ...fields)

const ask = (method: string, target: string): Probe => ({
  name: `${method} ${target.slice(0, 60)} ${target.length}`,
  send: [request(`${method} ${target} HTTP/1.1`, 'Host: b')],
})
const short = [...new Set(TARGETS)].filter(({ length }) => length < 1_000)
const targets = [
  ...short.map((target) => ask('GET', target)),
  ...short.filter((target) => !target.includes('/')).map((target) => ask('CONNECT', target)),
  ...short
    .filter((target) => /^(?:\*|ftp|wais|coap:|foo)/.test(target))
    .map((target) => ask('OPTIONS', target)),
  ask('HEAD', `http://a/${'x'.repeat(8_182)}`),
  ask('HEAD', `http://a/${'x'.repeat(8_183)}`),
]

const OURS = /^(?:connection|expect|content-length|transfer-encoding|upgrade)$/i
const fields = [...FIELDS.filter(([name]) => OURS.test(name)), ...PROXY_FIELDS].flatMap(([name, values]) =>
  [...new Set(values)].map((value): Probe => ({
    name: `${name}: ${value}`,
    send: [request('POST http://a/ HTTP/1.1', 'Host: b', `${name}: ${value}`)],
  })),
)

const raw: readonly [string, ...string[]][] = [
  ['nothing'],
  ['empty lines', '\r\n\r\n'],
  ['empty lines first', `\r\n\n${get()}`],
  ['CR before', `\r\r\n${get()}`],
  ['a word', 'junk\r\n\r\n'],
  ['two words', 'junk x\r\n\r\n'],
  ['a method', 'GET\r\n\r\n'],
  ['a method of 32', request(`${'A'.repeat(32)} http://a/ HTTP/1.1`)],
  ['a method of 33', request(`${'A'.repeat(33)} http://a/ HTTP/1.1`)],
  ['no method', request(' GET http://a/ HTTP/1.1')],
  ['tabs', request('GET\thttp://a/\tHTTP/1.1')],
  ['HTTP/0.9', 'GET http://a/\r\n'],
  ['HTTP/0.9 POST', 'POST http://a/\r\n'],
  ['HTTP/0.9 by name', 'GET http://a/ HTTP/0.9\r\n'],
  ['HTTP/1.9', request('GET http://a/ HTTP/1.9')],
  ['HTTP/1.10', request('GET http://a/ HTTP/1.10')],
  ['HTTP/2.0', request('GET http://a/ HTTP/2.0')],
  ['the preface of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
  ['http/1.1', request('GET http://a/ http/1.1')],
  ['line feeds', 'GET http://a/ HTTP/1.1\nHost: a\n\n'],
  ['HEAD', request('HEAD http://a/ HTTP/1.1')],
  ['HEAD of no URL', request('HEAD / HTTP/1.1')],
  ['a line that is no field', get('X')],
  ['a blank before the colon', get('X : y')],
  ['no name', get(': y')],
  ['a folded line', get('X: y', ' z')],
  ['a folded line first', get(' y')],
  ['a NUL', get('X: \0')],
  ['two lengths', get('Content-Length: 1', 'Content-Length: 2')],
  ['a body', `${request('POST http://a/ HTTP/1.1', 'Content-Length: 5')}abcde${get()}`],
  ['a body in parts', `${request('POST http://a/ HTTP/1.1', 'Content-Length: 5')}ab`, `cde${get()}`],
  [
    'chunks',
    `${request('POST http://a/ HTTP/1.1', 'Transfer-Encoding: chunked')}5\r\nabcde\r\n0\r\nX: y\r\n\r\n${get()}`,
  ],
  ['two requests', get() + get('Connection: close') + get()],
  ['HTTP/1.0', `${request('GET http://a/ HTTP/1.0')}${get()}`],
  ['HTTP/1.0 kept', `${request('GET http://a/ HTTP/1.0', 'Proxy-Connection: Keep-Alive')}${get()}`],
  ['by byte', ...get()],
  ['a long line', `GET http://a/${'a'.repeat(70_000)}`],
  ['a long word', 'G'.repeat(70_000)],
  ['a long field', get(`X: ${'a'.repeat(70_000)}`)],
  ['a long field that fits', get(`X: ${'a'.repeat(65_400)}`)],
  [
    'what a client knows',
    get('Content-Length: 5', 'user-agent: <b>', 'x-Foo: 1', 'Host: b', 'DNT: 1', 'cookie: a'),
  ],
  ['TLS', '\x16\x03\x01\x00\xa5\x01\x00\x00\xa1\x03\x03\n'],
  ['SSH', 'SSH-2.0-OpenSSH_9.2\r\n'],
  ['SOCKS 4', '\x04\x01\x00\x50\x01\x02\x03\x04\x00\n'],
  ['SOCKS 5', '\x05\x01\x00\n'],
]

export const probes: readonly Probe[] = [
  ...targets,
  ...fields,
  ...raw.map(([name, ...send]) => ({ name, send })),
]
