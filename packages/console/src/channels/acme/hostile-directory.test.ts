// Orders at an ACME server that answers anything: each ends with a sentence for the operator, and asks https URLs alone.
import type { OutboundAnswer, OutboundRequest } from '@rookery/kernel/world.ts'
import { expect, it } from 'vitest'
import { answer, problem } from '../../../test/acme-orders.ts'
import { openAcmeClient } from './acme-client.ts'
import { readIssued } from './issued-certificate.ts'
import { newKeyPem, openAccountKey } from './jws.ts'
import { failureOf } from './obtain-certificate.ts'
import { orderCertificate } from './order-certificate.ts'

const ZONE = 'tokens.example.com'
const AT = 'https://acme.test'
const ESCAPE = '\u001b[2J\nok'

const order = (more: object = {}, headers: Record<string, string> = {}): OutboundAnswer =>
  answer(
    201,
    { status: 'pending', authorizations: [`${AT}/authorization`], finalize: `${AT}/finalize`, ...more },
    { location: `${AT}/order`, ...headers },
  )
const challenge = { type: 'dns-01', url: `${AT}/challenge`, token: 'abc' }
const authorization = (more: object = {}): OutboundAnswer =>
  answer(200, { status: 'pending', identifier: { value: ZONE }, challenges: [challenge], ...more })

/** The answers of a server that does all that is asked, but for a certificate. */
const USUAL: Readonly<Record<string, OutboundAnswer>> = {
  '/directory': answer(200, {
    newNonce: `${AT}/nonce`,
    newAccount: `${AT}/account`,
    newOrder: `${AT}/new-order`,
  }),
  '/nonce': answer(204),
  '/new-order': order(),
  '/authorization': authorization({ status: 'valid' }),
  '/order': order({ status: 'valid', certificate: `${AT}/certificate` }),
  '/certificate': answer(200, 'no certificate'),
}

/** Why an order failed, and what was asked for and waited for. */
async function fail(answers: Readonly<Record<string, OutboundAnswer>>, nonce = 'n') {
  const asked: string[] = []
  const waits: number[] = []
  const published = new Set<string>()
  const send = ({ url }: OutboundRequest): Promise<OutboundAnswer> => {
    asked.push(url)
    const found = { ...USUAL, ...answers }[new URL(url).pathname] ?? problem(404, 'malformed', 'None.')
    return Promise.resolve({ ...found, headers: { 'replay-nonce': nonce, ...found.headers } })
  }
  const clock = { now: () => Date.UTC(2026, 10, 23) }
  const key = openAccountKey(newKeyPem())
  const deps = {
    clock,
    sleep: async (ms: number): Promise<void> => {
      waits.push(ms)
    },
    publish: (texts: readonly string[]) => Promise.resolve(texts.forEach((text) => published.add(text))),
    withdraw: (texts: readonly string[]) => Promise.resolve(texts.forEach((text) => published.delete(text))),
  }
  const failure: unknown = await openAcmeClient({ outbound: { send }, clock }, `${AT}/directory`, key)
    .then((client) => orderCertificate(deps, { client, key, url: `${AT}/account/1` }, [ZONE, `*.${ZONE}`]))
    .then((issued) => readIssued(issued, ZONE, `${AT}/directory`))
    .catch((error: unknown) => error)
  const { reason, waitMs } = failureOf(failure)
  expect([...published]).toEqual([])
  return { reason, waitMs, asked, waits }
}

it.each<[string, Record<string, OutboundAnswer>, string]>([
  [
    'a directory of plain addresses',
    { '/directory': answer(200, { newNonce: 'http://10.0.0.1/' }) },
    'no directory',
  ],
  [
    'JSON without end',
    { '/new-order': answer(201, '['.repeat(200_000), { location: `${AT}/order` }) },
    'no order',
  ],
  ['an order without a URL', { '/new-order': order({}, { location: '' }) }, 'said no URL as its Location'],
  [
    'an order at a plain address',
    { '/new-order': order({}, { location: 'http://169.254.169.254/latest' }) },
    'said "http://169.254.169.254/latest" as its Location; it must be an https URL',
  ],
  [
    'more authorizations than names',
    { '/new-order': order({ authorizations: Array(17).fill(`${AT}/authorization`) }) },
    'no order',
  ],
  [
    'a status that clears the screen',
    { '/authorization': authorization({ status: ESCAPE }) },
    'no authorization',
  ],
  [
    'a name that clears the screen',
    { '/authorization': authorization({ identifier: { value: ESCAPE }, challenges: [] }) },
    'no authorization',
  ],
  [
    'no challenge by DNS',
    { '/authorization': authorization({ challenges: [] }) },
    'offers no dns-01 challenge',
  ],
  [
    'a token that is no token',
    { '/authorization': authorization({ challenges: [{ ...challenge, token: '../x' }] }) },
    'no authorization',
  ],
  [
    'a refusal of 200 KB',
    { '/new-order': problem(403, 'rejectedIdentifier', ESCAPE.repeat(30_000)) },
    'acme.test answered 403, rejectedIdentifier:  [2J ok',
  ],
  ['a page in the place of the certificate', {}, 'gave a certificate that is not in PEM'],
  [
    'a broken certificate',
    {
      '/certificate': answer(
        200,
        `-----BEGIN CERTIFICATE-----\n${'A'.repeat(64)}\n-----END CERTIFICATE-----\n`,
      ),
    },
    'gave a certificate that cannot be used',
  ],
  [
    'a certificate at a plain address',
    { '/order': order({ status: 'valid', certificate: 'http://10.0.0.1/' }) },
    'no order',
  ],
])('%s is a reason that an operator can read', async (_name, answers, expected) => {
  const { reason, asked } = await fail(answers)
  expect(reason).toContain(expected)
  expect(reason).toMatch(/^[\x20-\x7e]{1,700}$/)
  expect(asked.filter((url) => !url.startsWith(`${AT}/`))).toEqual([])
})

it('an order that never ends is given up after some minutes, whatever wait the server asks for', async () => {
  const { reason, waits } = await fail({ '/order': order({}, { 'retry-after': '999999999' }) })
  expect(reason).toContain('was asked 30 times for its order')
  expect(Math.max(...waits)).toBe(10_000)
})

it('an authorization that stays open is given up, and its challenge withdrawn', async () => {
  const { reason } = await fail({ '/authorization': authorization(), '/challenge': answer(200, challenge) })
  expect(reason).toContain('was asked 30 times for its authorization')
})

it('a server that refuses every nonce is asked six times', async () => {
  const { reason, asked } = await fail({ '/new-order': problem(400, 'badNonce', 'Another one.') })
  expect(reason).toContain('badNonce')
  expect(asked.filter((url) => url.endsWith('/new-order'))).toHaveLength(6)
})
