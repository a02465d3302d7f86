// The outside of a console, as a function: requests that it makes are answered at once.
import type { HttpAnswer, HttpVisit } from '../../src/channels/http/visit.ts'
import type { Outbound } from '@rookery/kernel/world.ts'

/** What a fake of a provider is asked; `path` has the query. */
export type FakeRequest = Pick<HttpVisit, 'method' | 'path' | 'headers' | 'body'>

/** Calls `answer` with each request and its host. */
export const fakeOutbound = (answer: (request: FakeRequest, host: string) => HttpAnswer): Outbound => ({
  send({ url, method, headers, body }) {
    const { host, pathname, search } = new URL(url)
    const given = {
      method,
      path: pathname + search,
      headers: { ...headers, Host: host },
      ...(body !== undefined && { body }),
    }
    const answered = answer(given, host)
    return Promise.resolve({
      status: answered.status,
      headers: answered.headers,
      body: Buffer.from(answered.body as string | Uint8Array).toString(),
    })
  },
})
