import { expect, it } from 'vitest'
import { groups } from '@rookery/contract/groups.gen.ts'
import { group, post, type Group } from '@rookery/contract/operation.ts'
import Type from 'typebox'
import { openTestConsole } from '../../../test/test-console.ts'
import { docsPage } from './page.ts'

it('the docs page is complete, and its policy lets it load nothing from elsewhere', async () => {
  const { apiUrl } = (await openTestConsole()).console
  const page = await fetch(`${apiUrl}/docs`)
  const policy = page.headers.get('content-security-policy') ?? ''
  expect(policy).toContain("default-src 'none'")
  expect(policy).toContain("connect-src 'self'")
  expect(policy).not.toMatch(/https?:|\*|unsafe/)
  const text = await page.text()
  expect(text).not.toMatch(/(src|href)="(https?:)?\/\//)
  const loaded = [...text.matchAll(/<(?:script src|link rel="stylesheet" href)="([^"]+)"/g)].map(
    ([, path = '']) => path,
  )
  expect(loaded).toEqual(['/docs/page.css', '/docs/page.js'])
  for (const path of loaded) expect([path, (await fetch(`${apiUrl}${path}`)).status]).toEqual([path, 200])
  expect((await fetch(`${apiUrl}/api/v1/openapi.json`)).status).toBe(200)
})

it('every operation is a form with each of its parameters', () => {
  const forms = docsPage(groups).split('<form ').slice(1)
  const operations = Object.values<Group>(groups).flatMap((operations) => Object.values(operations))
  expect(forms).toHaveLength(operations.length)
  operations.forEach(({ method, path, params }, at) => {
    const form = forms[at]?.split('</form>')[0] ?? ''
    expect(form).toContain(`data-method="${method}" data-path="/api/v1${path}"`)
    const names = [...form.matchAll(/ name="([^"]+)"/g)].map(([, name]) => name)
    expect(names).toEqual(Object.keys(params.properties))
  })
})

it('text of the contract is text on the page, never markup', () => {
  const text = Type.String({ description: '<script>alert(1)</script>' })
  const made = {
    add: post('/odd', 'admin', 'console', 'Add "<b>"', { odd: text }, Type.Object({}), {
      example: { odd: '"><i>' },
    }),
  }
  const page = docsPage({ odd: group('Odd & ends', 'About.', made) })
  expect(page).not.toMatch(/<script>alert|<b>"|<i>/)
  expect(page).toContain('Odd &amp; ends')
  expect(page).toContain('&quot;&gt;&lt;i&gt;')
})
