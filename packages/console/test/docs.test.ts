// The pages at /docs in a real browser: everything comes from the console, and "try it" does what it says.
import { describe, expect, it } from 'vitest'
import { groups } from '@rookery/contract/groups.gen.ts'
import { aboutGroup } from '@rookery/contract/operation.ts'
import { chromium, openPage, type Page } from './browser.ts'
import { ADMIN, openTestConsole } from './test-console.ts'

const flock_id = 'flock:default'
/** Opens the page at an operation, gives the key, and sends the request that its example makes. */
async function tryIt(url: string, operation: string, key: string): Promise<Page> {
  const page = await openPage(`${url}/docs#${operation}`)
  const inside = (selector: string) => `document.getElementById('${operation}').querySelector('${selector}')`
  await page.until(`document.getElementById('${operation}')?.open`)
  await page.run("document.querySelector('#key').focus()")
  await page.type(key)
  await page.click(inside('button'))
  await page.until(`/^\\d{3} /.test(${inside('output')}.textContent)`)
  expect(await page.run<string>(`${inside('output')}.textContent`)).toMatch(/^200 OK/)
  return page
}

describe.skipIf(chromium === undefined)('the pages at /docs (needs chromium on the PATH)', () => {
  it('name every group, ask nobody but the console, and read with a key', async () => {
    const rookery = await openTestConsole()
    const { apiUrl = '' } = rookery.console
    await rookery.post('/flock/note/add', { flock_id, note: 'Third floor, left' })
    const page = await tryIt(apiUrl, 'flockNotes.read', ADMIN)
    expect(await page.run<string>('document.body.innerText')).toContain('Third floor, left')
    const text = await page.run<string>('document.body.textContent')
    for (const group of Object.values(groups)) expect(text).toContain(aboutGroup(group).title)
    expect(
      page.asked.filter((url) => !url.startsWith(`${apiUrl}/`) && !/^(data|blob|about):/.test(url)),
    ).toEqual([])
    expect(page.asked.filter((url) => url.includes(ADMIN))).toEqual([])
    expect(page.complaints).toEqual([])
  })

  it('write with a key', async () => {
    const rookery = await openTestConsole()
    const page = await tryIt(rookery.console.apiUrl ?? '', 'flockNotes.add', ADMIN)
    expect(page.complaints).toEqual([])
    const { note = '' } = (await rookery.get('/flock/note', { flock_id })).json as { note?: string }
    const { example } = groups.flockNotes.add
    expect(note).toBe(example['note'])
    expect(note).not.toBe('')
  })
})
