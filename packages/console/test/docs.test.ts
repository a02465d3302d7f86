// The pages at /docs in a real browser: everything comes from the console, and "try it" does what it says.
import { describe, expect, it } from 'vitest'
import { groups } from '@rookery/contract/groups.gen.ts'
import { aboutGroup } from '@rookery/contract/operation.ts'
import { chromium, openPage, type Page } from './browser.ts'
import { ADMIN, openHouse } from './house.ts'

const flock_id = 'flock:default'
const VALUE = "document.querySelector('input[id^=scalar-refs]')"

const button = (text: string): string =>
  `[...document.querySelectorAll('button')].find((it) => it.innerText.replace(/\\s+/g, ' ').includes(${JSON.stringify(text)}) && it.getBoundingClientRect().width > 0)`

/** Opens the page of an operation, gives the key, and sends the request that its example makes. */
async function tryIt(page: Page, operation: string, key: string): Promise<void> {
  await page.until(`${button(`(${operation})`)} && ${VALUE}`)
  await page.run(`${VALUE}.focus()`)
  await page.type(key)
  await page.click(button(`(${operation})`))
  await page.until(button('Send'))
  await page.click(button('Send'))
  await page.until("/Status:\\s+\\d{3}/.test(document.body.innerText.replaceAll('STATUS:', ''))")
}
const shown = (page: Page): Promise<string> => page.run<string>('document.body.innerText')

describe.skipIf(chromium === undefined)('the pages at /docs (needs chromium on the PATH)', () => {
  it('name every group, ask nobody but the console, and read with a key', async () => {
    const house = await openHouse()
    const { apiUrl = '' } = house.console
    await house.post('/flock/note/add', { flock_id, note: 'Third floor, left' })
    const page = await openPage(`${apiUrl}/docs#tag/flock-notes/GET/api/v1/flock/note`)
    await tryIt(page, 'get /api/v1/flock/note', ADMIN)
    await page.until("document.body.innerText.includes('Third floor, left')")
    expect(await shown(page)).toMatch(/Status:\s+200 OK/)
    const text = await page.run<string>('document.body.textContent')
    for (const group of Object.values(groups)) expect(text).toContain(aboutGroup(group).title)
    expect(
      page.asked.filter((url) => !url.startsWith(`${apiUrl}/`) && !/^(data|blob|about):/.test(url)),
    ).toEqual([])
    expect(page.asked.filter((url) => url.includes(ADMIN))).toEqual([])
    expect(page.complaints).toEqual([])
  }, 60_000)

  it('write with a key', async () => {
    const house = await openHouse()
    const page = await openPage(`${house.console.apiUrl}/docs#tag/flock-notes/POST/api/v1/flock/note/add`)
    await tryIt(page, 'post /api/v1/flock/note/add', ADMIN)
    const { note = '' } = (await house.get('/flock/note', { flock_id })).json as { note?: string }
    const { example } = groups.flockNotes.add
    expect(note).toBe(example.params?.['note'])
    expect(note).not.toBe('')
  }, 60_000)
})
