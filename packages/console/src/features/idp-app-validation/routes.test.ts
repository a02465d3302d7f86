import { readFileSync } from 'node:fs'
import { openIdentityProvider } from '@rookery/tokens/saml/testing/provider.ts'
import type { Clock } from '@rookery/kernel/world.ts'
import { describe, expect, it } from 'vitest'
import { readOnlyKey } from '../../../test/read-only-key.ts'
import { ADMIN, engines, openTestConsole, type Params, type TestConsole } from '../../../test/test-console.ts'
import { systemClock } from '../../world/system.ts'

const golden = (name: string): Buffer =>
  readFileSync(new URL(`../../../../tokens/src/saml/golden/${name}.xml`, import.meta.url))
const SIGNED = golden('signed-assertion').toString()
const UNSIGNED = SIGNED.replace(/<ds:Signature.*<\/ds:Signature>/s, '')
const PROVIDER = await openIdentityProvider()
const METADATA = Buffer.from(PROVIDER.metadata)
/** Signed for the app at this address. */
const signedFor = (url: string): string =>
  PROVIDER.respond((assertion) => assertion.replaceAll('http://t.example/img/abc/pixel.gif', url))

/** It goes on from within the time of the golden files. */
function clockOfGolden(): Clock {
  const offset = Date.UTC(2026, 10, 23, 3, 1) - systemClock.now()
  return { ...systemClock, now: () => systemClock.now() + offset }
}

const open = (engine: (typeof engines)[number]) =>
  openTestConsole({ engine, world: { clock: clockOfGolden() } })

const createApp = async ({ api }: TestConsole) =>
  (await api.tokens.create({ kind: 'idp-app', memo: 'VPN portal', idp_app_type: 'vpn' })).decoytoken

let browsers = 0

/** Each is posted by another browser, so that each is a visit of its own. */
const post = (url: string, xml: string): Promise<Response> =>
  fetch(url, {
    method: 'POST',
    headers: { 'User-Agent': `browser ${++browsers}` },
    body: new URLSearchParams({ SAMLResponse: Buffer.from(xml).toString('base64') }),
  })

const events = async ({ api }: TestConsole) =>
  (await api.incidentQueries.all()).incidents.flatMap(({ description }) => description.events)

describe.each(engines)('validation of assertions (%s)', (engine) => {
  it('keeps those quiet that the metadata does not prove, while there is metadata and it is enabled', async () => {
    const rookery = await open(engine)
    const { decoytoken, url } = await createApp(rookery)
    const path = new URL(url).pathname
    const { enable, disable, saveMetadata } = rookery.api.idpAppValidation
    const file = new File([new Uint8Array(METADATA)], 'metadata.xml')
    const fired = async (xml: string): Promise<unknown> => {
      const before = (await events(rookery)).length
      const { href } = new URL(path, rookery.console.tokensUrl)
      expect((await post(href, xml)).status).toBe(403)
      const [event, ...others] = (await events(rookery)).slice(before)
      expect(others).toEqual([])
      return event && [event['identity'], event['validated']]
    }
    expect(await fired(UNSIGNED)).toEqual(['eve@corp.example', false])
    await enable({ decoytoken })
    expect(await fired(UNSIGNED)).toEqual(['eve@corp.example', false])
    expect(await saveMetadata({ decoytoken, metadata: file })).toMatchObject({
      metadata_entity_id: 'https://idp.example/saml',
    })
    expect(await fired(UNSIGNED)).toBeUndefined()
    const signed = signedFor(url)
    expect(await fired(signed.replace('eve', 'adam'))).toBeUndefined()
    expect(await fired(signedFor('https://other.example/'))).toEqual(['eve@corp.example', false])
    expect(await fired(signed)).toEqual(['eve@corp.example', true])
    await disable({ decoytoken })
    expect(await fired(UNSIGNED)).toEqual(['eve@corp.example', false])
    await enable({ decoytoken })
    await rookery.restart()
    expect(await fired(UNSIGNED)).toBeUndefined()
    expect((await rookery.api.idpAppValidation.saveMetadata({ decoytoken })).metadata_entity_id).toBe('')
    expect(await fired(UNSIGNED)).toEqual(['eve@corp.example', false])
  })

  it('shows in the history what was quiet, and why; an assertion that comes again is a replay', async () => {
    const rookery = await open(engine)
    const { decoytoken, url } = await createApp(rookery)
    const { api } = rookery
    await api.idpAppValidation.saveMetadata({
      decoytoken,
      metadata: new File([new Uint8Array(METADATA)], 'm.xml'),
    })
    await api.idpAppValidation.enable({ decoytoken })
    await post(url, UNSIGNED)
    const quiet = async () => (await api.tokens.history({ decoytoken })).history
    await expect
      .poll(quiet)
      .toMatchObject([
        { quiet: true, event: { identity: 'eve@corp.example', validation_error: 'it is not signed' } },
      ])
    const signed = signedFor(url)
    await post(url, signed)
    await post(url, signed)
    expect(await events(rookery)).toMatchObject([{ validated: true, replays: 1 }])
  })

  it('is refused where the metadata is wrong, or the token is of another kind or another Flock', async () => {
    const rookery = await open(engine)
    const { decoytoken } = await createApp(rookery)
    const { decoytoken: other } = (await rookery.api.tokens.create({ kind: 'http', memo: 'x' })).decoytoken
    const refused = async (path: string, params: Params, key = ADMIN) => {
      const { status, json } = await rookery.post(`/decoytokens/idp-app/${path}`, params, key)
      return [status, json['message'], json['details']]
    }
    for (const path of ['validation/enable', 'validation/disable', 'metadata/save']) {
      expect(await refused(path, { decoytoken: other })).toEqual([
        400,
        'Parameter decoytoken was invalid.',
        { decoytoken: 'is of the kind http, which takes no assertions' },
      ])
      expect((await refused(path, { decoytoken: 'none' })).slice(0, 2)).toEqual([
        404,
        'Could not find the decoytoken',
      ])
      expect((await refused(path, { decoytoken }, await readOnlyKey(rookery)))[0]).toBe(403)
    }
    await expect(
      rookery.api.idpAppValidation.saveMetadata({ decoytoken, metadata: new File(['<a/>'], 'm.xml') }),
    ).rejects.toMatchObject({ status: 400, message: 'Parameter metadata was invalid.' })
    expect((await refused('metadata/save', { decoytoken, metadata: '<a/>' }))[0]).toBe(400)
  })
})
