// The console's listener by HTTPS, with certificates made here.
import { request, Agent } from 'node:https'
import type { IncomingMessage } from 'node:http'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { connect } from 'node:tls'
import { describe, expect, it } from 'vitest'
import { makeAuthority } from '../../test/certificates.ts'
import type { Outbound } from '@rookery/kernel/world.ts'
import { manualClock } from '../../test/manual-clock.ts'
import { ownFolder } from '../../test/own-folder.ts'
import { addPerson, ANN, askAs, PASSWORD } from '../../test/person.ts'
import { FLOCK, raiseIncident } from '../../test/raise-incident.ts'
import { engines, openTestConsole } from '../../test/test-console.ts'
import { readConfig } from '../config/config.ts'
import { httpsUrlFor, signInUrl } from './console-https.ts'

const authority = makeAuthority()
const HOST = 'console.test'

function certificateIn(folder: string, host = HOST) {
  const { cert, key } = authority.issue([host, '127.0.0.1'])
  const files = { ROOKERY_TLS_CERT: join(folder, 'cert.pem'), ROOKERY_TLS_KEY: join(folder, 'key.pem') }
  writeFileSync(files.ROOKERY_TLS_CERT, cert)
  writeFileSync(files.ROOKERY_TLS_KEY, key, { mode: 0o600 })
  return { ROOKERY_TLS_LISTEN: '127.0.0.1:0', ...files }
}

interface Asked {
  readonly status: number | undefined
  readonly headers: IncomingMessage['headers']
  readonly json: Readonly<Record<string, unknown>>
  /** The first name of the certificate. */
  readonly name: string
}

/** Asks by HTTPS under the name of the certificate. */
async function ask(
  url: string,
  path: string,
  { headers = {}, form }: { readonly headers?: Record<string, string>; readonly form?: string } = {},
): Promise<Asked> {
  const agent = new Agent({ ca: authority.ca, servername: HOST, checkServerIdentity: () => undefined })
  const { host } = new URL(url)
  const asked = request(`${url}${path}`, {
    agent,
    method: form === undefined ? 'GET' : 'POST',
    headers: {
      Host: host.replace('127.0.0.1', HOST),
      ...(form !== undefined && { 'Content-Type': 'application/x-www-form-urlencoded' }),
      ...headers,
    },
  })
  asked.end(form)
  const [response] = (await once(asked, 'response')) as [IncomingMessage]
  const { subject } = (
    response.socket as unknown as { getPeerCertificate(): { subject: { CN: string } } }
  ).getPeerCertificate()
  let text = ''
  for await (const piece of response) text += String(piece)
  agent.destroy()
  return {
    status: response.statusCode,
    headers: response.headers,
    json: JSON.parse(text) as Asked['json'],
    name: subject.CN,
  }
}

describe.each(engines)('the console by HTTPS (%s)', (engine) => {
  it('signs people in at any name, next to the listener of HTTP, and browsers are asked to stay', async () => {
    const rookery = await openTestConsole({ engine, env: certificateIn(ownFolder()) })
    const { consoleHttpsUrl: url = '' } = rookery.console
    const { port } = new URL(url)
    await addPerson(rookery)
    const origin = `https://${HOST}:${port}`
    const form = new URLSearchParams({ email: ANN, password: PASSWORD }).toString()
    const signedIn = await ask(url, '/api/v1/session/password', { form, headers: { Origin: origin } })
    expect([signedIn.status, signedIn.headers['strict-transport-security']]).toEqual([
      200,
      'max-age=31536000',
    ])
    const [cookie = ''] = /__Host-rookery=[0-9a-f]{64}/.exec(signedIn.headers['set-cookie']?.[0] ?? '') ?? []
    const halves = { Cookie: cookie, 'X-Rookery-Page': String(signedIn.json['page_half']) }
    const { json } = await ask(url, '/api/v1/session', { headers: halves })
    expect(json).toMatchObject({ signed_in: true, console: { is_secure: true, https_url: origin } })

    // The other listener names this one, and does not speak of HTTPS to browsers itself.
    const plain = await askAs(rookery, {}, 'GET', '/session', {}, { Host: `${HOST}:8080` })
    expect(plain.json).toMatchObject({ console: { is_secure: false, https_url: origin } })
    expect(plain.headers.get('strict-transport-security')).toBeNull()
    const refused = await askAs(
      rookery,
      {},
      'POST',
      '/session/password',
      { email: ANN, password: PASSWORD },
      {
        Host: `${HOST}:8080`,
        Origin: `http://${HOST}:8080`,
      },
    )
    expect([refused.status, refused.json['message']]).toEqual([
      403,
      `This address is not encrypted, so passwords stay locked. Open ${origin}.`,
    ])
    expect(rookery.console.apiUrl).toMatch(/^http:/)
    expect((await rookery.get('/ping')).status).toBe(200)
  })
})

