// Within the time of a visit, another act is an event of its own, and the same one again is none: for each kind of token.
import { beforeAll, describe, expect, it } from 'vitest'
import type { TokenDescriptor } from '@rookery/tokens/descriptor.ts'
import { descriptors } from '@rookery/tokens/descriptors.gen.ts'
import { signedVisit } from '@rookery/tokens/sigv4/testing/signed-visit.ts'
import type { TokenSettings } from '@rookery/tokens/settings.ts'
import type { Visit, VisitOn } from '@rookery/tokens/visit.ts'
import { engines, openTestConsole, type TestConsole } from '../../../../test/test-console.ts'

const all: readonly TokenDescriptor[] = descriptors
const common = { srcHost: '192.0.2.7', dstPort: 80, headers: {} }

type HttpFacts = { readonly agent?: string } & Partial<Pick<VisitOn<'http'>, 'body' | 'headers'>>

/** A request of `curl`, unless it says so, below the path of the token. */
const http = (
  method: string,
  below = '',
  { agent = 'curl/8', headers, body }: HttpFacts = {},
): VisitOn<'http'> => ({
  ...common,
  channel: 'http',
  method,
  path: `/assets/id/${below}`,
  headers: { 'User-Agent': agent, ...headers },
  ...(body !== undefined && { body }),
})
const dns = (name = '', qtype = 'A'): VisitOn<'dns'> => ({
  ...common,
  channel: 'dns',
  qname: name === '' ? 'id.t.example' : `${name}.id.t.example`,
  qtype,
  labels: name.split('.').filter(Boolean),
  network: '192.0.2.0/24',
  isNx: false,
})
const mysql = (user: string, database = ''): VisitOn<'mysql'> => ({
  ...common,
  channel: 'mysql',
  user,
  database,
  hasPassword: true,
  clientVersion: '',
  os: '',
  program: '',
})
const postgres = (applicationName: string): VisitOn<'postgres'> => ({
  ...common,
  channel: 'postgres',
  user: 'id',
  database: 'payroll',
  applicationName,
})
const wireguard = (ephemeralKey: string): VisitOn<'wireguard'> => ({
  ...common,
  channel: 'wireguard',
  clientPublicKey: 'key',
  sessionIndex: 1,
  sentAt: START,
  ephemeralKey,
})
const basic = (user: string) => ({ Authorization: `Basic ${Buffer.from(`${user}:x`).toString('base64')}` })
const aws = (action: string): VisitOn<'http'> =>
  signedVisit({ accessKeyId: 'AKIA', secretAccessKey: 's' }, 'iam', {
    method: 'POST',
    path: '/assets/id',
    body: `Action=${action}&Version=2010-05-08`,
  })
const hex = (text: string): string => Buffer.from(text).toString('hex')
const logon = (user: string, id: string): VisitOn<'dns'> =>
  dns(`4625.u${hex(user)}.ac0000201.w${hex('pc1')}.d${hex('dc1')}.t3.s0.${id}.logon`)
const saml = (name: string): VisitOn<'http'> =>
  http('POST', '', { body: `SAMLResponse=${Buffer.from(`<a>${name}</a>`).toString('base64')}` })
const app = (cores: number): VisitOn<'http'> =>
  http('POST', '', { body: JSON.stringify({ display_mode: 'standalone', cores }) })
const from = (site: string): VisitOn<'http'> =>
  http('GET', 'a.png', { headers: { Referer: `https://${site}/` } })
/** A machine that runs nothing of the product's own. */
const START = Date.now()

interface Acts {
  readonly settings?: TokenSettings
  readonly act: Visit
  readonly other: Visit
}

const methods: Acts = { act: http('OPTIONS'), other: http('PROPFIND') }
const paths: Acts = { act: http('GET', 'a'), other: http('GET', 'b') }

