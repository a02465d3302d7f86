// PostgreSQL keeps its connections and answers nothing: a token answers within two seconds, as it did last.
import { expect, it } from 'vitest'
import { openProxy } from '../postgres-proxy.ts'
import { openTestConsole } from '../test-console.ts'

const PNG = Buffer.alloc(400_000, 'noise')
PNG.write('\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01', 'latin1')

it('a token that answers with an uploaded file does so from memory, and with the blank page where it has not yet', async () => {
  const proxy = await openProxy()
  const rookery = await openTestConsole({ env: { ROOKERY_DATABASE_URL: proxy.url } })
  const plant = async (): Promise<string> => {
    const web_image = new File([PNG], 'a.png', { type: 'image/png' })
    const { decoytoken } = await rookery.api.tokens.create({ kind: 'web-image', memo: 'm', web_image })
    return decoytoken.decoytoken
  }
  const open = async (tokenId: string) => {
    const since = performance.now()
    const answer = await fetch(`${rookery.console.tokensUrl}/${tokenId}`, {
      headers: { 'User-Agent': `at ${since}` },
    })
    const bytes = new Uint8Array(await answer.arrayBuffer())
    return { length: bytes.byteLength, ms: performance.now() - since }
  }
  const [answered, other] = [await plant(), await plant()]
  expect((await open(answered)).length).toBe(PNG.byteLength)
  proxy.hang()
  const [again, first] = await Promise.all([open(answered), open(other)])
  expect(again.length).toBe(PNG.byteLength)
  expect(again.ms).toBeLessThan(2_500)
  expect(first.length).toBeLessThan(PNG.byteLength)
  expect(first.ms).toBeLessThan(2_500)
  proxy.shut()
})
