// Apps and login rules in a tenant of Microsoft Entra, which is a small fake on loopback.
import { describe, expect, it, onTestFinished } from 'vitest'
import { clientAssertion } from '@rookery/tokens/providers/entra/client-assertion.ts'
import { readZip, unpack } from '@rookery/kernel/zip/read.ts'
import { CLIENT, fakeEntra, SECRET, TENANT } from '@rookery/tokens/test/fakes/entra.ts'
import { serveFake } from '@rookery/tokens/test/fakes/server.ts'
import { downloadToken } from '../../../test/download-token.ts'
import { manualClock } from '../../../test/manual-clock.ts'
import { loopbackOutbound } from '../../../test/raise-incident.ts'
import { engines, openTestConsole } from '../../../test/test-console.ts'
import type { EngineName } from '../../db/query.ts'

const MINUTE_MS = 60_000
const ZIP_LIMITS = { entries: 2, unpackedBytes: 10_000, ratio: 100 }

async function open(engine: EngineName) {
  const clock = manualClock()
  const tenant = fakeEntra(clock.now)
  const server = await serveFake((request) => tenant.answer(request))
  onTestFinished(server.close)
  const env = {
    ROOKERY_ENTRA_TENANT: TENANT,
    ROOKERY_ENTRA_CLIENT_ID: CLIENT,
    ROOKERY_ENTRA_CREDENTIAL: SECRET,
    ROOKERY_ENTRA_LOGIN_URL: server.url,
    ROOKERY_ENTRA_GRAPH_URL: server.url,
  }
  const rookery = await openTestConsole({ engine, env, world: { clock, outbound: loopbackOutbound() } })
  const createApp = (azure_id_cert_file_name: string) =>
    rookery.api.tokens.create({ kind: 'cloud-b-id', memo: 'm', azure_id_cert_file_name })
  return {
    clock,
    tenant,
    rookery,
    createApp,
    installLogin: () =>
      rookery.api.tokens.create({ kind: 'cloud-b-login', memo: 'm', cloud_b_install: true }),
    /** Signs in as an intruder does, with the two files of the download. */
    async signIn(decoytoken: string): Promise<number> {
      const file = await downloadToken(rookery, decoytoken)
      const [config = '', pem = ''] = readZip(file, ZIP_LIMITS).map((it) => String(unpack(it, 10_000)))
      const { tenant_id, app_id } = JSON.parse(config) as { tenant_id: string; app_id: string }
      const url = `${server.url}/${tenant_id}/oauth2/v2.0/token`
      const facts = { clientId: app_id, audience: url, at: clock.now(), id: Buffer.alloc(16, 1) }
      const form = { client_id: app_id, client_assertion: clientAssertion(pem, facts) }
      return (await fetch(url, { method: 'POST', body: new URLSearchParams(form) })).status
    },
    async after(ms: number): Promise<void> {
      for (let passed = 0; passed < ms; passed += MINUTE_MS / 2) {
        clock.advance(MINUTE_MS / 2)
        await rookery.console.providers.idle()
      }
    },
  }
}

describe.each(engines)('an app of a tenant (%s)', (engine) => {
  it('fires when somebody signs in with its files, once a sign-in, with the address that the tenant saw', async () => {
    const { clock, tenant, rookery, createApp, signIn, after } = await open(engine)
    const { decoytoken, warnings } = await createApp('deploy.pem')
    expect(warnings).toBeUndefined()
    expect(decoytoken.renders).toMatchObject({ tenant_id: TENANT, certificate_file: 'deploy.pem' })
    await after(MINUTE_MS)
    const usedAt = clock.now()
    expect(await signIn(decoytoken.decoytoken)).toBe(200)
    await after(3 * MINUTE_MS)
    const [incident, ...more] = (await rookery.api.incidentQueries.all()).incidents
    expect(more).toEqual([])
    const [app] = tenant.applications.values()
    expect(incident?.description).toMatchObject({
      logtype: '17024',
      src_host: '203.0.113.9',
      memo: 'm',
      created: String(usedAt / 1_000),
      events: [
        {
          decoytoken: decoytoken.decoytoken,
          type: 'cloud-b-id',
          event_name: 'ServicePrincipalSignIn',
          dst_port: 443,
          src_host: '203.0.113.9',
          headers: {},
          resource: 'Microsoft Graph',
          location: 'Utrecht, Utrecht, NL',
          app_id: app?.appId,
          status: '0',
          cert_id: app?.certificates[0]?.fingerprint.replaceAll(':', ''),
          delay_s: expect.any(Number) as number,
        },
      ],
    })
  })

  it('is deleted for good with its token', async () => {
    const { tenant, rookery, createApp } = await open(engine)
    const { decoytoken } = (await createApp('deploy.pem')).decoytoken
    await rookery.api.tokens.remove({ decoytoken })
    await rookery.console.providers.idle()
    expect([tenant.applications.size, tenant.bin.size]).toEqual([0, 0])
  })

  it('whose file name cannot be used is refused before anything is made', async () => {
    const { tenant, createApp } = await open(engine)
    await expect(createApp('../deploy.pem')).rejects.toMatchObject({ status: 400 })
    await expect(createApp('.pem')).rejects.toMatchObject({ status: 400 })
    expect(tenant.calls).toEqual([])
  })
})

describe.each(engines)('the rule of a login page (%s)', (engine) => {
  it('is installed with its token, and gone with it', async () => {
    const { tenant, rookery, installLogin } = await open(engine)
    tenant.branding = { css: '.ext-footer{color:red}\n', signInPageText: '' }
    const { decoytoken, renders } = (await installLogin()).decoytoken
    expect(tenant.branding.css).toBe(`.ext-footer{color:red}\n${renders['css']}\n`)
    await rookery.api.tokens.remove({ decoytoken })
    await rookery.console.providers.idle()
    expect(tenant.branding.css).toBe('.ext-footer{color:red}\n')
  })

  it('is a conflict where the style sheet sets the background already, and may be installed by hand', async () => {
    const { tenant, rookery, installLogin } = await open(engine)
    tenant.branding = { css: 'body{background:#fff}', signInPageText: '' }
    await expect(installLogin()).rejects.toMatchObject({
      status: 409,
      message: expect.stringContaining('body{background:#fff}') as string,
    })
    const { decoytoken } = await rookery.api.tokens.create({ kind: 'cloud-b-login', memo: 'm' })
    expect(decoytoken.renders['css']).toContain('background')
    expect(tenant.branding.css).toBe('body{background:#fff}')
  })
})

it('without the options of Entra, an app is a conflict that names them', async () => {
  const { post } = await openTestConsole()
  for (const settings of [
    { kind: 'cloud-b-id', azure_id_cert_file_name: 'a.pem' },
    { kind: 'cloud-b-login', cloud_b_install: true },
  ]) {
    const answer = await post('/decoytoken/create', { memo: 'm', ...settings })
    expect(answer.status).toBe(409)
    expect(answer.text).toContain('ROOKERY_ENTRA_TENANT, ROOKERY_ENTRA_CLIENT_ID, ROOKERY_ENTRA_CREDENTIAL')
  }
})
