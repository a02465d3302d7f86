import { describe, expect, it } from 'vitest'
import { addBird } from '../../../test/birds.ts'
import { manualClock } from '../../../test/manual-clock.ts'
import { engines, openTestConsole } from '../../../test/test-console.ts'
import { sshLogin, subject } from '../../../test/touches.ts'

const DAY = 86_400_000
const TAXII = 'application/taxii+json;version=2.1'
const ROOT = '/taxii2/rookery'

interface Indicator {
  readonly id: string
  readonly modified: string
  readonly pattern: string
}
interface Body {
  readonly objects?: readonly Indicator[]
  readonly more?: boolean
  readonly next?: string
}

describe.each(engines)('the sources that leave (%s)', (engine) => {
  async function open() {
    const clock = manualClock()
    const rookery = await openTestConsole({ engine, parts: ['api'], world: { clock } })
    const { global_api_key } = await rookery.api.apiKeys.add({
      auth_token_type: 'indicators',
      note: 'Firewall',
    })
    const { auth_token: key } = global_api_key
    return {
      rookery,
      clock,
      key,
      /** A touch of each of these sources, an hour after the last one. */
      async touch(...sources: readonly string[]): Promise<void> {
        for (const srcHost of sources) {
          // The sources of which an answer is a minute old are read again.
          clock.advance(3_600_000)
          await rookery.console.ingest.fromConsole({ ...sshLogin({ srcHost }, clock.now()), subject })
        }
      },
      list: async (params = {}): Promise<string[]> => {
        clock.advance(60_000)
        return (await rookery.get('/sources/list', params, key)).text.split('\n').slice(0, -1)
      },
      async taxii(path: string, headers: Record<string, string> = {}) {
        const response = await fetch(`${rookery.console.apiUrl}${path}`, {
          headers: { Accept: TAXII, Authorization: `Basic ${btoa(`any:${key}`)}`, ...headers },
        })
        const { status, headers: answered } = response
        return { status, answered, body: (await response.json()) as Body & Record<string, unknown> }
      },
    }
  }

  it('are those of the last days, one a line, the newest first, and the key reads nothing else', async () => {
    const { rookery, clock, key, touch, list } = await open()
    await touch('45.83.64.1')
    clock.leap(3 * DAY)
    await touch('185.220.101.4', '2a0b:f4c2::5')
    expect(await list()).toEqual(['2a0b:f4c2::5', '185.220.101.4', '45.83.64.1'])
    expect(await list({ days: 2 })).toEqual(['2a0b:f4c2::5', '185.220.101.4'])
    expect(await list({ levels: 'used' })).toEqual([])
    expect(await list({ levels: 'house' })).toEqual([])
    const { headers } = await rookery.get('/sources/list', {}, key)
    expect(headers.get('content-type')).toBe('text/plain; charset=utf-8')
    for (const path of ['/incidents/all', '/settings', '/device/ips'])
      expect([path, (await rookery.get(path, {}, key)).status]).toEqual([path, 403])
    expect((await rookery.get('/sources/list', { levels: 'all' }, key)).status).toBe(400)
    const { flock_id } = await rookery.api.flocks.create({ name: 'Plant' })
    expect(await list({ flock_id })).toEqual([])
  })

  it('are none that are private, our own, on an ignore list, or were found harmless', async () => {
    const { rookery, touch, list } = await open()
    const ours = ['10.1.2.3', '192.168.7.7', '127.0.0.1', '100.64.1.1', 'fd00::1', 'fe80::1', '169.254.1.1']
    await touch('45.83.64.1', ...ours, '45.83.64.2', '45.83.64.3', '45.83.64.4', '45.83.64.5', '45.83.64.6')
    await addBird(rookery, { ip_address: '10.9.9.9, 45.83.64.2', public_ip: '45.83.64.3' })
    await rookery.post('/settings/whitelisting/whitelist_ips', {
      whitelist_ips: '45.83.64.4:22 # the scanner',
    })
    await rookery.api.incidentActions.acknowledgeMany({ src_host: '45.83.64.5', verdict: 'test' })
    await rookery.api.incidentActions.removeMany({ src_host: '45.83.64.6', include_unacknowledged: true })
    expect(await list()).toEqual(['45.83.64.1'])
  })

  it('are objects of a TAXII collection, in pages and since a time, each a STIX indicator', async () => {
    const { clock, touch, taxii } = await open()
    await touch('45.83.64.1', '45.83.64.2', '2a0b:f4c2::5')
    const discovery = await taxii('/taxii2/')
    expect([discovery.status, discovery.answered.get('content-type')]).toEqual([200, TAXII])
    const [root = ''] = discovery.body['api_roots'] as readonly string[]
    expect(new URL(root).pathname).toBe(`${ROOT}/`)
    expect((await taxii(`${ROOT}/`)).body['versions']).toEqual([TAXII])
    const { collections } = (await taxii(`${ROOT}/collections/`)).body as unknown as {
      collections: readonly { readonly id: string; readonly can_read: boolean; readonly can_write: boolean }[]
    }
    expect(collections).toMatchObject([{ can_read: true, can_write: false }])
    const own = `${ROOT}/collections/${collections[0]?.id}`
    expect((await taxii(`${own}/`)).body).toEqual(collections[0])

    const first = await taxii(`${own}/objects/?limit=2`)
    expect(first.body.objects?.map(({ pattern }) => pattern)).toEqual([
      "[ipv4-addr:value = '45.83.64.1']",
      "[ipv4-addr:value = '45.83.64.2']",
    ])
    expect(first.body.more).toBe(true)
    const second = await taxii(`${own}/objects/?limit=2&next=${first.body.next}`)
    expect(second.body).toMatchObject({
      more: false,
      objects: [{ pattern: "[ipv6-addr:value = '2a0b:f4c2::5']" }],
    })
    expect(second.body.next).toBeUndefined()
    const last = second.answered.get('x-taxii-date-added-last') ?? ''
    expect(last).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/)
    expect((await taxii(`${own}/objects/?added_after=${last}`)).body).toEqual({})

    // Who touches again comes again, as another version of the same object.
    await touch('45.83.64.1')
    clock.advance(60_000)
    const again = await taxii(`${own}/objects/?added_after=${last}`)
    const [before] = first.body.objects ?? []
    expect(again.body.objects).toMatchObject([{ id: before?.id, type: 'indicator', spec_version: '2.1' }])
    expect((again.body.objects?.[0]?.modified ?? '') > (before?.modified ?? '')).toBe(true)

    const { id = '' } = before ?? {}
    expect((await taxii(`${own}/objects/${id}/`)).body.objects).toHaveLength(1)
    expect((await taxii(`${own}/objects/?match[id]=${id}`)).body.objects).toHaveLength(1)
    expect((await taxii(`${own}/objects/?match[type]=malware`)).body).toEqual({})
    expect((await taxii(`${own}/objects/${id}/versions/`)).body['versions']).toEqual([
      again.body.objects?.[0]?.modified,
    ])
    expect((await taxii(`${own}/manifest/`)).body.objects).toHaveLength(3)
  })

  it('are refused without the key, in another form, and to who would write', async () => {
    const { rookery, key, taxii } = await open()
    const { status, answered, body } = await taxii('/taxii2/', { Authorization: 'Basic YTpi' })
    expect([status, answered.get('www-authenticate'), body['http_status']]).toEqual([
      401,
      'Basic realm="taxii"',
      '401',
    ])
    expect((await taxii('/taxii2/', { Accept: 'application/taxii+json;version=2.0' })).status).toBe(406)
    expect((await taxii('/taxii2/', { Accept: 'text/html' })).status).toBe(406)
    expect((await taxii(`${ROOT}/collections/none/objects/`)).status).toBe(404)
    const { collections } = (await taxii(`${ROOT}/collections/`)).body as unknown as {
      collections: { id: string }[]
    }
    const own = `${ROOT}/collections/${collections[0]?.id}/objects/`
    for (const wrong of ['limit=0', 'added_after=yesterday', 'next=x'])
      expect([wrong, (await taxii(`${own}?${wrong}`)).status]).toEqual([wrong, 400])
    const written = await fetch(`${rookery.console.apiUrl}${own}`, {
      method: 'POST',
      headers: { 'X-Auth-Token': key, 'Content-Type': TAXII },
      body: '{}',
    })
    expect(written.status).toBe(403)
  })
})
