// A chat service: its OAuth end, and the incoming webhooks that it gives, on loopback over real HTTP.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

export interface Posted {
  readonly path: string
  readonly json: Readonly<Record<string, unknown>>
}

export interface ChatService {
  readonly url: string
  /** What was posted to its webhooks. */
  readonly posts: readonly Posted[]
  /** Every exchange that was asked for. */
  readonly exchanges: readonly Readonly<Record<string, string>>[]
  /** The operator agrees on the authorisation page: answers the code and where his browser goes. */
  agree(page: string, channel: string): { readonly code: string; readonly back: string }
  /** Its webhooks answer this from now on. */
  answer(status: number, text: string): void
  posted(count: number): Promise<readonly Posted[]>
}

export const CLIENT = { id: '12345.67890', secret: 'shh-client-secret' }

export async function openChatService(): Promise<ChatService> {
  const posts: Posted[] = []
  const exchanges: Record<string, string>[] = []
  const codes = new Map<string, { readonly channel: string; readonly redirectUri: string }>()
  let answering = { status: 200, text: 'ok' }
  let watchers: { count: number; resolve: (posts: readonly Posted[]) => void }[] = []

  function exchange(form: Readonly<Record<string, string>>): object {
    exchanges.push(form)
    const granted = codes.get(form['code'] ?? '')
    codes.delete(form['code'] ?? '')
    if (form['client_id'] !== CLIENT.id || form['client_secret'] !== CLIENT.secret)
      return { ok: false, error: 'bad_client_secret' }
    if (!granted) return { ok: false, error: 'invalid_code' }
    if (granted.redirectUri !== form['redirect_uri']) return { ok: false, error: 'bad_redirect_uri' }
    return {
      ok: true,
      app_id: 'A1',
      access_token: 'xoxb-not-to-be-kept',
      team: { id: 'T1', name: 'Blue team' },
      incoming_webhook: {
        channel: granted.channel,
        channel_id: 'C1',
        configuration_url: `${url}/services/B${exchanges.length}`,
        url: `${url}/services/T1/B${exchanges.length}/s3cr3t`,
      },
    }
  }

  const server = createServer((request, response) => {
    const pieces: Buffer[] = []
    request.on('data', (piece: Buffer) => pieces.push(piece))
    request.on('end', () => {
      const text = Buffer.concat(pieces).toString('utf8')
      const path = request.url ?? ''
      if (path === '/api/oauth.v2.access') {
        const answer = exchange(Object.fromEntries(new URLSearchParams(text)))
        response.setHeader('content-type', 'application/json').end(JSON.stringify(answer))
        return
      }
      posts.push({ path, json: JSON.parse(text) as Posted['json'] })
      response.writeHead(answering.status).end(answering.text)
      watchers = watchers.filter(({ count, resolve }) => posts.length < count || void resolve(posts))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url,
    posts,
    exchanges,
    agree(page, channel) {
      const asked = new URL(page).searchParams
      const redirectUri = asked.get('redirect_uri') ?? ''
      const code = `code-${codes.size}-${channel}`
      codes.set(code, { channel, redirectUri })
      const back = new URL(redirectUri)
      back.searchParams.set('code', code)
      back.searchParams.set('state', asked.get('state') ?? '')
      return { code, back: back.href }
    },
    answer: (status, text) => void (answering = { status, text }),
    posted: (count) =>
      new Promise((resolve) => {
        if (posts.length >= count) resolve(posts)
        else watchers.push({ count, resolve })
      }),
  }
}
