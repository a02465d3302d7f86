import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { HttpVisit } from '../channels/http/visit.ts'
import { signedHeaders } from './sign.ts'
import { carriedSignature, isSignedWith } from './verify.ts'

const key = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY' }
const at = Date.UTC(2015, 7, 30, 12, 36, 0, 7)

const path = (text: string): string => encodeURIComponent(text.toWellFormed())

describe('a signed request', () => {
  it('has the signature of the documentation of AWS', () => {
    const request = {
      url: 'https://iam.amazonaws.com/?Action=ListUsers&Version=2010-05-08',
      method: 'GET',
      headers: { 'Content-Type': 'application/x-www-form-urlencoded; charset=utf-8' },
      body: '',
    }
    expect(signedHeaders(request, key, { region: 'us-east-1', service: 'iam', at })).toEqual({
      'Content-Type': 'application/x-www-form-urlencoded; charset=utf-8',
      'X-Amz-Date': '20150830T123600Z',
      Authorization:
        'AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/iam/aws4_request, SignedHeaders=content-type;host;x-amz-date, Signature=5d672d79c15b13162d9279b0855cfba6789a8edb4c82c400e06b5924a6f2b5d7',
    })
  })

  it('is verified with its secret, and with no other, whatever it asks', () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ maxLength: 8 }), { maxLength: 3 }),
        fc.dictionary(fc.string({ maxLength: 8 }), fc.string({ maxLength: 8 }), { maxKeys: 3 }),
        fc.string({ maxLength: 40 }),
        fc.constantFrom('iam', 's3', 'sts'),
        (segments, query, body, service) => {
          const url = new URL(
            `http://t.example:8081/${segments.map(path).join('/')}?${new URLSearchParams(query)}`,
          )
          const given = { url: url.href, method: 'POST', headers: { 'User-Agent': 'rookery' }, body }
          const place = { region: 'eu-west-1', service, at }
          const headers = signedHeaders(given, { ...key, sessionToken: 'temporary' }, place)
          expect(headers['Authorization']).toContain('x-amz-security-token')
          const visit: HttpVisit = {
            channel: 'http',
            method: 'POST',
            path: url.pathname + url.search,
            headers: { ...headers, Host: url.host },
            body,
            srcHost: '192.0.2.7',
            dstPort: 8081,
          }
          const carried = carriedSignature(visit)
          const isSigned = (secret: string, it: HttpVisit): boolean | undefined =>
            carried && isSignedWith(secret, it, carried, '')
          expect(isSigned(key.secretAccessKey, visit)).toBe(true)
          expect(isSigned('another', visit)).toBe(false)
          expect(isSigned(key.secretAccessKey, { ...visit, body: `${body}x` })).toBe(false)
        },
      ),
    )
  })
})
