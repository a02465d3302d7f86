import { describe, expect, it } from 'vitest'
import { forgeFile } from '../../../test/forge-file.ts'
import type { HttpAnswer, HttpVisit } from '../../channels/http/visit.ts'
import { deriver } from '../../derive.ts'
import { readSettings } from '../../settings.ts'
import { describeVisit, judgeVisit } from '../../token.ts'
import { descriptor } from './descriptor.ts'
import forge from './forge.ts'
import { identityOf } from './identity.ts'
import { isSignedWith, signatureOf } from './signature.ts'
import { signedVisit } from './testing/signed-visit.ts'
import kind from './token.ts'

const BASE = '/img/tok/pixel.gif'
const CREATED = Date.UTC(2026, 10, 23)
const derive = deriver('cloud-a-id', Buffer.alloc(32, 7))
const visited = { tokenId: 'tok', createdAt: CREATED, derive }
const identity = identityOf(derive)
const settings = readSettings(descriptor, {})

const described = (visit: HttpVisit) => describeVisit(kind, visit, settings, CREATED, visited)
const answered = (visit: HttpVisit): HttpAnswer | undefined =>
  kind.on.http?.answer?.(visit, settings, visited)
const signed = (service: string, facts: Parameters<typeof signedVisit>[2] = {}): HttpVisit =>
  signedVisit(identity, service, { path: BASE, ...facts })
const form = (action: string) => ({ method: 'POST', body: `Action=${action}&Version=2011-06-15` })

describe('the cloud-a-id kind', () => {
  it('shows service, action and region of a request, and that it is signed with the secret', () => {
    expect(described(signed('sts', form('GetCallerIdentity')))).toEqual({
      service: 'sts',
      action: 'GetCallerIdentity',
      region: 'eu-west-1',
      access_key_id: identity.accessKeyId,
      signature_valid: true,
      useragent: 'aws-cli/2',
    })
  })

  it.each([
    ['s3', { path: BASE }, 'ListBuckets'],
    ['s3', { path: `${BASE}/` }, 'ListBuckets'],
    ['s3', { path: `${BASE}/backup?list-type=2&prefix=a%2Fb` }, 'ListObjectsV2'],
    ['s3', { path: `${BASE}/backup/?location` }, 'GetBucketLocation'],
    ['s3', { path: `${BASE}/backup/a%20b/c`, method: 'PUT' }, 'PutObject'],
    ['s3', { path: `${BASE}/backup`, method: 'HEAD' }, 'HeadBucket'],
    ['ec2', form('DescribeInstances'), 'DescribeInstances'],
    ['dynamodb', { headers: { 'X-Amz-Target': 'DynamoDB_20120810.ListTables' }, body: '{}' }, 'ListTables'],
    ['lambda', { path: `${BASE}/2015-03-31/functions/a%3Ab` }, 'GET /2015-03-31/functions/a%3Ab'],
  ] as const)('reads the action of %s %j', (service, facts, action) => {
    expect(described(signed(service, facts))).toMatchObject({ service, action, signature_valid: true })
  })

  it.each([
    ['another body', (it: HttpVisit) => ({ ...it, body: 'Action=GetUser' })],
    ['another path', (it: HttpVisit) => ({ ...it, path: `${BASE}/x` })],
    ['another query', (it: HttpVisit) => ({ ...it, path: `${BASE}?a=b` })],
    ['another method', (it: HttpVisit) => ({ ...it, method: 'PUT' })],
    ['another host', (it: HttpVisit) => ({ ...it, headers: { ...it.headers, Host: 'x.example' } })],
    [
      'a signature that is cut',
      (it: HttpVisit) => ({
        ...it,
        headers: { ...it.headers, Authorization: (it.headers['Authorization'] ?? '').slice(0, -2) },
      }),
    ],
  ])('a request with %s is not signed with the secret, and fires all the same', (_, alter) => {
    const altered = alter(signed('sts', form('GetCallerIdentity')))
    expect(described(altered)).toMatchObject({ signature_valid: false })
    expect(judgeVisit(kind, altered, settings, CREATED, visited)).toBe('fire')
    expect(answered(altered)).toMatchObject({
      status: 403,
      body: expect.stringContaining('SignatureDoesNotMatch') as string,
    })
  })

  it('says nothing of the signature of a body that was not kept, and of a token that the database does not have', () => {
    const { body: _, ...cut } = signed('sts', form('GetCallerIdentity'))
    expect(described({ ...cut, isBodyCut: true })).not.toHaveProperty('signature_valid')
    const unknown = describeVisit(kind, signed('sts', form('GetCallerIdentity')), {}, CREATED)
    expect(unknown).toMatchObject({ service: 'sts', action: 'GetCallerIdentity' })
    expect(unknown).not.toHaveProperty('signature_valid')
  })

  it('a request that is not signed fires, and is answered as every other URL is', () => {
    const visit = {
      ...signed('sts'),
      headers: { 'User-Agent': 'curl', Authorization: 'Bearer AWS4-HMAC-SHA256' },
    }
    expect(described(visit)).toEqual({ useragent: 'curl' })
    expect(judgeVisit(kind, visit, settings, CREATED, visited)).toBe('fire')
    expect(answered(visit)?.headers['Content-Type']).toBe('image/gif')
  })

  it('odd fields of a signature are shown, and throw nothing', () => {
    for (const odd of [
      'AWS4-HMAC-SHA256 Credential=////aws4_request',
      `AWS4-HMAC-SHA256 Credential=${identity.accessKeyId}/1/\u{1F426}/s3/aws4_request, SignedHeaders=__proto__;;, Signature=zz`,
    ]) {
      const visit = { ...signed('s3'), path: '/tok/x/%zz?%%=\ud800', headers: { Authorization: odd } }
      expect(kind.on.http?.describe?.(visit, {}, CREATED, visited)).toMatchObject({ signature_valid: false })
      expect(answered(visit)?.status).toBe(403)
    }
  })

  it('answers who the key belongs to, and refuses the rest as each protocol does', () => {
    const shown = answered(signed('sts', form('GetCallerIdentity')))
    expect(shown?.status).toBe(200)
    expect(shown?.body).toContain(`<Arn>arn:aws:iam::${identity.account}:user/${identity.userName}</Arn>`)
    for (const [visit, status, code] of [
      [signed('iam', form('ListUsers')), 403, '<Code>AccessDenied</Code>'],
      [signed('ec2', form('DescribeInstances')), 403, '<Code>UnauthorizedOperation</Code>'],
      [signed('s3'), 403, '<Code>AccessDenied</Code>'],
      [signed('lambda', { path: `${BASE}/functions` }), 403, 'is not authorized'],
      [signed('kms', { headers: { 'X-Amz-Target': 'TrentService.ListKeys' } }), 400, 'AccessDeniedException'],
    ] as const)
      expect(answered(visit)).toMatchObject({ status, body: expect.stringContaining(code) as string })
    const stranger = signedVisit({ ...identity, accessKeyId: 'AKIAX' }, 's3', { path: BASE })
    expect(answered(stranger)?.body).toContain('<Code>InvalidAccessKeyId</Code>')
  })

  it('markup of a request is not markup of its answer', () => {
    const visit = signed('iam<b>', form('%3Ci%3E'))
    expect(answered(visit)?.body).not.toMatch(/<[bi]>/)
  })

  it('fires until its expiry, and is quiet afterwards', () => {
    const hour = readSettings(descriptor, { expiry: '1h' })
    const at = (ms: number) => judgeVisit(kind, signed('s3'), hour, CREATED + ms, visited)
    expect([at(0), at(3_600_000), at(3_600_001)]).toEqual(['fire', 'fire', 'quiet'])
    expect(() => readSettings(descriptor, { expiry: '1s' })).toThrow('expiry')
  })
})

