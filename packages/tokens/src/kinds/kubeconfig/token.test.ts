import { describe, expect, it } from 'vitest'
import { forgeFile } from '../../../test/forge-file.ts'
import type { HttpAnswer, HttpVisit } from '../../channels/http/visit.ts'
import { deriver } from '../../derive.ts'
import { describeVisit } from '../../token.ts'
import forge from './forge.ts'
import { serviceAccountOf } from './service-account.ts'
import kubeconfig from './token.ts'

const derive = deriver('kubeconfig', Buffer.alloc(32, 7))
const visited = { tokenId: 'abc', createdAt: 0, derive }
const settings = { kube_cluster: 'production' }

const asked = (path: string, token?: string): HttpVisit => ({
  channel: 'http',
  method: 'GET',
  path: `/img/abc${path}`,
  headers: { 'User-Agent': 'kubectl/v1.32.4', ...(token && { Authorization: `Bearer ${token}` }) },
  srcHost: '192.0.2.7',
  dstPort: 80,
})
const answerTo = (visit: HttpVisit): HttpAnswer | undefined =>
  kubeconfig.on.http?.answer?.(visit, settings, visited)

describe('the kubeconfig kind', () => {
  const address = { tokenId: 'abc', url: 'http://t.example/img/abc/x.gif', hostname: 'abc.t.example' }
  const planted = async (url = address.url, given: { readonly kube_cluster: string } = settings) =>
    Buffer.from((await forgeFile(forge, { address: { ...address, url }, settings: given })).bytes).toString()

  it('plants a cluster, a user and a context that binds them', async () => {
    const text = await planted()
    const name = /^users:\n- name: (.*)$/m.exec(text)?.[1] ?? ''
    expect(text).toContain('- cluster:\n    server: http://t.example/img/abc\n  name: production\n')
    expect(text).toContain(`- context:\n    cluster: production\n    user: ${name}\n  name: production\n`)
    expect(text).toContain('current-context: production\nkind: Config\n')
    expect(text).not.toContain('insecure')
    expect(await planted('https://t.example/img/abc/x.gif')).toContain('    insecure-skip-tls-verify: true\n')
    expect(await planted()).toBe(text)
  })

  it('names the cluster by a text, whatever YAML would read', async () => {
    for (const name of ['123', '1e3', '-', 'on', 'null', '0x1f'])
      expect(await planted(address.url, { kube_cluster: name })).toContain(`current-context: "${name}"\n`)
    expect(await planted(address.url, { kube_cluster: 'no-1' })).toContain('current-context: no-1\n')
  })

  it('has a token that says whose it is', () => {
    const { name, token } = serviceAccountOf(derive)
    const [header = '', claims = '', signature = ''] = token.split('.')
    const read = (part: string): unknown => JSON.parse(Buffer.from(part, 'base64url').toString())
    expect(read(header)).toEqual({ alg: 'RS256', kid: expect.stringMatching(/^[\w-]{43}$/) })
    expect(read(claims)).toMatchObject({
      iss: 'kubernetes/serviceaccount',
      sub: expect.stringMatching(new RegExp(`^system:serviceaccount:[a-z-]+:${name}$`)),
      'kubernetes.io/serviceaccount/service-account.uid': expect.stringMatching(
        /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
      ),
    })
    expect(Buffer.from(signature, 'base64url')).toHaveLength(256)
  })

  it('shows what is asked for, and whether with the token', () => {
    const { token } = serviceAccountOf(derive)
    expect(describeVisit(kubeconfig, asked('/api?timeout=32s', token), settings, 0, visited)).toEqual({
      method: 'GET',
      request: '/api',
      key_used: true,
      useragent: 'kubectl/v1.32.4',
    })
    const guessed = describeVisit(kubeconfig, asked('/version', 'x'), settings, 0, visited)
    expect(guessed).toMatchObject({ key_used: false })
  })

  it('answers as an API server that knows nobody', () => {
    expect(JSON.parse(String(answerTo(asked('/version'))?.body))).toMatchObject({ gitVersion: 'v1.28.2' })
    expect(answerTo(asked('/healthz'))).toMatchObject({ status: 200, body: 'ok' })
    for (const visit of [asked(''), asked('/api'), asked('/toString'), asked('/version', 'expired')]) {
      const { status, body } = answerTo(visit) ?? {}
      expect(status).toBe(401)
      expect(JSON.parse(String(body))).toMatchObject({ kind: 'Status', reason: 'Unauthorized', code: 401 })
    }
  })
})
