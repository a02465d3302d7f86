import { describe, expect, it } from 'vitest'
import { readOnlyKey } from '../../../test/read-only-key.ts'
import { ADMIN, engines, openTestConsole, type Params, type TestConsole } from '../../../test/test-console.ts'

const LIST = '/decoytokens/clonedsite/ignorelist'
const flock_id = 'flock:default'

const createClone = async ({ api }: TestConsole) =>
  (await api.tokens.create({ kind: 'cloned-web', memo: 'Login page', cloned_web: 'example.com' })).decoytoken

/** What a browser asks for that shows the copy at this address. */
const show = (url: string, location: string): Promise<Response> =>
  fetch(`${url}?l=${encodeURIComponent(location)}&r=`, { headers: { 'User-Agent': location } })

const locations = async ({ api }: TestConsole): Promise<unknown[]> =>
  (await api.incidentQueries.all()).incidents.flatMap(({ description }) =>
    description.events.map((event) => event['location']),
  )

describe.each(engines)('the ignore list of a cloned site (%s)', (engine) => {
  it('keeps copies at its sites from firing, in the host and in the whole address, while it is enabled', async () => {
    const rookery = await openTestConsole({ engine })
    const { decoytoken, url } = await createClone(rookery)
    const lists = rookery.api.clonedSiteIgnores
    const token = { flock_id, decoytoken }
    const fetched = async () => (await lists.fetch(token)).ignore_lists
    expect(await fetched()).toMatchObject({
      enabled: 'True',
      ignores: expect.stringContaining('archive') as string,
    })
    await show(url, 'https://web.archive.org/web/1/https://example.com/')
    await lists.save({ ...token, ignores: '^staging\\., /preview\\?[a,b]=' })
    expect(await fetched()).toEqual({ enabled: 'True', ignores: '^staging\\.,/preview\\?[a,b]=' })
    await show(url, 'https://staging.example.net/')
    await show(url, 'https://other.example.net/preview?b=1')
    expect(await locations(rookery)).toEqual([])

    const fires = ['https://web.archive.org/web/2/', 'https://evil.example.net/staging.']
    for (const location of fires) await show(url, location)
    await lists.disable(token)
    expect((await fetched()).enabled).toBe('False')
    await show(url, 'https://staging.example.net/again')
    expect(await locations(rookery)).toEqual([...fires, 'https://staging.example.net/again'])

    await lists.enable(token)
    await rookery.post(`${LIST}/save`, token)
    expect(await fetched()).toEqual({ enabled: 'True', ignores: '' })
    await rookery.api.tokens.update({ decoytoken, cloned_web: 'example.org' })
    expect(await fetched()).toEqual({ enabled: 'True', ignores: '' })
  })

  it('is refused where it is wrong, or not of this token, this Flock, this kind', async () => {
    const rookery = await openTestConsole({ engine })
    const { decoytoken } = await createClone(rookery)
    const other = (await rookery.api.tokens.create({ kind: 'http', memo: 'x' })).decoytoken.decoytoken
    const { flock_id: berlin } = await rookery.api.flocks.create({ name: 'Berlin' })
    const refused = async (params: Params, key = ADMIN) => {
      const { status, json } = await rookery.post(`${LIST}/save`, { flock_id, decoytoken, ...params }, key)
      return [status, json['message'], json['details']]
    }
    expect(await refused({ ignores: 'fine\\.example,(un' })).toEqual([
      400,
      'Parameter ignores was invalid.',
      { ignores: expect.stringMatching(/RE2; \(un is wrong: .*missing closing \)/) as string },
    ])
    expect(await refused({ decoytoken: other })).toEqual([
      400,
      'Parameter decoytoken was invalid.',
      { decoytoken: 'is of the kind http, which has no list of ignored sites' },
    ])
    expect((await refused({ flock_id: berlin })).slice(0, 2)).toEqual([404, 'Could not find the decoytoken'])
    expect((await refused({ flock_id: 'flock:none' })).slice(0, 2)).toEqual([404, 'Flock does not exist.'])
    expect((await refused({}, await readOnlyKey(rookery)))[0]).toBe(403)
  })
})
