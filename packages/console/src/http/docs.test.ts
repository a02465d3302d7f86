import Fastify from 'fastify'
import { expect, it } from 'vitest'
import { openHouse } from '../../test/house.ts'
import { serveDocs } from './docs.ts'

it('the docs page brings everything it needs, and its policy lets it ask nobody else', async () => {
  const house = await openHouse()
  const page = await fetch(`${house.console.apiUrl}/docs`)
  const policy = page.headers.get('content-security-policy') ?? ''
  expect(policy).toContain("default-src 'none'")
  expect(policy).toContain("connect-src 'self'")
  expect(policy).not.toMatch(/https?:|\*|unsafe-eval|script-src[^;]*unsafe/)
  const text = await page.text()
  expect(text).not.toMatch(/(src|href)="(https?:)?\/\//)
  const scripts = [...text.matchAll(/<script src="([^"]+)"/g)].map(([, path = '']) => path)
  expect(scripts).toHaveLength(2)
  for (const path of scripts) {
    const script = await fetch(`${house.console.apiUrl}${path}`)
    expect([script.status, script.headers.get('content-type')]).toEqual([
      200,
      expect.stringContaining('text/javascript'),
    ])
    expect((await script.text()).length).toBeGreaterThan(100)
  }
  expect((await fetch(`${house.console.apiUrl}/api/v1/openapi.json`)).status).toBe(200)
})

it.each([
  ['not installed', () => import.meta.resolve('@rookery/nowhere')],
  ['installed by half', () => '/nowhere/standalone.js'],
])('a docs page whose script is %s says so, and the console goes on', async (_what, find) => {
  const server = Fastify()
  serveDocs(server, find)
  const script = await server.inject('/docs/reference.js')
  expect(script.body).toContain('The pages of /docs are not installed')
  expect((await server.inject('/docs')).statusCode).toBe(200)
  expect((await server.inject('/docs/start.js')).body).toContain('The pages cannot be shown')
  await server.close()
})
