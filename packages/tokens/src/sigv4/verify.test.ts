import { describe, expect, it } from 'vitest'
import type { HttpVisit } from '../channels/http/visit.ts'
import { carriedSignature, isSignedWith } from './verify.ts'

/** The path of an endpoint. */
const BASE = '/img/tok/pixel.gif'

describe('a signature that others made', () => {
  const isSigned = (secret: string, visit: Partial<HttpVisit>, base = ''): boolean | undefined => {
    const whole = {
      channel: 'http',
      method: 'GET',
      path: '/',
      headers: {},
      srcHost: '',
      dstPort: 0,
      ...visit,
    } as const
    const signature = carriedSignature(whole)
    return signature && isSignedWith(secret, whole, signature, base)
  }

  it('is that of the documentation of AWS', () => {
    const headers = {
      'Content-Type': 'application/x-www-form-urlencoded; charset=utf-8',
      Host: 'iam.amazonaws.com',
      'X-Amz-Date': '20150830T123600Z',
      Authorization:
        'AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/iam/aws4_request, SignedHeaders=content-type;host;x-amz-date, Signature=5d672d79c15b13162d9279b0855cfba6789a8edb4c82c400e06b5924a6f2b5d7',
    }
    const path = '/?Action=ListUsers&Version=2010-05-08'
    expect(isSigned('wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY', { path, headers })).toBe(true)
  })

  it('is that of the documentation of S3, in an address', () => {
    const path =
      '/test.txt?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=AKIAIOSFODNN7EXAMPLE%2F20130524%2Fus-east-1%2Fs3%2Faws4_request&X-Amz-Date=20130524T000000Z&X-Amz-Expires=86400&X-Amz-SignedHeaders=host&X-Amz-Signature=aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404'
    const headers = { Host: 'examplebucket.s3.amazonaws.com' }
    expect(isSigned('wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY', { path, headers })).toBe(true)
    expect(isSigned('wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEX', { path, headers })).toBe(false)
  })

  it('is that of s3cmd 2.3.0, which signs the path of the endpoint as a part of the host name', () => {
    const headers = {
      Host: '127.0.0.1:18099',
      'X-Amz-Date': '20261123T064904Z',
      'X-Amz-Content-Sha256': 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
      Authorization:
        'AWS4-HMAC-SHA256 Credential=AKIAQWERTYUIOPASDFGH/20261123/eu-west-1/s3/aws4_request,SignedHeaders=host;x-amz-content-sha256;x-amz-date,Signature=e4ed5ab5daeaa4319bcc5a73ae2bd6494db01c4260d742bdbb5232cc7a8fe48d',
    }
    expect(isSigned('abcd'.repeat(10), { path: `${BASE}/`, headers }, BASE)).toBe(true)
    expect(isSigned('abcd'.repeat(10), { path: `${BASE}/`, headers })).toBe(false)
  })

  it('is that of rclone 1.60.1 and aws 2.9.19', () => {
    const date = (time: string) => ({ Host: '127.0.0.1:18099', 'X-Amz-Date': time })
    const rclone = {
      ...date('20261123T065048Z'),
      'X-Amz-Content-Sha256': 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
      Authorization:
        'AWS4-HMAC-SHA256 Credential=AKIAQWERTYUIOPASDFGH/20261123/eu-west-1/s3/aws4_request, SignedHeaders=host;x-amz-content-sha256;x-amz-date, Signature=d80b61764292c35eb7ce6ca6f0f16b1f325425f725978c92e0f3fb1f04fa39f4',
    }
    expect(isSigned('abcd'.repeat(10), { path: `${BASE}/`, headers: rclone }, BASE)).toBe(true)
    const aws = {
      ...date('20261123T064844Z'),
      'Content-Type': 'application/x-www-form-urlencoded; charset=utf-8',
      Authorization:
        'AWS4-HMAC-SHA256 Credential=AKIAQWERTYUIOPASDFGH/20261123/eu-west-1/sts/aws4_request, SignedHeaders=content-type;host;x-amz-date, Signature=af64fab479ea3b524a9ac3e8f5c1bdda3bf167c94cc7eba1ad8ba6d8048b54a9',
    }
    const body = 'Action=GetCallerIdentity&Version=2011-06-15'
    expect(isSigned('abcd'.repeat(10), { method: 'POST', path: BASE, headers: aws, body }, BASE)).toBe(true)
  })
})
