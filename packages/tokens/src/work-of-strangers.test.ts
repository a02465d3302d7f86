// What strangers send costs a kind no more than in proportion to its length, whatever it says.
import { readFileSync } from 'node:fs'
import { processorTimer } from '@rookery/kernel/test/processor-timer.ts'
import { describe, expect, it } from 'vitest'
import { deriver } from './derive.ts'
import { kinds } from './kinds.gen.ts'
import { metadataSetting, readMetadata, validationSetting } from './saml/metadata.ts'
import type { TokenSettings } from './settings.ts'
import {
  amendmentOf,
  describeVisit,
  judgeVisit,
  prepareKind,
  reportedVisits,
  visitorDetailOf,
  type TokenKind,
} from './token.ts'
import { channelNames, type ChannelName, type Visit, type VisitOn } from './visit.ts'

/** A body is kept up to 64 KiB. */
const [SHORT, LONG] = [4_096, 65_536]
/** Sixteen times the bytes are sixteen times the work, and 256 times by the square; the collector of garbage takes its share. */
const MAX_GROWTH = 64
const TRIES = 12

const golden = (name: string): string =>
  readFileSync(new URL(`saml/golden/${name}.xml`, import.meta.url), 'utf8')
const SIGNED = golden('signed-assertion')
const ID = 'abcdefghijklmnopqrstuvwxy'
const common = { srcHost: '192.0.2.7', dstPort: 80, headers: {} }

/** The pattern, as often as it fits. */
const fill = (pattern: string, length: number): string =>
  pattern.repeat(Math.ceil(length / pattern.length)).slice(0, length)

const http = (facts: Partial<VisitOn<'http'>>): VisitOn<'http'> => ({
  ...common,
  channel: 'http',
  method: 'POST',
  path: `/${ID}`,
  ...facts,
})
const saml = (xml: string): string =>
  `SAMLResponse=${encodeURIComponent(Buffer.from(xml).toString('base64'))}`
const within = (xml: string): string => SIGNED.replace('</saml:Assertion>', `${xml}</saml:Assertion>`)
const around = (xml: string): string =>
  SIGNED.replace('<samlp:Status>', `<samlp:Extensions>${xml}</samlp:Extensions><samlp:Status>`)

/** Three quarters are left of base64. */
const XML = [
  (n: number) => fill('<a xmlns:b="c">', n),
  (n: number) => around(fill('<a ID="b"/>', n)),
  (n: number) => around('<a>'.repeat(20) + fill('<b/>', Math.floor(n / 4) * 4) + '</a>'.repeat(20)),
  (n: number) => SIGNED.replace('</ds:SignedInfo>', `${fill('<a/>', Math.floor(n / 4) * 4)}</ds:SignedInfo>`),
  (n: number) => within(fill('<x xmlns:xs="u"><y a="b"/></x>', Math.floor(n / 30) * 30)),
  (n: number) => `<a>${fill('&#65;', n)}`,
  (n: number) => `<a ${fill(' ', n)}`,
  (n: number) => `<${fill('a', n)}`,
  (n: number) => `<a ${fill('b', n)}`,
  (n: number) => `<a b="${fill('c', n)}`,
  (n: number) => SIGNED + fill('<!-- -->', n),
  (n: number) => fill('<!', n),
].map((xml) => (n: number) => http({ body: saml(xml((n * 3) / 4)) }))

const LAST_LABELS = ['g01', 'ini', 'mac', 'cmd', 'logon', '07', 'crl']

