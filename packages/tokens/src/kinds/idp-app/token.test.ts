import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { processorTimer } from '@rookery/kernel/test/processor-timer.ts'
import { forgeFile } from '../../../test/forge-file.ts'
import type { HttpVisit } from '../../channels/http/visit.ts'
import { metadataSetting, readMetadata, validationSetting } from '../../saml/metadata.ts'
import { openIdentityProvider } from '../../saml/testing/provider.ts'
import { readSettings, type TokenSettings } from '../../settings.ts'
import { parseXml } from '../../xml/parse.ts'
import { descriptor } from './descriptor.ts'
import forge from './forge.ts'
import kind from './token.ts'

const golden = (name: string): string =>
  readFileSync(new URL(`../../saml/golden/${name}.xml`, import.meta.url), 'utf8')
const SIGNED = golden('signed-assertion')
const ASSERTION = /<saml:Assertion.*<\/saml:Assertion>/s.exec(SIGNED)?.[0] ?? ''
const SIGNATURE = /<ds:Signature .*<\/ds:Signature>/s.exec(SIGNED)?.[0] ?? ''

const provider = readMetadata(Buffer.from(golden('provider-metadata')))
const plain = readSettings(descriptor, {})
const known: TokenSettings = { ...plain, ...metadataSetting(provider) }
const strict: TokenSettings = { ...known, ...validationSetting(true) }
/** Within the time of the golden files. */
const NOW = Date.UTC(2026, 10, 23, 3, 1)

const visit = (facts: Partial<HttpVisit>): HttpVisit => ({
  channel: 'http',
  method: 'POST',
  path: '/img/abc/pixel.gif',
  headers: { 'User-Agent': 'Mozilla/5.0' },
  srcHost: '192.0.2.7',
  dstPort: 80,
  ...facts,
})
const posting = (xml: string): HttpVisit =>
  visit({
    body: new URLSearchParams({
      SAMLResponse: Buffer.from(xml).toString('base64'),
      RelayState: '',
    }).toString(),
  })

/** The verdict, and why the metadata does not prove it. */
function judged(xml: string, settings = strict, at = NOW): [unknown, unknown] {
  const it = posting(xml)
  const verdict = kind.on.http?.judge?.(it, settings, at)
  return [verdict, kind.on.http?.describe?.(it, settings, at)['validation_error']]
}

