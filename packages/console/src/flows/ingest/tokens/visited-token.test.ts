// A kind that needs the keys and the age of the token that was visited.
import { signedVisit } from '@rookery/tokens/sigv4/testing/signed-visit.ts'
import { expect, it } from 'vitest'
import { manualClock } from '../../../../test/manual-clock.ts'
import { engines, openTestConsole } from '../../../../test/test-console.ts'

const HOUR_MS = 3_600_000

it.each(engines)('an access key is known by its signature until its expiry (%s)', async (engine) => {
  const clock = manualClock()
  const rookery = await openTestConsole({ engine, world: { clock } })
  const { api } = rookery
  const { decoytoken: token } = await api.tokens.create({ kind: 'cloud-a-id', memo: 'x', expiry: '2h' })
  const { access_key_id: accessKeyId = '', secret_access_key: secretAccessKey = '' } = token
  expect(JSON.stringify(await api.tokens.fetch({ decoytoken: token.decoytoken }))).not.toContain(
    secretAccessKey,
  )
  const ask = async (browser: string, secret: string): Promise<string> => {
    const { host, pathname } = new URL(token.url)
    const body = 'Action=GetCallerIdentity'
    const headers = { Host: host, 'User-Agent': browser }
    const key = { accessKeyId, secretAccessKey: secret }
    const visit = signedVisit(key, 'sts', { method: 'POST', path: pathname, body, headers })
    const { Host: _, ...sent } = visit.headers
    return (await fetch(token.url, { method: 'POST', body, headers: sent })).text()
  }
  const seen = async () =>
    (await api.incidentQueries.all()).incidents.flatMap(({ description }) =>
      description.events.map((event) => [event['useragent'], event['action'], event['signature_valid']]),
    )

  expect(await ask('one', secretAccessKey)).toContain('<Arn>arn:aws:iam::')
  clock.advance(HOUR_MS)
  expect(await ask('two', 'guessed')).toContain('SignatureDoesNotMatch')
  clock.advance(HOUR_MS + 1)
  await ask('three', secretAccessKey)
  expect((await seen()).sort()).toEqual([
    ['one', 'GetCallerIdentity', true],
    ['two', 'GetCallerIdentity', false],
  ])
})
