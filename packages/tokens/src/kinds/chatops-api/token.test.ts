import { describe, expect, it } from 'vitest'
import { forgeFile } from '../../../test/forge-file.ts'
import type { HttpVisit } from '../../channels/http/visit.ts'
import { readSettings } from '../../settings.ts'
import { providerNeeded } from '../../token.ts'
import { descriptor } from './descriptor.ts'
import forge from './forge.ts'
import kind from './token.ts'

const TOKEN_ID = 'abcdefghij0123456789klmno'
const address = {
  tokenId: TOKEN_ID,
  url: `https://t.example:8443/img/${TOKEN_ID}/a.gif`,
  hostname: `${TOKEN_ID}.t.example`,
}
const visit = (given: Partial<HttpVisit>): HttpVisit => ({
  channel: 'http',
  method: 'POST',
  path: `/services/T0/B0/${TOKEN_ID}`,
  headers: {},
  srcHost: '192.0.2.7',
  dstPort: 443,
  ...given,
})
const described = (given: Partial<HttpVisit>) => kind.on.http?.describe?.(visit(given), {}, 0)
const answered = (given: Partial<HttpVisit>) => kind.on.http?.answer?.(visit(given), {})
const settings = readSettings(descriptor, { chatops_token: 'xoxp-1-a' })
const issued = { user: 'reporter', workspace: 'https://example.slack.com/' }

describe('the chatops-api kind', () => {
  it('needs its provider for a token alone', () => {
    expect(providerNeeded(kind, {})).toBeUndefined()
    expect(providerNeeded(kind, settings)).toBe('slack')
    expect(() => readSettings(descriptor, { chatops_token: 'xoxp 1' })).toThrow('chatops_token')
  })

  it('plants a webhook on the token host that looks like one of Slack, the same each time', async () => {
    const { webhook_url: url = '' } = kind.renders(address, {})
    expect(url).toMatch(/^https:\/\/t\.example:8443\/services\/T0[A-Z0-9]{9}\/B0[A-Z0-9]{9}\/abcdefg/)
    expect(kind.renders(address, {})).toEqual({ webhook_url: url })
    const { bytes } = await forgeFile(forge, { address })
    expect(Buffer.from(bytes).toString()).toContain(`SLACK_WEBHOOK_URL=${url}\n`)
  })

  it('plants a token with the user and the workspace that it is of', async () => {
    expect(kind.renders(address, settings, issued)).toEqual({ api_token: 'xoxp-1-a', ...issued })
    const { bytes } = await forgeFile(forge, { address, settings, issued })
    expect(Buffer.from(bytes).toString()).toBe(
      '# Bot account reporter, https://example.slack.com/: posts and reads channels\nSLACK_API_TOKEN=xoxp-1-a\n',
    )
  })

  it('shows the message that was sent, however it was sent', () => {
    const form = { 'Content-Type': 'application/x-www-form-urlencoded' }
    expect(described({ body: '{"text":"hi"}' })).toMatchObject({ text: 'hi' })
    expect(described({ body: 'payload=%7B%22text%22%3A%22hi%22%7D', headers: form })).toMatchObject({
      text: 'hi',
    })
    expect(described({ body: 'text=hi&channel=C1', headers: form })).toMatchObject({ text: 'hi' })
    for (const body of ['', '[]', '{', 'null', '{"text":1}'])
      expect(described({ body })).not.toHaveProperty('text')
    expect(described({ path: `/services/T0/B0/${TOKEN_ID}/chat.postMessage?a` })).toMatchObject({
      event_name: 'chat.postMessage',
      api_method: 'chat.postMessage',
    })
  })

  it('answers a message, a method and a browser as Slack does', () => {
    expect(answered({ body: '{"text":"hi"}' })).toMatchObject({ status: 200, body: 'ok' })
    expect(answered({ path: `/${TOKEN_ID}/auth.test` })?.body).toBe('{"ok":false,"error":"invalid_auth"}')
    expect(answered({ method: 'GET' })).toMatchObject({ status: 302 })
  })
})