describe('the key', () => {
  it('has the form of a key of AWS, and names the account that answers', () => {
    expect(identity.accessKeyId).toMatch(/^AKIA[Q-Z2-7][A-Z2-7]{15}$/)
    expect(identity.secretAccessKey).toMatch(/^[A-Za-z0-9+/]{40}$/)
    expect(identity.account).toMatch(/^[1-9]\d{11}$/)
    // As tools for stolen keys read it: 48 bits behind `AKIA`, of which the first is left out, and the last seven.
    const bits = [...identity.accessKeyId.slice(4)]
      .map((c) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(c).toString(2).padStart(5, '0'))
      .join('')
    expect(String(parseInt(bits.slice(1, 41), 2))).toBe(identity.account)
  })

  it.each([
    ['aws', 'credentials', /endpoint_url = http:\/\/t\.example\/img\/abc\/pixel\.gif\n$/],
    ['s3cmd', '.s3cfg', /host_base = t\.example\/img\/abc\/pixel\.gif\n.*\n.*\n.*\nuse_https = False\n$/],
    ['rclone', 'rclone.conf', /type = s3\nprovider = Other\n/],
  ])('is downloaded for %s with the secret, the same each time', async (client, name, text) => {
    const given = { settings: readSettings(descriptor, { cloud_a_client: client }) }
    const { filename, bytes } = await forgeFile(forge, given)
    expect(filename).toBe(name)
    expect(Buffer.from(bytes).toString()).toMatch(text)
    expect((await forgeFile(forge, given)).bytes).toEqual(bytes)
  })
})

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
    const signature = signatureOf(whole)
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