/** What counts as another act, by kind. */
const ACTS = new Map<string, Acts>(
  Object.entries({
    'chatops-api': {
      act: http('POST', '', { body: '{"text":"a"}' }),
      other: http('POST', '', { body: '{"text":"b"}' }),
    },
    'cloned-css': { act: from('a.example'), other: from('b.example') },
    'cloned-web': { act: http('GET', '?l=https://a.example/'), other: http('GET', '?l=https://b.example/') },
    'cloud-a-id': { act: aws('GetCallerIdentity'), other: aws('CreateUser') },
    'cloud-b-id': methods,
    'cloud-b-login': { act: from('a.example'), other: from('b.example') },
    'credit-card': methods,
    dbdump: { act: mysql('id.en.db1', 'a'), other: mysql('id.en.db1', 'b') },
    'directory-login': {
      settings: { tokened_usernames: ['alice', 'bob'] },
      act: logon('alice', 'aaaaaaaa'),
      other: logon('bob', 'bbbbbbbb'),
    },
    dns: { act: dns('mfqq.g01'), other: dns('mjqq.g02') },
    'doc-spreadsheet': { act: http('OPTIONS', 'a.png'), other: http('PROPFIND', 'a.png') },
    'doc-wordproc': paths,
    'fast-redirect': paths,
    'git-remote': {
      act: http('GET', 'ops.git/info/refs?service=git-upload-pack', { headers: basic('alice') }),
      other: http('GET', 'ops.git/info/refs?service=git-receive-pack', { headers: basic('alice') }),
    },
    http: methods,
    'idp-app': { act: saml('eve'), other: saml('adam') },
    kubeconfig: { act: http('GET', 'api/v1/pods'), other: http('GET', 'api/v1/secrets') },
    'mongodb-srv': methods,
    npmrc: { act: http('GET', '@corp%2fa'), other: http('GET', '@corp%2fb') },
    'os-dir': { act: dns('alice.pc1.corp.ini'), other: dns('bob.pc1.corp.ini') },
    'pdf-reader': methods,
    pwa: { act: app(4), other: app(8) },
    'qr-code': { act: http('GET'), other: http('POST') },
    'sensitive-cmd': { act: dns('cpc1.un.ueve.cmd.aaaaaaaa'), other: dns('cpc1.un.ueve.cmd.bbbbbbbb') },
    'signed-exe': paths,
    'slow-redirect': { act: http('GET'), other: http('GET', '?a=b') },
    'spreadsheet-macro': { act: http('GET', '?user=alice'), other: http('GET', '?user=bob') },
    sql: { act: postgres('alice'), other: postgres('bob') },
    svn: { act: http('PROPFIND', '', { agent: 'SVN/1.14' }), other: http('PUT', 'a', { agent: 'SVN/1.14' }) },
    vpn: { act: wireguard('key'), other: http('GET') },
    'web-image': { act: http('GET'), other: http('PUT', '', { body: 'a' }) },
    'wordproc-macro': { act: dns('alice.pc1.corp.mac'), other: dns('bob.pc1.corp.mac') },
  }),
)

const OFFICE = ['Protocol Discovery', 'Existence Discovery'].map((it) => `Microsoft Office ${it}`)
const LIBRE = { agent: 'LibreOffice 7.4.7.2 denylistedbackend/7.88.1 OpenSSL/3.0.9' }
const PAGE = { agent: 'Mozilla/5.0', headers: { Accept: 'text/html' } }
const GIT = (headers = {}) =>
  http('GET', 'ops.git/info/refs?service=git-upload-pack', { agent: 'git/2', headers })
const KUBECTL = { agent: 'kubectl/v1.28.2 (linux/amd64)' }
const SVN = { agent: 'SVN/1.14.2' }

