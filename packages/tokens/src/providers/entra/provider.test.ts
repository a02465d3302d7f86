import { createPrivateKey, X509Certificate } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { fakeOutbound } from '../../../test/fakes/outbound.ts'
import { deriver } from '../../derive.ts'
import openProvider from './provider.ts'
import { clientAssertion } from './client-assertion.ts'
import { makeAppCertificate } from './certificate.ts'
import { descriptor } from './descriptor.ts'
import { CLIENT, fakeEntra, SECRET, TENANT } from '../../../test/fakes/entra.ts'

const START = Date.UTC(2026, 10, 23, 9)
const derive = deriver('cloud-b-id', Buffer.alloc(32, 7))
const address = { tokenId: 'tok1', url: 'https://t.example/img/tok1/x.gif', hostname: 'tok1.t.example' }
const app = { tokenId: 'tok1', kind: 'cloud-b-id', memo: 'm', address, settings: {}, derive, feedUrl: '' }
const page = { ...app, kind: 'cloud-b-login' }
const DEFAULTS = Object.fromEntries(
  Object.entries(descriptor.options).map(([name, option]) => [
    name,
    'default' in option ? option.default : '',
  ]),
)

function open(credential = SECRET) {
  const time = { now: START }
  const fake = fakeEntra(() => time.now)
  // Waiting is over at once, and time goes on meanwhile.
  const clock = {
    now: () => time.now,
    after(ms: number, wake: () => void) {
      time.now += ms
      queueMicrotask(wake)
      return () => undefined
    },
  }
  const random = { bytes: (length: number) => Buffer.alloc(length, 9) }
  const outbound = fakeOutbound((request) => fake.answer(request))
  const options = {
    ...DEFAULTS,
    ROOKERY_ENTRA_TENANT: TENANT,
    ROOKERY_ENTRA_CLIENT_ID: CLIENT,
    ROOKERY_ENTRA_CREDENTIAL: credential,
  }
  return { fake, time, client: openProvider({ world: { clock, random, outbound }, options }) }
}

/** Signs in as the app of a token, with what its artefact has. */
function signIn(
  fake: ReturnType<typeof fakeEntra>,
  { app_id = '', pem = '' }: Readonly<Record<string, string>>,
  at: number,
) {
  const path = `/${TENANT}/oauth2/v2.0/token`
  const audience = `https://login.microsoftonline.com${path}`
  const assertion = clientAssertion(pem, { clientId: app_id, audience, at, id: Buffer.alloc(16, 1) })
  return fake.answer({
    method: 'POST',
    path,
    headers: { Host: 'login.microsoftonline.com' },
    body: new URLSearchParams({ client_id: app_id, client_assertion: assertion }).toString(),
  }).status
}

describe('an app of the tenant', () => {
  it('has a certificate by which it signs in, and nothing else', async () => {
    const { fake, client } = open()
    const { remoteId, handle, issued } = await client.provision(app)
    const certificate = new X509Certificate(issued['pem'] ?? '')
    expect(certificate.checkPrivateKey(createPrivateKey(issued['pem'] ?? ''))).toBe(true)
    expect(certificate.verify(certificate.publicKey)).toBe(true)
    expect(issued).toMatchObject({ tenant_id: TENANT, app_id: remoteId, certificate_expires: '2028-11-21' })
    expect(fake.applications.get(handle ?? '')).toMatchObject({ displayName: issued['display_name'] })
    expect(signIn(fake, issued, START)).toBe(200)
    expect(signIn(fake, { ...issued, app_id: CLIENT }, START)).toBe(401)
  })

  it('whose sign-in the directory records is reported with its source, once by its id', async () => {
    const { fake, time, client } = open()
    const { remoteId, issued } = await client.provision(app)
    const watched = { tokenId: 'tok1', kind: 'cloud-b-id', remoteId, createdAt: START, usedAt: 0, derive }
    const first = await client.poll?.({ position: '', resources: [watched] })
    expect(first).toEqual({ events: [], position: String(START) })
    time.now = START + 60_000
    signIn(fake, issued, time.now)
    signIn(fake, issued, time.now)
    // It appears late: the next poll is behind it.
    time.now = START + 900_000
    const second = await client.poll?.({ position: String(START + 300_000), resources: [watched] })
    expect(second?.events).toHaveLength(2)
    expect(second?.events[0]).toEqual({
      id: '5ba8cbfd-0000-4000-8000-000000000000',
      remoteId,
      at: START + 60_000,
      srcHost: '203.0.113.9',
      eventName: 'ServicePrincipalSignIn',
      fields: {
        resource: 'Microsoft Graph',
        location: 'Utrecht, Utrecht, NL',
        app_id: remoteId,
        cert_id: new X509Certificate(issued['pem'] ?? '').fingerprint.replaceAll(':', ''),
        status: '0',
      },
    })
    const third = await client.poll?.({ position: second?.position ?? '', resources: [watched] })
    expect(third?.events.map(({ id }) => id)).toEqual(second?.events.map(({ id }) => id))
  })

  it('is made although the directory knows it some seconds later, and not left there where it never does', async () => {
    const { fake, client } = open()
    fake.lag = 3
    await client.provision(app)
    expect(fake.servicePrincipals.size).toBe(1)
    fake.lag = 99
    await expect(client.provision(app)).rejects.toThrow('does not reference a valid application object')
    expect([fake.applications.size, fake.bin.size]).toEqual([1, 0])
  })

  it('is deleted for good, also where the answer of its creation was lost, and twice', async () => {
    const { fake, client } = open()
    const { remoteId, handle = '' } = await client.provision(app)
    await client.revoke({ ...app, remoteId, handle })
    await client.revoke({ ...app, remoteId, handle })
    await client.provision(app)
    await client.provision({ ...app, tokenId: 'tok2', derive: deriver('cloud-b-id', Buffer.alloc(32, 8)) })
    await client.revoke({ ...app, remoteId: '', handle: '' })
    expect([fake.applications.size, fake.bin.size, fake.servicePrincipals.size]).toEqual([1, 0, 1])
  })

  it('is asked for by no call where none is watched', async () => {
    const { fake, client } = open()
    await client.poll?.({ position: '', resources: [] })
    expect(fake.calls).toEqual([])
  })
})