it('alerts lead people to the listener of HTTPS, and Birds stay on the first', async () => {
  const sent: Record<string, unknown>[] = []
  const outbound: Outbound = {
    send({ body = '' }) {
      sent.push(JSON.parse(body) as Record<string, unknown>)
      return Promise.resolve({ status: 204, headers: {}, body: '' })
    },
  }
  const rookery = await openTestConsole({ env: certificateIn(ownFolder()), world: { outbound } })
  await rookery.api.flockWebhooks.addGeneric({ flock_id: FLOCK, url: 'https://alerts.example.com/in' })
  await raiseIncident(rookery)
  await rookery.console.dispatcher.idle()
  const { consoleHttpsUrl = '', apiUrl = '' } = rookery.console
  expect(sent[0]).toMatchObject({
    ConsoleUrl: consoleHttpsUrl,
    IncidentUrl: `${consoleHttpsUrl}/incidents/${String(sent[0]?.['IncidentHash'])}`,
  })
  expect((await rookery.api.enrolments.create({})).command).toContain(`--console ${apiUrl} `)
})

it('a certificate that changes is served without a restart, and one that cannot be used is not', async () => {
  const clock = manualClock(Date.now())
  const folder = ownFolder()
  const env = certificateIn(folder)
  const rookery = await openTestConsole({ env, world: { clock } })
  const { consoleHttpsUrl: url = '' } = rookery.console
  const name = async (): Promise<string> => (await ask(url, '/api/v1/session')).name
  expect(await name()).toBe(HOST)
  certificateIn(folder, 'renewed.test')
  clock.advance(10_000)
  expect(await name()).toBe('renewed.test')
  writeFileSync(env.ROOKERY_TLS_CERT, 'no certificate')
  clock.advance(10_000)
  expect(await name()).toBe('renewed.test')
})

it('a Bird that is sent to the address of HTTPS finds its link there, and bytes that are no request an answer', async () => {
  const { console } = await openTestConsole({ env: certificateIn(ownFolder()) })
  const exchange = async (bytes: string): Promise<string> => {
    const { port } = new URL(console.consoleHttpsUrl ?? '')
    const socket = connect({ port: Number(port), host: '127.0.0.1', ca: authority.ca, servername: HOST })
    await once(socket, 'secureConnect')
    socket.write(bytes)
    const [answer] = (await once(socket, 'data')) as [Buffer]
    socket.destroy()
    return answer.toString()
  }
  const upgrade = `GET /bird/v1/link HTTP/1.1\r\nHost: ${HOST}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${Buffer.alloc(16).toString('base64')}\r\n\r\n`
  expect(await exchange(upgrade)).toMatch(/^HTTP\/1\.1 101 /)
  const broken = await exchange('no request\r\n\r\n')
  expect(broken).toMatch(/^HTTP\/1\.1 400 [^]*Strict-Transport-Security[^]*"result":"error"/)
})

it.each([
  ['ROOKERY_TLS_LISTEN', { ROOKERY_TLS_LISTEN: '127.0.0.1:0' }],
  ['ROOKERY_TLS_CERT', { ROOKERY_TLS_CERT: '/tmp/cert.pem', ROOKERY_TLS_KEY: '/tmp/key.pem' }],
  ['ROOKERY_TLS_KEY', { ROOKERY_TLS_LISTEN: '127.0.0.1:0', ROOKERY_TLS_CERT: '/tmp/cert.pem' }],
])('a console with %s alone does not start', async (option, env) => {
  await expect(openTestConsole({ env })).rejects.toThrow(option)
})

describe('the address of HTTPS', () => {
  const https = (at: string) => ({ at, isFor: (host: string) => host === HOST })

  it.each([
    [
      'the public one',
      'https://rookery.example.org',
      '127.0.0.1:8443',
      'http://a',
      'https://rookery.example.org',
    ],
    [
      'the host that was asked, at each address',
      '',
      '0.0.0.0:8443',
      'http://10.0.0.5:8080',
      'https://10.0.0.5:8443',
    ],
    ['the same of IPv6', '', '[::]:8443', 'http://[2001:db8::7]:8080', 'https://[2001:db8::7]:8443'],
    ['the host of the certificate', '', '10.0.0.5:443', `http://${HOST}:8080`, `https://${HOST}`],
    ['its own, asked by another name', '', '10.0.0.5:8443', 'http://evil.test', 'https://10.0.0.5:8443'],
    ['its own, asked by no name', '', '10.0.0.5:8443', 'http://a b', 'https://10.0.0.5:8443'],
  ])('is %s', (_, ROOKERY_PUBLIC_URL, at, asked, expected) => {
    expect(httpsUrlFor({ ROOKERY_PUBLIC_URL }, https(at), asked)).toBe(expected)
  })

  it('is not known where there is neither', () => {
    expect(httpsUrlFor({ ROOKERY_PUBLIC_URL: 'http://a' }, undefined, 'http://a')).toBeUndefined()
  })

  it.each([
    ['https://rookery.example.org/', '0.0.0.0:8080', undefined, 'https://rookery.example.org'],
    ['http://rookery.lan', '0.0.0.0:8080', '10.0.0.5:8443', 'https://10.0.0.5:8443'],
    ['http://rookery.lan', '0.0.0.0:8080', undefined, 'http://rookery.lan'],
    ['', '0.0.0.0:8080', undefined, 'http://127.0.0.1:8080'],
    ['', '[::]:8080', undefined, 'http://[::1]:8080'],
    ['', '127.0.0.1:8080', undefined, 'http://127.0.0.1:8080'],
  ])(
    'a link of the public address %s, listening at %s and %s, leads to %s',
    (ROOKERY_PUBLIC_URL, at, httpsAt, expected) => {
      expect(signInUrl(readConfig({ ROOKERY_PUBLIC_URL }), at, httpsAt)).toBe(expected)
    },
  )
})