/** What one opening by one program asks, in its order. */
const OPENINGS: readonly [kind: string, title: string, requests: readonly Visit[]][] = [
  ['doc-wordproc', 'LibreOffice', ['OPTIONS', 'HEAD', 'GET'].map((it) => http(it, 'a.png', LIBRE))],
  ['http', 'LibreOffice', ['OPTIONS', 'HEAD', 'GET'].map((it) => http(it, 'a.png', LIBRE))],
  ['doc-spreadsheet', 'any program', ['OPTIONS', 'HEAD', 'GET'].map((it) => http(it, 'a.png'))],
  [
    'doc-wordproc',
    'Word, which asks for the folder',
    [http('OPTIONS', '', { agent: OFFICE[0] ?? '' }), http('HEAD', 'a.png', { agent: OFFICE[1] ?? '' })],
  ],
  [
    'http',
    'a browser, with the report of the page and the icon',
    [http('GET', '?a=b', PAGE), http('GET', '?i={"cores":4}', PAGE), http('GET', 'favicon.ico', PAGE)],
  ],
  [
    'git-remote',
    'git, which asks without its user first',
    [GIT(), GIT(basic('alice')), GIT(), GIT(basic('alice'))],
  ],
  [
    'kubeconfig',
    'kubectl',
    ['api?timeout=32s', 'apis', 'api/v1/pods', 'api'].map((it) => http('GET', it, KUBECTL)),
  ],
  [
    'svn',
    'a check-out',
    [http('OPTIONS', '', SVN), http('PROPFIND', '!svn/rvr/9', SVN), http('REPORT', '!svn/me', SVN)],
  ],
  ['dns', 'a resolver that asks for A, AAAA and TXT', ['A', 'AAAA', 'TXT', 'A'].map((it) => dns('', it))],
  [
    'dns',
    'a resolver that asks for the shorter names first',
    ['', 'g01', 'mfqq.g01', ''].map((it) => dns(it)),
  ],
  ['mongodb-srv', 'a driver', [dns('_tcp'), dns('_mongodb._tcp', 'SRV'), dns('', 'TXT')]],
  ['signed-exe', 'Windows', ['crl', 'aia', 'ocsp'].map((it) => dns(it))],
]

interface Planted {
  readonly tokenId: string
  /** Stores the requests, a tenth of a second apart; answers how many events there are of the source. */
  count(srcHost: string, requests: readonly Visit[]): Promise<number>
}

/** A token of the kind, made as the database has it: providers and uploads play no part. */
async function plant(rookery: TestConsole, kind: string, settings: TokenSettings = {}): Promise<Planted> {
  const { decoytoken: tokenId } = (await rookery.api.tokens.create({ kind: 'http', memo: 'm' })).decoytoken
  await rookery.console.base.writer.write(async (tx) => {
    const changed = { kind, settings: JSON.stringify(settings) }
    await tx.query.updateTable('token').set(changed).where('token_id', '=', tokenId).execute()
    await tx.configChanged()
  })
  return {
    tokenId,
    async count(srcHost, requests) {
      for (const [n, visit] of requests.entries())
        await rookery.console.ingest.fromToken({
          tokenId,
          srcPort: 40_000,
          dstHost: '127.0.0.1',
          receivedAt: START + n * 100,
          visit: { ...visit, srcHost, ...(visit.channel === 'dns' && { network: srcHost }) },
        })
      const { incidents } = await rookery.api.incidentQueries.all({ node_id: tokenId })
      return incidents
        .filter(({ description }) => [srcHost, '192.0.2.1'].includes(description.src_host))
        .reduce((sum, { description }) => sum + Number(description.events_count), 0)
    },
  }
}

describe.each(engines)('visits within a second (%s)', (engine) => {
  let rookery: TestConsole
  beforeAll(async () => {
    rookery = await openTestConsole({ engine, lasts: 'group' })
  })

  it.each(all.map(({ kind }) => kind))('to a token %s are an event for each act', async (kind) => {
    const { settings, act, other } = ACTS.get(kind) ?? unnamed(kind)
    const { count } = await plant(rookery, kind, settings)
    expect(await count('192.0.2.7', [act, other, act])).toBe(2)
    const again = await plant(rookery, kind, settings)
    expect(await again.count('192.0.2.8', [act, act, act])).toBe(1)
  })

  it.each(OPENINGS)('to a token %s by one opening of %s are one event', async (kind, _title, requests) => {
    const { count } = await plant(rookery, kind)
    expect(await count('192.0.2.7', requests)).toBe(1)
  })

  it('show what the later requests of an opening say, and keep what was said before', async () => {
    const { tokenId, count } = await plant(rookery, 'git-remote')
    expect(await count('192.0.2.7', [GIT(), GIT(basic('alice')), GIT(), GIT(basic('bob'))])).toBe(2)
    const { incidents } = await rookery.api.incidentQueries.all({ node_id: tokenId, shrink: false })
    const events = incidents.flatMap(({ description }) => description.events)
    expect(events.map((event) => event['username'])).toEqual(['alice', 'bob'])
  })
})

function unnamed(kind: string): never {
  throw new Error(`ACTS does not say what is another act of ${kind}; add a row.`)
}
