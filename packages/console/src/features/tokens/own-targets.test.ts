// Redirects to the console itself: a visitor would go in a circle.
import { ApiError } from '@rookery/sdk/api-error.ts'
import { expect, it } from 'vitest'
import { engines, openTestConsole, type TestConsole } from '../../../test/test-console.ts'

const env = {
  ROOKERY_TOKENS_URL: 'http://t.example.com:8081',
  ROOKERY_TOKENS_TLS_URL: 'https://secure.example.org',
  ROOKERY_TOKENS_DOMAIN: 'tokens.example.com',
  ROOKERY_DNS_ADDRESSES: '192.0.2.80, 2001:db8::80',
  ROOKERY_TOKENS_MYSQL_AT: 'db.example.com:3306',
}
const OURS = [
  'http://t.example.com/x',
  'https://T.example.com.:99/x',
  'https://secure.example.org/',
  'http://tokens.example.com/',
  'http://abc.tokens.example.com/',
  'http://db.example.com/',
  'http://192.0.2.80/',
  'http://[2001:db8::80]/',
  'http://localhost:8081/',
  'http://127.0.0.1/',
  'http://2130706433/',
  'http://[::1]:8081/',
]
const ELSEWHERE = ['https://www.example.com/', 'http://192.0.2.81/a?b=c', 'http://example.com/#t.example.com']

/** The parameters that a refusal names; the error itself for any other. */
const refusal = async (call: Promise<unknown>): Promise<unknown> => {
  try {
    await call
    return 'taken'
  } catch (error) {
    if (error instanceof ApiError && error.status === 400) return Object.keys(error.details)
    throw error
  }
}

const create = async ({ api }: TestConsole, browser_redirect_url: string, custom_domain?: string) =>
  (
    await api.tokens.create({
      kind: 'fast-redirect',
      memo: 'm',
      browser_redirect_url,
      ...(custom_domain !== undefined && { custom_domain }),
    })
  ).decoytoken

it.each(engines)(
  'a redirect to a host of the console is refused, by creation and by update (%s)',
  async (engine) => {
    const rookery = await openTestConsole({ engine, env })
    const { decoytoken } = await create(rookery, 'https://www.example.com/')
    const update = (browser_redirect_url: string) =>
      rookery.api.tokens.update({ decoytoken, browser_redirect_url })
    for (const target of OURS) {
      expect(await refusal(create(rookery, target)), target).toEqual(['browser_redirect_url'])
      expect(await refusal(update(target)), target).toEqual(['browser_redirect_url'])
    }
    for (const target of ELSEWHERE) {
      expect(await refusal(create(rookery, target)), target).toBe('taken')
      expect(await refusal(update(target)), target).toBe('taken')
    }
  },
)

it.each(engines)('nor may it lead to a token by the domain of that token (%s)', async (engine) => {
  const rookery = await openTestConsole({ engine, env })
  const plain = await create(rookery, 'https://www.example.com/')
  const named = await create(rookery, 'https://www.example.com/', 'files.example.edu')
  const update = ({ decoytoken = '' }, browser_redirect_url: string) =>
    rookery.api.tokens.update({ decoytoken, browser_redirect_url })
  for (const target of [
    'http://files.example.edu/',
    'http://a.files.example.edu/x',
    'http://t.example.com/',
  ]) {
    expect(await refusal(update(named, target)), target).toEqual(['browser_redirect_url'])
    expect(await refusal(create(rookery, target, 'files.example.edu')), target).toEqual([
      'browser_redirect_url',
    ])
  }
  // The domain is the other token's own: it is known by the id alone.
  for (const target of [named.url ?? '', `http://${named.hostname}/`, `http://a.example/?to=${named.url}`])
    expect(await refusal(update(plain, target)), target).toEqual(['browser_redirect_url'])
})

it('a redirect to a host of the console is refused in a batch and by a factory', async () => {
  const rookery = await openTestConsole({ env })
  const csv = 'kind,memo,browser_redirect_url\nslow-redirect,m,https://secure.example.org/\n'
  expect(await refusal(rookery.api.tokens.createMany({ csv }))).toEqual([
    'line 2, column browser_redirect_url',
  ])
  const { factory_auth } = await rookery.api.tokenFactory.createFactory({
    flock_id: 'flock:default',
    memo: 'f',
  })
  const given = { kind: 'slow-redirect', memo: 'm', browser_redirect_url: 'http://localhost/' }
  expect(await refusal(rookery.apiAs(factory_auth).tokenFactory.create({ factory_auth, ...given }))).toEqual([
    'browser_redirect_url',
  ])
})