describe('the idp-app kind', () => {
  it('shows who opened the app, with and without metadata', () => {
    const fields = {
      identity: 'eve@corp.example',
      issuer: 'https://idp.example/saml',
      attributes: { groups: 'R&D <dev> é, ops' },
      useragent: 'Mozilla/5.0',
    }
    for (const [settings, validated] of [
      [plain, false],
      [{ ...plain, ...validationSetting(true) }, false],
      [known, true],
      [strict, true],
    ] as const) {
      expect(kind.on.http?.judge?.(posting(SIGNED), settings, NOW)).toBe('fire')
      expect(kind.on.http?.describe?.(posting(SIGNED), settings, NOW)).toEqual({ ...fields, validated })
    }
  })

  it('takes what providers sign: the assertion or the response, with RSA or ECDSA', () => {
    for (const name of ['signed-assertion', 'signed-response', 'signed-by-ecdsa'])
      expect(judged(golden(name))).toEqual(['fire', undefined])
  })

  it.each([
    ['is not signed', SIGNED.replace(SIGNATURE, ''), 'it is not signed'],
    ['names another identity', SIGNED.replace('eve', 'adam'), 'altered'],
    ['hides a part of the name', SIGNED.replace('eve', 'adam<!-- -->eve'), 'altered'],
    ['has another attribute', SIGNED.replace('ops', 'admins'), 'altered'],
    [
      'has another key',
      SIGNED.replace(/<ds:KeyInfo>.*<\/ds:KeyInfo>/s, '').replace('xMYT', 'xMYU'),
      'not signed with a key',
    ],
    // Whose signature is not ours costs no look at the rest.
    [
      'names another identity, under a signature of nobody',
      SIGNED.replace('eve', 'adam').replace('xMYT', 'xMYU'),
      'not signed with a key',
    ],
    [
      'has a signature of many parts',
      SIGNED.replace('</ds:SignedInfo>', `${'<a/>'.repeat(32)}</ds:SignedInfo>`),
      'more than 32 elements',
    ],
    ['is signed by reference to another', SIGNED.replace('URI="#_a1"', 'URI="#_r1"'), 'of another element'],
    ['is signed with SHA-1', SIGNED.replaceAll(/xmlenc#sha256/g, 'xmldsig#sha1'), 'digest'],
    ['is signed with HMAC', SIGNED.replace('rsa-sha256', 'hmac-sha256'), 'not RSA or ECDSA'],
    [
      'is signed without a canonical form',
      SIGNED.replaceAll('xml-exc-c14n#"/>', 'none"/>'),
      'not RSA or ECDSA',
    ],
    ['has an XSLT', SIGNED.replace('xmldsig#enveloped-signature', 'TR/1999/REC-xslt-19991116'), 'transforms'],
    ['is encrypted', SIGNED.replaceAll('saml:Assertion', 'saml:EncryptedAssertion'), 'in the clear'],
    [
      'is an evil one before the signed one',
      SIGNED.replace('<saml:Assertion', `${evil()}<saml:Assertion`),
      'one assertion',
    ],
    ['is an evil one around the signed one', SIGNED.replace(ASSERTION, evil(ASSERTION)), 'it is not signed'],
    ['is an evil one that took the signature', wrapped(), 'of another element'],
    ['is an evil one with the same id', wrapped().replace('ID="_evil"', 'ID="_a1"'), 'of another element'],
    ['is no response', '<a/>', 'no response'],
    [
      'has a document type',
      SIGNED.replace('<samlp:Response', '<!DOCTYPE a [<!ENTITY b "c">]><samlp:Response'),
      'DOCTYPE',
    ],
    ['is UTF-16', '\0<\0a', 'a control character'],
    ['is cut', SIGNED.slice(0, 2_000), 'the end of the document'],
  ])('an assertion that %s is quiet, and says why', (_, xml, reason) => {
    expect(judged(xml)).toEqual(['quiet', expect.stringContaining(reason)])
    expect(judged(xml, known)).toEqual(['fire', expect.stringContaining(reason)])
    expect(judged(xml, plain)).toEqual(['fire', undefined])
  })

  it('an assertion counts from three minutes before its time until three minutes behind it', () => {
    const minutes = (n: number): number => Date.UTC(2026, 10, 23, 2, 55 + n)
    expect(judged(SIGNED, strict, minutes(-3))).toEqual(['fire', undefined])
    expect(judged(SIGNED, strict, minutes(-3) - 1)).toEqual(['quiet', 'its time has not come'])
    expect(judged(SIGNED, strict, minutes(13) - 1)).toEqual(['fire', undefined])
    expect(judged(SIGNED, strict, minutes(13))).toEqual(['quiet', 'it has expired'])
  })

  it('an assertion of another provider is quiet', () => {
    const other = { ...strict, ...metadataSetting({ ...provider, entityId: 'https://other.example' }) }
    expect(judged(SIGNED, other)).toEqual(['quiet', 'its issuer is not that of the metadata'])
  })

  it('a request without an assertion is quiet, and one whose body was not kept fires', () => {
    for (const settings of [plain, strict]) {
      for (const it of [visit({ method: 'GET' }), visit({ body: 'a=b' }), visit({ body: '' })]) {
        expect(kind.on.http?.judge?.(it, settings, NOW)).toBe('quiet')
        expect(kind.on.http?.describe?.(it, settings, NOW)).toEqual({ useragent: 'Mozilla/5.0' })
      }
      const unread = visit({ isBodyCut: true })
      expect(kind.on.http?.judge?.(unread, settings, NOW)).toBe('fire')
      expect(kind.on.http?.describe?.(unread, settings, NOW)).toMatchObject({
        identity: '',
        validated: false,
      })
    }
  })

  it('a body that is too long proves nothing', () => {
    const long = visit({ body: 'SAMLResponse=PGE', isBodyCut: true })
    for (const [settings, verdict] of [
      [plain, 'fire'],
      [known, 'fire'],
      [strict, 'quiet'],
    ] as const)
      expect(kind.on.http?.judge?.({ ...long }, settings, NOW)).toBe(verdict)
    expect(kind.on.http?.describe?.(long, strict, NOW)['validation_error']).toBe(
      'its body is longer than 64 KiB',
    )
  })

  it('an assertion that is larger than any of a provider counts as a touch, and proves nothing', () => {
    const begin = '<samlp:Status>'
    const extended = (xml: string): string =>
      SIGNED.replace(begin, `<samlp:Extensions>${xml}</samlp:Extensions>${begin}`)
    const deep = (n: number): string => extended('<a>'.repeat(n) + '</a>'.repeat(n))
    const elements = SIGNED.match(/<[a-z]/g)?.length ?? 0
    expect(judged(deep(22))).toEqual(['fire', undefined])
    expect(judged(extended('<a/>'.repeat(499 - elements)))).toEqual(['fire', undefined])
    for (const [xml, reason] of [
      [deep(23), 'elements more than 24 deep'],
      [extended('<a/>'.repeat(500 - elements)), 'more than 500 elements'],
    ] as const) {
      expect(judged(xml)).toEqual(['quiet', expect.stringContaining(reason)])
      expect(judged(xml, plain)).toEqual(['fire', undefined])
      expect(kind.on.http?.describe?.(posting(xml), strict, NOW)).toMatchObject({ validated: false })
    }
  })

  it('an assertion for another app, or for none, or for all times is not validated', async () => {
    const { metadata, respond } = await openIdentityProvider()
    const own = { ...strict, ...metadataSetting(readMetadata(Buffer.from(metadata))) }
    const resigned = (change: (xml: string) => string) => judged(respond(change), own)
    expect(resigned((xml) => xml)).toEqual(['fire', undefined])
    for (const [change, reason, verdict = 'fire'] of [
      [
        (xml: string) => xml.replace(/pixel\.gif(?=<\/saml:Audience)/, 'other.gif'),
        'it is for another audience',
      ],
      [
        (xml: string) => xml.replace(/<saml:AudienceRestriction>.*<\/saml:AudienceRestriction>/s, ''),
        'it names no audience',
      ],
      [(xml: string) => xml.replaceAll(/ NotOnOrAfter="[^"]*"/g, ''), 'it has no time', 'quiet'],
    ] as const)
      expect(resigned(change)).toEqual([verdict, reason])
  })

  it('words that each object knows are no entity, and no way to digest or to sign', () => {
    expect(judged(SIGNED.replace('R&amp;D', '&constructor;'))[1]).toContain('the reference &constructor')
    for (const word of ['constructor', '__proto__', 'toString']) {
      const [digest, method] = ['DigestMethod', 'SignatureMethod'].map((name) =>
        SIGNED.replace(new RegExp(`(<ds:${name} Algorithm=")[^"]*`), `$1${word}`),
      )
      expect(judged(digest ?? '')).toEqual(['quiet', 'its digest is not SHA-256, SHA-384 or SHA-512'])
      expect(judged(method ?? '')).toEqual(['quiet', expect.stringContaining('not RSA or ECDSA')])
    }
  })

  it('has an id for replays only where it is proven', () => {
    expect(kind.on.http?.invocation?.(posting(SIGNED), strict, NOW)).toBe('_a1')
    expect(kind.on.http?.invocation?.(posting(SIGNED), plain, NOW)).toBeUndefined()
  })

  it('judges 64 KiB of the worst XML within a second', () => {
    const nested = '<a xmlns:b="c">'.repeat(60) + '<d e="f" g="h"/>'.repeat(3_000) + '</a>'.repeat(60)
    const many = SIGNED.replace('PrefixList="xs"', `PrefixList="${'x '.repeat(16)}"`).replace('ops', 'o')
    const end = '</saml:Assertion>'
    const within = SIGNED.replace(end, '<x xmlns:xs="u"><y a="b"/></x>'.repeat(1_000) + end)
    const elapsedMs = processorTimer()
    for (const xml of [
      nested,
      many,
      within,
      '<a>' + '&#65;'.repeat(9_000),
      '<a ' + ' '.repeat(48_000),
      SIGNED + '<!--',
    ])
      judged(xml)
    expect(elapsedMs()).toBeLessThan(1_000)
  })

  it('shows an app that the account may not use, and the same to a stranger who opens it as to others', () => {
    const page = kind.on.http?.answer?.(posting(SIGNED), readSettings(descriptor, { idp_app_type: 'aws' }))
    expect([page?.status, page?.body]).toEqual([403, expect.stringContaining('Amazon Web Services')])
    expect(kind.on.http?.answer?.(visit({ method: 'GET' }), plain)?.headers['Content-Type']).toBe('image/gif')
    expect(() => readSettings(descriptor, { idp_app_type: 'myspace' })).toThrow('idp_app_type')
  })

  it('plants the address for the provider, also as metadata of SAML', async () => {
    const url = 'http://t.example/img/abc/pixel.gif'
    const address = { tokenId: 'abc', url, hostname: 'abc.t.example' }
    const renders = kind.renders(address, readSettings(descriptor, { idp_app_type: 'jira' }))
    expect(renders).toMatchObject({ app_name: 'Jira', entity_id: url, acs_url: url })
    const { filename, bytes } = await forgeFile(forge, { address })
    expect([filename, Buffer.from(bytes).toString()]).toEqual(['metadata.xml', renders['metadata']])
    expect(parseXml(renders['metadata'] ?? '').localName).toBe('EntityDescriptor')
  })
})

/** An assertion of another identity, with something inside it. */
function evil(inside = ''): string {
  return ASSERTION.replace(SIGNATURE, inside).replace('"_a1"', '"_evil"').replace('eve<', 'adam<')
}

/** The evil assertion carries the signature of the signed one, which lies in an extension. */
function wrapped(): string {
  return SIGNED.replace(ASSERTION, evil(SIGNATURE)).replace(
    '<samlp:Status>',
    `<samlp:Extensions>${ASSERTION.replace(SIGNATURE, '')}</samlp:Extensions><samlp:Status>`,
  )
}