describe('the login page of the tenant', () => {
  const RULE = "body{background:url('https://t.example/img/tok1/x.gif')!important}\n"

  it('gets the rule behind its own, and loses it alone', async () => {
    const { fake, client } = open()
    fake.branding = { css: '.ext-footer{color:red}\n', signInPageText: 'Welcome' }
    await client.provision(page)
    expect(fake.branding).toEqual({ css: `.ext-footer{color:red}\n${RULE}`, signInPageText: 'Welcome' })
    await client.provision(page)
    expect(fake.branding.css).toBe(`.ext-footer{color:red}\n${RULE}`)
    await client.revoke({ ...page, remoteId: '', handle: '' })
    expect(fake.branding.css).toBe('.ext-footer{color:red}\n')
  })

  it('gets a branding where it has none, and keeps no rule of a token that is gone', async () => {
    const { fake, client } = open()
    await client.provision(page)
    expect(fake.branding).toEqual({ css: RULE, signInPageText: ' ' })
    await client.revoke({ ...page, remoteId: '', handle: '' })
    expect(fake.branding?.css).not.toContain('tok1')
  })

  it('is left alone where its background is set already, by people or by another token', async () => {
    const { fake, client } = open()
    fake.branding = { css: 'body{background:#fff}', signInPageText: '' }
    await expect(client.provision(page)).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringContaining('"body{background:#fff}"') as string,
    })
    expect(fake.branding.css).toBe('body{background:#fff}')
    fake.branding = { css: '', signInPageText: '' }
    const second = { ...page, tokenId: 'tok2', address: { ...address, url: 'https://t.example/tok2/y.gif' } }
    const done = await Promise.allSettled([client.provision(page), client.provision(second)])
    expect(done.map(({ status }) => status)).toEqual(['fulfilled', 'rejected'])
    expect(fake.branding.css).toBe(RULE)
  })

  it('is left alone where the rule would make its style sheet too long', async () => {
    const { fake, client } = open()
    fake.branding = { css: `/* ${'x'.repeat(25_550)} */`, signInPageText: '' }
    await expect(client.provision(page)).rejects.toThrow('Microsoft Entra takes 25600')
  })
})

describe('the access of the console', () => {
  it('is asked for once an hour, with a secret or a certificate', async () => {
    const certificate = await makeAppCertificate(START, Buffer.alloc(16, 3))
    for (const credential of [SECRET, certificate.pem]) {
      const { fake, time, client } = open(credential)
      fake.trusted.push(new X509Certificate(certificate.pem))
      await client.provision(page)
      const isToken = (call: string): boolean => call.endsWith('/token')
      expect(fake.calls.filter(isToken)).toHaveLength(1)
      time.now += 3_600_000
      await client.revoke({ ...page, remoteId: '', handle: '' })
      expect(fake.calls.filter(isToken)).toHaveLength(2)
    }
  })

  it.each([
    ['a wrong secret', 'wrong', 'gave the console no access (401): AADSTS700027'],
    [
      'half a PEM',
      '-----BEGIN CERTIFICATE-----\nx',
      'ROOKERY_ENTRA_CREDENTIAL must be a client secret, or the PEM',
    ],
  ])('is refused with %s, and says why', async (_what, credential, reason) => {
    const { client } = open(credential)
    await expect(client.provision(page)).rejects.toThrow(reason)
  })

  it('goes to no other host, whatever the graph names', async () => {
    const { fake, client } = open()
    const answer = fake.answer
    fake.answer = (request) =>
      request.path.startsWith('/beta/')
        ? { status: 200, headers: {}, body: '{"value":[],"@odata.nextLink":"https://evil.example/next"}' }
        : answer(request)
    const watched = { tokenId: 't', kind: 'cloud-b-id', remoteId: 'a', createdAt: 0, usedAt: 0, derive }
    await expect(client.poll?.({ position: '', resources: [watched] })).rejects.toThrow(
      'https://evil.example',
    )
  })

  it('that is refused, too fast or away names what happened', async () => {
    for (const [status, reason] of [
      [
        403,
        'Microsoft Graph refused GET /v1.0/organization/72f988bf-0000-4000-8000-2d7cd011db47/branding with 403 Failed',
      ],
      [429, 'wants fewer calls (429)'],
      [503, 'answered 503'],
    ] as const) {
      const { fake, client } = open()
      fake.failing = { matches: /branding/, status }
      await expect(client.provision(page)).rejects.toMatchObject({
        code: 'unavailable',
        message: expect.stringContaining(reason) as string,
      })
    }
  })
})
