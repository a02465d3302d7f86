// A page of another site in the same browser posts, fetches and frames: nothing changes, and it reads nothing.
import { createServer } from 'node:http'
import { expect, onTestFinished } from 'vitest'
import { ELSEWHERE } from './browser.ts'
import { SESSION_COOKIE } from '@rookery/kernel/session-cookie.ts'
import { EMAIL, inBrowser, openInbox, openSignedIn, PASSWORD } from './rig.ts'
import { seed } from './seed.ts'

const it = inBrowser()
const PLANTED = '0'.repeat(64)

/** A server of the intruder's own; answers its port, and what browsers sent to it. */
async function openForeignSite() {
  const cookies: (string | undefined)[] = []
  const server = createServer((request, response) => {
    cookies.push(request.headers.cookie)
    response.setHeader('Content-Type', 'text/html')
    if (request.url === '/plant')
      response.setHeader('Set-Cookie', `${SESSION_COOKIE}=${PLANTED}; Path=/; Secure`)
    response.end('<h1>Foreign</h1><iframe></iframe>')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const address = server.address()
  return { port: typeof address === 'object' ? address?.port : 0, cookies }
}

it('a foreign page can neither act as the person, nor read, nor frame the console', async (rig) => {
  const { page, context, rookery } = await openSignedIn(rig)
  await seed(rookery, 3)
  await openInbox(page, rookery)
  const half = await page.evaluate(() => localStorage.getItem('rookery.page'))
  const site = await openForeignSite()
  const api = rookery.console.apiUrl ?? ''
  const open = async (): Promise<number> => (await rookery.api.incidentViews.rows({})).total
  const before = await open()
  expect([before > 0, half?.length]).toEqual([true, 64])

  for (const origin of [
    `http://${ELSEWHERE}:${site.port}`,
    `http://localhost:${site.port}`,
    `http://127.0.0.1:${site.port}`,
  ]) {
    const foreign = await context.newPage()
    await foreign.goto(origin)
    expect(await foreign.evaluate(() => localStorage.getItem('rookery.page'))).toBeNull()
    // With the page's half, too, as if it had leaked.
    const answers = await foreign.evaluate(
      async ([url, page]) => {
        const body = new URLSearchParams({ flock_id: 'flock:default' })
        const ways: Record<string, RequestInit> = {
          'a form': { method: 'POST', mode: 'no-cors', credentials: 'include', body },
          'a fetch': { method: 'POST', credentials: 'include', body },
          'both halves': {
            method: 'POST',
            credentials: 'include',
            body,
            headers: { 'X-Rookery-Page': page ?? '' },
          },
          'a read': { credentials: 'include', headers: { 'X-Rookery-Page': page ?? '' } },
        }
        const seen: [string, string][] = []
        for (const [name, init] of Object.entries(ways)) {
          const path = init.method === 'POST' ? '/api/v1/incidents/acknowledge' : '/api/v1/incidents/rows'
          const text = await fetch(`${url}${path}`, init).then(
            (it) => it.text(),
            () => 'refused',
          )
          seen.push([name, text])
        }
        return seen
      },
      [api, half] as const,
    )
    // The browser says nothing of what it got, or did not even send it.
    for (const [what, text] of answers)
      expect([origin, what, ['', 'refused']]).toEqual([origin, what, expect.arrayContaining([text])])
    await foreign.setContent(
      `<form method="post" action="${api}/api/v1/incidents/acknowledge"><input name="flock_id" value="flock:default"><button>Win</button></form>`,
    )
    await foreign.getByRole('button').click()
    await foreign.getByText('"error":').waitFor()
    await foreign.goto(origin)
    await foreign.setContent(`<iframe src="${api}/"></iframe>`)
    const framed = foreign.frames()[1]
    await foreign.waitForFunction(() => document.readyState === 'complete')
    expect([origin, await framed?.getByRole('heading', { name: 'Incidents' }).count()]).toEqual([origin, 0])
    expect(await open()).toBe(before)
    await foreign.close()
  }
  expect(site.cookies.some((cookie) => cookie?.includes(half ?? ''))).toBe(false)
  // A cookie that another port of the host planted ends the session at most; it does not become one.
  const other = await context.newPage()
  await other.goto(`http://127.0.0.1:${site.port}/plant`)
  await page.reload()
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  await page.getByLabel('Email').fill(EMAIL)
  await page.getByLabel('Password').fill(PASSWORD)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('heading', { name: 'Incidents', level: 1 }).waitFor()
  const kept = (await context.cookies(api)).filter(({ name }) => name === SESSION_COOKIE)
  expect([kept.length, kept[0]?.value === PLANTED]).toEqual([1, false])
})
