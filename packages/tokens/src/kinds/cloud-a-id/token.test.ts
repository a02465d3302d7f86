import { describe, expect, it } from 'vitest'
import { forgeFile } from '../../../test/forge-file.ts'
import type { HttpAnswer, HttpVisit } from '../../channels/http/visit.ts'
import { deriver } from '../../derive.ts'
import { readSettings } from '../../settings.ts'
import { describeVisit, judgeVisit } from '../../token.ts'
import { descriptor } from './descriptor.ts'
import forge from './forge.ts'
import { identityOf } from './identity.ts'
import { signedVisit } from '../../sigv4/testing/signed-visit.ts'
import kind from './token.ts'

const BASE = '/img/tok'
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
      event_name: 'GetCallerIdentity',
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
    expect(described(signed(service, facts))).toMatchObject({
      event_name: action,
      service,
      action,
      signature_valid: true,
    })
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

describe('a key of the own account', () => {
  const own = readSettings(descriptor, { cloud_a_account: 'own' })
  const issued = {
    access_key_id: 'AKIAIOSFODNN7EXAMPLE',
    secret_access_key: 'the secret',
    username: 'backup-1',
    account: '123456789012',
  }
  const address = { tokenId: 'tok', url: `https://t.example${BASE}`, hostname: 'tok.t.example' }

  it('is the one that AWS issued, and names no endpoint', async () => {
    expect(kind.needsProvider?.(own)).toBe(true)
    expect(kind.credentials?.(address, own, derive, issued)).toEqual({
      access_key_id: 'AKIAIOSFODNN7EXAMPLE',
      secret_access_key: 'the secret',
      username: 'backup-1',
    })
    expect(kind.renders(address, own, issued)).toEqual({ account: '123456789012' })
    for (const cloud_a_client of ['aws', 's3cmd', 'rclone']) {
      const { bytes } = await forgeFile(forge, { settings: { ...own, cloud_a_client }, issued })
      const text = Buffer.from(bytes).toString()
      expect(text).toMatch(/(access_key|aws_access_key_id|access_key_id) = AKIAIOSFODNN7EXAMPLE\n/)
      expect(text).toMatch(/(secret_key|secret_access_key) = the secret\n/)
      expect(text).not.toMatch(/t\.example|endpoint/)
    }
  })

  it('is asked for where it is wanted alone', () => {
    expect(kind.needsProvider?.(settings)).toBe(false)
    expect(kind.credentials?.(address, settings, derive)).toMatchObject({
      access_key_id: identity.accessKeyId,
    })
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
    ['aws', 'credentials', /endpoint_url = http:\/\/t\.example\/img\/abc\n$/],
    ['s3cmd', '.s3cfg', /host_base = t\.example\/img\/abc\n.*\n.*\n.*\nuse_https = False\n$/],
    ['rclone', 'rclone.conf', /type = s3\nprovider = Other\n/],
  ])('is downloaded for %s with the secret, the same each time', async (client, name, text) => {
    const given = { settings: readSettings(descriptor, { cloud_a_client: client }) }
    const { filename, bytes } = await forgeFile(forge, given)
    expect(filename).toBe(name)
    expect(Buffer.from(bytes).toString()).toMatch(text)
    expect((await forgeFile(forge, given)).bytes).toEqual(bytes)
  })
})
