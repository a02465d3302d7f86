// A certificate of the owner's own: what is refused, where its key is seen, and that a real Bird shows it.
import { generateKeyPairSync, X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import { connect } from 'node:tls'
import { describe, expect, it } from 'vitest'
import { registeredBird } from '../../../test/birds.ts'
import { CERTIFICATE, CERTIFICATE_KEY } from '../../../test/certificate.ts'
import { portOf, realBird, when } from '../../../test/real-bird.ts'
import { engines, openTestConsole, type TestConsole } from '../../../test/test-console.ts'

const PAIR = { 'https.certificate': CERTIFICATE, 'https.key': CERTIFICATE_KEY }
const MASK = '********'

const merge = (rookery: TestConsole, node_id: string, settings: Record<string, unknown>) =>
  rookery.post('/device/configure', { node_id, settings: JSON.stringify(settings), merge: 'true' })

const shownTo = async ({ api }: TestConsole, node_id: string) =>
  (await api.birdQueries.info({ node_id, settings: true })).device.settings ?? {}

const newKey = (bits: number): string =>
  generateKeyPairSync('rsa', {
    modulusLength: bits,
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  }).privateKey

describe.each(engines)('a certificate of one’s own (%s)', (engine) => {
  it('is taken with its key alone, and a wrong pair is named without the key', async () => {
    const rookery = await openTestConsole({ engine })
    const node_id = await registeredBird(rookery)
    const other = newKey(2_048)
    for (const [settings, details] of [
      [
        { 'https.key': '' },
        { 'https.key': 'is missing: https.certificate needs the private key that belongs to it' },
      ],
      [
        { 'https.certificate': '' },
        { 'https.certificate': 'is missing: https.key needs the certificate that belongs to it' },
      ],
      [
        { 'https.certificate': 'hello' },
        {
          'https.certificate': 'must be a certificate as PEM, which begins with -----BEGIN CERTIFICATE-----',
        },
      ],
      [
        { 'https.key': CERTIFICATE },
        {
          'https.key':
            'must be a private key as PEM without a passphrase, which begins with -----BEGIN PRIVATE KEY-----',
        },
      ],
      [
        { 'https.key': other },
        { 'https.key': 'must be the key of https.certificate ("CN=mail.test"): it is that of another' },
      ],
    ] as const) {
      const { status, json, text } = await merge(rookery, node_id, { ...PAIR, ...settings })
      expect([status, json['details']]).toEqual([400, details])
      expect(text).not.toContain(other.split('\n')[1])
    }
    expect(await shownTo(rookery, node_id)).toMatchObject({ 'https.certificate': '', 'https.key': '' })
  })

  it('is shown but for its key, which is sealed, kept when its mask is sent back, and of this Bird alone', async () => {
    const rookery = await openTestConsole({ engine })
    const node_id = await registeredBird(rookery)
    const secretLine = CERTIFICATE_KEY.split('\n')[1] ?? ''
    expect((await merge(rookery, node_id, PAIR)).status).toBe(200)
    const shown = await shownTo(rookery, node_id)
    expect(shown).toMatchObject({ 'https.certificate': CERTIFICATE, 'https.key': MASK })
    const row = () =>
      rookery.console.base.reader.selectFrom('bird').select('settings').executeTakeFirstOrThrow()
    const stored = (await row()).settings
    expect(stored).not.toContain(secretLine)
    // The whole object as it was read, with one change: the key stays, and nobody reports it as changed.
    await rookery.api.configuration.configure({
      node_id,
      settings: { ...shown, 'ssh.port': 2_222 },
      custom_personality_name: 'Office',
    })
    expect(JSON.parse((await row()).settings)).toMatchObject({
      'https.key': (JSON.parse(stored) as Record<string, unknown>)['https.key'],
    })
    await rookery.api.birdOperations.describe({ node_id, name: 'till-3' })
    await rookery.api.configuration.personality({ node_id, personality: 'web-server' })
    expect(await shownTo(rookery, node_id)).toMatchObject({ ...PAIR, 'https.key': MASK })
    const second = await registeredBird(rookery, { name: 'nas-03', mac_address: '02:00:00:00:00:06' })
    await rookery.api.configuration.personality({ node_id: second, personality: 'Office' })
    expect(await shownTo(rookery, second)).toMatchObject({ 'https.certificate': '', 'https.key': '' })
    const said = JSON.stringify([
      await rookery.api.auditTrail.fetch({}),
      await rookery.api.incidentQueries.all({}),
      await rookery.api.configuration.bundles({ node_id }),
    ])
    expect(said).not.toContain(secretLine)
  })

  it('is what a real Bird shows at https', async () => {
    const rookery = await openTestConsole({ engine })
    const bird = await realBird(rookery.console.linkUrl, await rookery.console.enrolLocalBird())
    await when(bird, () => portOf(bird, 'ssh') > 0)
    const node_id = bird.state().nodeId ?? ''
    expect((await merge(rookery, node_id, { ...PAIR, 'https.enabled': true })).status).toBe(200)
    await when(bird, () => portOf(bird, 'https') > 0)
    const socket = connect({ host: '127.0.0.1', port: portOf(bird, 'https'), rejectUnauthorized: false })
    await once(socket, 'secureConnect')
    expect(socket.getPeerCertificate().fingerprint256).toBe(new X509Certificate(CERTIFICATE).fingerprint256)
    socket.destroy()
  })
})