/** By channel, makes of a length the requests that cost most. */
const WORST: { readonly [C in ChannelName]: readonly ((length: number) => VisitOn<C>)[] } = {
  http: [
    ...XML,
    ...[
      '[',
      '{"a":',
      '{"a":[',
      '{"Event":{"System":{"EventID":4625}}}\n',
      '"\\u0041',
      'a=b&',
      '&',
      '%41',
      '<Event>',
      '+',
    ].map((pattern) => (n: number) => http({ body: fill(pattern, n) })),
    ...['/', '/a.b', '/a', '.', '%61', `/${ID.slice(1)}`, '?', '&a', '&i={', '&Action=a'].map(
      (pattern) => (n: number) => http({ path: `/${fill(pattern, n)}` }),
    ),
    ...['i', 'l', 'service'].map((name) => (n: number) => http({ path: `/?${name}=${fill('{"a":1,', n)}` })),
    ...[
      (n: number) => ({ Authorization: `Basic ${fill('Og', n)}` }),
      (n: number) => ({ Authorization: fill('Bearer ', n) }),
      (n: number) => ({
        Authorization: `AWS4-HMAC-SHA256 Credential=a/b/c/d/aws4_request, SignedHeaders=${fill('a;', n)}, Signature=ab`,
      }),
      (n: number) => ({ Authorization: `AWS4-HMAC-SHA256 ${fill(',Credential', n)}` }),
      (n: number) => ({ Referer: `https://${fill('a.', n)}/` }),
      (n: number) => ({ 'User-Agent': fill('Microsoft Offic', n), Accept: fill('text/', n) }),
      (n: number) => Object.fromEntries(Array.from({ length: n / 16 }, (_, at) => [`X-${at}`, fill(' ', 8)])),
    ].map((headers) => (n: number) => http({ headers: headers(n) })),
    ...['&', 'a=b&', '%'].map(
      (pattern) => (n: number) =>
        http({
          path: `/?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=a/b/c/s3/aws4_request&${fill(pattern, n)}`,
        }),
    ),
  ],
  // Names have 255 bytes: a sixteenth of the length is long for them.
  dns: LAST_LABELS.flatMap((last) =>
    [1, 63].map((size) => (n: number) => {
      const labels = [...Array.from({ length: n / 16 / (size + 1) }, () => fill('ab', size)), last]
      return {
        ...common,
        channel: 'dns' as const,
        qname: labels.join('.'),
        qtype: 'A',
        labels,
        network: '',
        isNx: false,
      }
    }),
  ),
  mysql: ['a', '.', `${ID}.`].map((pattern) => (n: number) => {
    const text = fill(pattern, n)
    return {
      ...common,
      channel: 'mysql' as const,
      user: text,
      database: text,
      hasPassword: true,
      clientVersion: text,
      os: text,
      program: text,
    }
  }),
  postgres: ['a', '%u'].map((pattern) => (n: number) => {
    const text = fill(pattern, n)
    return { ...common, channel: 'postgres' as const, user: text, database: text, applicationName: text }
  }),
  wireguard: [
    (n: number) => ({
      ...common,
      channel: 'wireguard',
      clientPublicKey: fill('a', n),
      sessionIndex: 1,
      sentAt: 0,
      ephemeralKey: fill('a', n),
    }),
  ],
}

const SETTINGS = new Map<string, TokenSettings>([
  [
    'idp-app',
    {
      ...metadataSetting(readMetadata(Buffer.from(golden('provider-metadata')))),
      ...validationSetting(true),
    },
  ],
  ['directory-login', { tokened_usernames: Array.from({ length: 50 }, (_, n) => `user${n}`) }],
  ['sensitive-cmd', { process_name: ['whoami.exe'] }],
  ['cloned-css', { expected_referrer: 'a.example' }],
  ['cloud-b-login', { expected_referrer: 'a.example' }],
])

/** Milliseconds of processor time, the least of a few runs. */
function costMs(kind: TokenKind, made: () => Visit): number {
  const settings = SETTINGS.get(kind.descriptor.kind) ?? {}
  const visited = { tokenId: ID, createdAt: 0, derive: deriver(kind.descriptor.kind, Buffer.alloc(32)) }
  let leastMs = Infinity
  for (let run = 0; run < 2; run++) {
    // A visit is asked for several times, and some kinds remember what they found.
    const visit = made()
    const usedMs = processorTimer()
    reportedVisits(kind, visit, settings)
    judgeVisit(kind, visit, settings, 0, visited)
    describeVisit(kind, visit, settings, 0, visited)
    amendmentOf(kind, visit, settings, visited)
    visitorDetailOf(kind, visit)
    leastMs = Math.min(leastMs, usedMs())
  }
  return leastMs
}

/** What Node itself takes for the deepest text that is kept: some machines give it new memory slowly, now and then. */
function deepestMs(): number {
  const text = '['.repeat(LONG)
  const usedMs = processorTimer()
  try {
    JSON.parse(text)
  } catch {
    // It is cut off.
  }
  return usedMs()
}

/** What costs less of 4 KiB is no danger: by the square, it costs some twenty milliseconds of 64 KiB. */
const nothingMs = (): number => Math.max(0.3, Math.min(deepestMs(), deepestMs(), deepestMs()) / 16)

describe.each(Object.keys(kinds))('the kind %s', (name) => {
  const kind = kinds[name] ?? undefined
  if (kind === undefined) throw new Error(name)

  // What a kind has no rule for, the channel answers for all kinds alike.
  const met = channelNames.filter(
    (channel) => kind.on[channel] !== undefined || Object.keys(kind.on).length === 0,
  )

  it.each(met)('by %s works in proportion to the bytes', async (channel) => {
    await prepareKind(kind, SETTINGS.get(name) ?? {})
    const worst: readonly ((length: number) => Visit)[] = WORST[channel]
    for (const [at, of] of worst.entries()) {
      // What else the machine does lengthens some runs, not all: the least of each length count.
      let [shortMs, longMs, leastMs] = [Infinity, Infinity, 0]
      const growth = (): number => longMs / Math.max(shortMs, leastMs)
      for (let tried = 0; tried < TRIES && !(growth() < MAX_GROWTH); tried++) {
        leastMs = Math.max(leastMs, nothingMs())
        shortMs = Math.min(
          shortMs,
          costMs(kind, () => of(SHORT)),
        )
        longMs = Math.min(
          longMs,
          costMs(kind, () => of(LONG)),
        )
      }
      expect(growth(), `input ${at} of ${channel}`).toBeLessThan(MAX_GROWTH)
    }
  })
})
