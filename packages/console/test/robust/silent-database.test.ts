// PostgreSQL keeps its connections and answers nothing: a token answers within two seconds, as it did last.
import { expect, it } from 'vitest'
import { ownTimeMs } from '../own-time.ts'
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
  let visits = 0
  const open = async (tokenId: string) => {
    let length = 0
    const ms = await ownTimeMs(async () => {
      const headers = { 'User-Agent': `visit ${++visits}` }
      const answer = await fetch(`${rookery.console.tokensUrl}/${tokenId}`, { headers })
      length = (await answer.arrayBuffer()).byteLength
    })
    return { length, ms }
  }
  const [answered, other] = [await plant(), await plant()]
  // It is in memory once it was read within two seconds, which a busy machine may miss at first.
  await expect.poll(async () => (await open(answered)).length).toBe(PNG.byteLength)
  proxy.hang()
  const [again, first] = await Promise.all([open(answered), open(other)])
  expect(again.length).toBe(PNG.byteLength)
  expect(again.ms).toBeLessThan(2_500)
  expect(first.length).toBeLessThan(PNG.byteLength)
  expect(first.ms).toBeLessThan(2_500)
  proxy.shut()
})

it('a call that waits has its 503 soon, the next ones at once, and both are served when it speaks again', async () => {
  const proxy = await openProxy()
  const rookery = await openTestConsole({ env: { ROOKERY_DATABASE_URL: proxy.url } })
  const call = async () => (await rookery.get('/flocks/list')).status
  proxy.hang()
  const sinceMs = performance.now()
  expect(await call()).toBe(503)
  // Three looks of two seconds, and not the 30 s after which PostgreSQL's driver gives up.
  expect(performance.now() - sinceMs).toBeLessThan(25_000)
  const nextMs = performance.now()
  expect(await call()).toBe(503)
  expect(performance.now() - nextMs).toBeLessThan(4_000)
  proxy.shut()
  proxy.open()
  await expect.poll(call).toBe(200)
})
