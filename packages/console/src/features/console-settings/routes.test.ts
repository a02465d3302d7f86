import { describe, expect, it } from 'vitest'
import { engines, openTestConsole } from '../../../test/test-console.ts'

describe.each(engines)('the settings of the console (%s)', (engine) => {
  it('say at once what was switched, and hold no secret', async () => {
    const env = {
      ROOKERY_KEYS: 'show-once',
      ROOKERY_METRICS_TOKEN: 'planted-metrics-token',
      ROOKERY_ASSETINV_URL: 'https://assets.example.com/export?key=planted-url-secret',
      ROOKERY_ASSETINV_TOKEN: 'planted-inventory-token',
      ROOKERY_MASTER_KEY: 'ab'.repeat(32),
    }
    const rookery = await openTestConsole({ engine, env })
    const read = async () => (await rookery.get('/settings')).json['settings']
    expect(await read()).toMatchObject({
      api_enabled: true,
      bird_silence_s: 120,
      change_control: { device_settings: false, flock_settings: false },
      ignore_lists: { annotations: true, hostnames: true, ips: true, src_ports: true },
      integrations: {
        assetinv: { is_configured: true, is_enabled: false, assets: 0, fetched: '', problem: '' },
      },
      keys: 'show-once',
      public_url: rookery.console.apiUrl,
      tokens_domain: 'tokens.localhost',
      tokens_url: rookery.console.tokensUrl,
      users: 0,
      webhooks_enabled: true,
    })
    await rookery.post('/settings/whitelisting/disable')
    expect(await read()).toMatchObject({ ignore_lists: { ips: false, hostnames: true } })
    const { text } = await rookery.get('/settings')
    expect(text).not.toMatch(/planted|abababab/)
  })
})
