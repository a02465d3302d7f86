// What a gallery and a form read of the kinds, and how a list of tokens is narrowed.
import { describe, expect, it } from 'vitest'
import type { TokenDescriptor } from '@rookery/tokens/descriptor.ts'
import { descriptors } from '@rookery/tokens/descriptors.gen.ts'
import { readOnlyKey } from '../../../test/read-only-key.ts'
import { engines, sharedTestConsole } from '../../../test/test-console.ts'

describe.each(engines)('kinds of tokens (%s)', (engine) => {
  const rookery = sharedTestConsole({ engine })

  it('each kind says what it is, what it takes, and what it lacks here', async () => {
    const { kinds } = await rookery.api.tokens.kindFacts()
    const all: readonly TokenDescriptor[] = descriptors
    expect(Object.keys(kinds)).toEqual(all.map(({ kind }) => kind))
    for (const { kind, name, shelf, keywords, firedBy, placement, settings, downloads } of all) {
      expect(kinds[kind], kind).toMatchObject({
        name,
        shelf,
        keywords,
        fired_by: firedBy,
        placement,
        has_file: downloads,
        fields: Object.entries(settings).map(([field, { type, description, required = false }]) => ({
          name: field,
          type,
          description,
          required,
        })),
      })
      expect(kinds[kind]?.command, kind).not.toMatch(/\$\(field|^download|\{(dns|mysql|postgres)\}/)
    }
    expect(kinds['doc-spreadsheet']?.command_file).toBe('prices.xlsx')
    expect(kinds['http']).toMatchObject({ command: 'curl -s -o /dev/null "{url}"', command_file: '' })
    expect(kinds['doc-spreadsheet']?.fields).toContainEqual(
      expect.objectContaining({
        name: 'doc',
        type: 'file',
        max_bytes: 10 * 1024 * 1024,
        formats: expect.arrayContaining(['xlsx']) as string[],
      }),
    )
  })

  it('a kind cannot be made where the provider that it always needs is not configured', async () => {
    const { kinds } = await rookery.api.tokens.kindFacts()
    expect(kinds['cloud-b-id']).toMatchObject({ can_create: false })
    expect(kinds['cloud-b-id']?.lacks[0]).toMatch(/is not configured: set ROOKERY_\w+/)
    // These have something to plant without one.
    for (const kind of ['http', 'chatops-api', 'cloud-a-id', 'cloud-b-login'])
      expect(kinds[kind], kind).toMatchObject({ can_create: true })
    for (const [kind, { can_create }] of Object.entries(kinds)) {
      if (can_create) continue
      const refused = await rookery.post('/decoytoken/create', { kind, memo: 'm' })
      expect(refused.status, kind).not.toBe(200)
    }
  })

  it('a token says when it was last touched, and is found by that', async () => {
    const create = async (memo: string) =>
      (await rookery.api.tokens.create({ memo, kind: 'http' })).decoytoken
    const touched = await create('touched')
    const quiet = await create('untouched')
    expect(touched.last_triggered).toBeNull()
    const from = Math.floor(Date.now() / 1000)
    await fetch(touched.url)
    const { token } = await rookery.api.tokens.fetch({ decoytoken: touched.decoytoken })
    expect(token.last_triggered).toBeGreaterThanOrEqual(from)
    expect(token.last_triggered).toBeLessThanOrEqual(Math.ceil(Date.now() / 1000))
    const found = async (filter: { touched?: boolean; enabled?: boolean }) => {
      const { tokens, total_results } = await rookery.api.tokens.search({ kind: 'http', ...filter })
      expect(total_results).toBe(tokens.length)
      return tokens.map(({ decoytoken }) => decoytoken)
    }
    expect(await found({ touched: true })).toEqual([touched.decoytoken])
    expect(await found({ touched: false })).toEqual([quiet.decoytoken])
    await rookery.api.tokens.disable({ decoytoken: quiet.decoytoken })
    expect(await found({ enabled: false })).toEqual([quiet.decoytoken])
    expect(await found({ enabled: true, touched: false })).toEqual([])
  })

  it('several are disabled at once, all or none', async () => {
    const create = async () =>
      (await rookery.api.tokens.create({ memo: 'm', kind: 'dns' })).decoytoken.decoytoken
    const ids = [await create(), await create()]
    const enabled = async () =>
      (await rookery.api.tokens.search({ kind: 'dns', enabled: true })).tokens.map((it) => it.decoytoken)
    const refused = await rookery.post('/decoytokens/disable', { decoytokens: `${ids[0]},nothing` })
    expect([refused.status, refused.json['details']]).toEqual([
      404,
      { decoytokens: 'names nothing, which does not exist' },
    ])
    expect(await enabled()).toHaveLength(2)
    const byReader = await rookery.post(
      '/decoytokens/disable',
      { decoytokens: ids.join() },
      await readOnlyKey(rookery),
    )
    expect(byReader.status).toBe(403)
    expect((await rookery.api.tokens.disableMany({ decoytokens: ids.join() })).decoytokens).toEqual(ids)
    expect(await enabled()).toEqual([])
  })
})
