// Another master key: everything that was sealed, hashed or named under the one before works on.
import pg from 'pg'
import { pino } from 'pino'
import { describe, expect, it, onTestFinished } from 'vitest'
import { zipEntry } from '@rookery/kernel/zip/entry.ts'
import { writeZip } from '@rookery/kernel/zip/write.ts'
import { parseEnrolment } from '@rookery/link/enrolment.ts'
import { noCertificate } from '../src/channels/acme/stored-certificate.ts'
import { enrolmentHash } from '../src/channels/link/enrol.ts'
import { readConfig } from '../src/config/config.ts'
import { rekey } from '../src/maintenance/rekey.ts'
import { openContext } from '../src/open-context.ts'
import { withOpenSecrets } from '../src/stores/birds/secret-settings.ts'
import { settingsOf } from '../src/stores/birds/settings.ts'
import { findBird } from '../src/stores/birds/store.ts'
import { useEnrolment } from '../src/stores/birds/enrolments.store.ts'
import {
  accountKeyPlace,
  certificateKeyPlace,
  findAccount,
  findCertificate,
  storeAccount,
  storeCertificate,
} from '../src/stores/certificates/store.ts'
import { readNotedEnd, verifyAudit } from '../src/stores/audit/verify.ts'
import { systemRandom } from '../src/world/system.ts'
import { registeredBird } from './birds.ts'
import { CERTIFICATE, CERTIFICATE_KEY } from './certificate.ts'
import { engines, freshDatabase, openTestConsole, type TestConsole } from './test-console.ts'

const flock_id = 'flock:default'
const receiver = { flock_id, url: 'https://alerts.example.com/in/s3cret' }

async function openOn(engine: (typeof engines)[number], more: Record<string, string> = {}) {
  const url = engine === 'postgres' ? await freshDatabase() : ''
  const env = { ...more, ...(url !== '' && { ROOKERY_DATABASE_URL: url }) }
  const rookery = await openTestConsole({ env })
  /** What the command does, without its lock. */
  const replaceKey = async (next = systemRandom.bytes(32)): Promise<string> => {
    const { folder, base } = rookery.console
    const config = readConfig({ ROOKERY_DATA_DIR: folder.path, ...env })
    const log = pino({ level: 'silent' })
    const context = await openContext(config, folder, base.world, log, { role: 'command', time: 'process' })
    try {
      return await rekey(context, next, folder)
    } finally {
      await context.close()
    }
  }
  return { rookery, replaceKey, url }
}

interface Listed {
  readonly hash_id: string
}

const incidentsOf = async (rookery: TestConsole): Promise<readonly Listed[]> =>
  (await rookery.get('/incidents/all')).json['incidents'] ?? []

const TABLES = {
  sqlite: "SELECT name FROM sqlite_schema WHERE type = 'table'",
  postgres: "SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public'",
}

/** Every text of every table. */
const storedTexts = ({ console: { base } }: TestConsole): Promise<string> =>
  base.writer.write(async (tx) => {
    const texts: string[] = []
    for (const { name } of await tx.rows<{ name: string }>(TABLES[tx.engine], []))
      texts.push(JSON.stringify(await tx.rows(`SELECT * FROM "${name}"`, [])))
    return texts.join('\n')
  })

describe.each(engines)('a new master key (%s)', (engine) => {
  it.each(['recoverable', 'show-once'])(
    'keeps keys, receivers, tokens, incidents, codes and the trail (%s)',
    async (keys) => {
      const { rookery, replaceKey } = await openOn(engine, { ROOKERY_KEYS: keys })
      const { global_api_key } = await rookery.api.apiKeys.add({ auth_token_type: 'read-only', note: 'SIEM' })
      const key = global_api_key.auth_token
      await rookery.api.flockWebhooks.addGeneric(receiver)
      const { factory_auth } = await rookery.api.tokenFactory.createFactory({ flock_id, memo: 'Build' })
      const { code } = await rookery.api.enrolments.create({ minutes: 5 })
      const node_id = await registeredBird(rookery)
      const settings = { 'https.certificate': CERTIFICATE, 'https.key': CERTIFICATE_KEY }
      await rookery.api.configuration.configure({ node_id, merge: true, settings })
      const tokens: string[] = []
      for (const memo of ['before', 'first', 'second']) {
        const made = await rookery.api.tokenFactory.create({ memo, kind: 'http' })
        tokens.push(String((made.decoytoken as Record<string, unknown>)['url']))
      }
      const touch = (token = '') => fetch(new URL(new URL(token).pathname, rookery.console.tokensUrl))
      await touch(tokens[0])
      const [incident] = await incidentsOf(rookery)
      const linkKey = await rookery.console.base.reader
        .selectFrom('meta')
        .selectAll()
        .where('name', '=', 'link_key')
        .execute()
      expect(linkKey).toHaveLength(1)
      const { head } = await verifyAudit(rookery.console.base.reader, rookery.console.base.vault)
      const hashes = await rookery.console.base.reader.selectFrom('api_key').select('key_hash').execute()

      const { writer, vault } = rookery.console.base
      const directory = 'https://acme.test/directory'
      const account = { directory, contact: 'ops@example.com', url: `${directory}/1` }
      await writer.write(async (tx) => {
        const sealed_key = vault.seal('account key', accountKeyPlace(directory))
        await storeAccount(tx, { ...account, sealed_key })
        const sealed = vault.seal('certificate key', certificateKeyPlace('tokens.example.com'))
        await storeCertificate(tx, { ...noCertificate('tokens.example.com'), sealed_key: sealed })
      })

      for (const round of [1, 2]) {
        const before = rookery.console.base.vault.keyId
        await rookery.console.stop()
        const keyId = await replaceKey()
        await rookery.restart()
        const { base } = rookery.console
        expect([base.vault.keyId, keyId === before]).toEqual([keyId, false])

        expect((await rookery.get('/ping', {}, key)).status, `round ${round}`).toBe(200)
        expect((await rookery.get('/ping', {}, '0'.repeat(32))).status).not.toBe(200)
        const listed = JSON.stringify(await rookery.api.apiKeys.list())
        expect(listed.includes(key)).toBe(keys === 'recoverable')
        expect(
          (await rookery.api.tokenFactory.create({ factory_auth, memo: 'n', kind: 'http' })).result,
        ).toBe('success')
        expect(JSON.stringify(await rookery.api.flockWebhooks.info({ flock_id }))).toContain(
          'alerts.example.com',
        )
        const again = await rookery.post('/flock/settings/webhooks/generic/add', receiver)
        expect(again.status).toBe(409)
        const { length } = await incidentsOf(rookery)
        await touch(tokens[round])
        expect(await incidentsOf(rookery)).toHaveLength(length + 1)
        const { hash_id = '' } = incident ?? {}
        expect((await rookery.get('/incident/fetch', { hash_id })).status).toBe(200)
        expect(await verifyAudit(base.reader, base.vault, readNotedEnd(head))).toMatchObject({
          failure: undefined,
        })
        const bird = await findBird(base.reader, 'all', node_id)
        expect(bird && settingsOf(withOpenSecrets(base.vault, bird))).toMatchObject(settings)
        const trail = JSON.stringify(await rookery.api.auditTrail.fetch({}))
        expect(trail).toContain(`from ${before}, to ${keyId}.`)

        const texts = await storedTexts(rookery)
        expect(texts).toContain(`v1:${keyId}:`)
        expect(texts).not.toContain(`v1:${before}:`)
        for (const { key_hash } of hashes) expect(texts).not.toContain(key_hash)
      }
      const { base } = rookery.console
      const kept = await findAccount(base.reader, directory)
      expect(base.vault.open(kept?.sealed_key ?? '', accountKeyPlace(directory))).toBe('account key')
      const certified = await findCertificate(base.reader, 'tokens.example.com')
      expect(base.vault.open(certified?.sealed_key ?? '', certificateKeyPlace('tokens.example.com'))).toBe(
        'certificate key',
      )
      const { secret } = parseEnrolment(String(code))
      const hash = enrolmentHash(base.vault, secret)
      expect(await base.writer.write((tx) => useEnrolment(tx.query, hash, base.world.clock.now()))).toBe(
        flock_id,
      )
    },
  )

  it('leaves the password of a running upload as it was, and takes the file by it', async () => {
    const { rookery, replaceKey } = await openOn(engine)
    const node_id = await registeredBird(rookery, { live: 1, takes_files: 1 })
    const { password = '', job_id = '' } = await rookery.api.uploads.webrootStart({ node_id })
    await rookery.console.stop()
    await replaceKey()
    await rookery.restart()
    expect(await rookery.api.uploads.webrootStatus({ node_id })).toMatchObject({ job_id, password })
    const sent = await fetch(`${rookery.console.apiUrl}/upload/${job_id}`, {
      method: 'PUT',
      body: writeZip([zipEntry('index.html', 'mine')]),
      headers: { Authorization: `Basic ${Buffer.from(`upload:${password}`).toString('base64')}` },
    })
    expect([sent.status, await sent.json()]).toMatchObject([200, { result: 'success' }])
  })

  it('is refused when it is the present one, and leaves everything as it is', async () => {
    const { rookery, replaceKey } = await openOn(engine)
    await rookery.console.stop()
    const key = systemRandom.bytes(32)
    await replaceKey(key)
    await expect(replaceKey(key)).rejects.toThrow('is the present one')
    await rookery.restart()
    expect((await rookery.get('/ping')).status).toBe(200)
  })
})

it('is refused on PostgreSQL while a console runs', async () => {
  const { rookery, replaceKey } = await openOn('postgres')
  await rookery.console.dispatcher.idle()
  await expect(replaceKey()).rejects.toThrow('Stop every console')
  expect((await rookery.get('/ping')).status).toBe(200)
})

it('is refused on PostgreSQL when a console opens while the command waits for its transaction', async () => {
  const { rookery, replaceKey, url } = await openOn('postgres')
  await rookery.console.stop()
  // What a transaction sees of the others' states does not change.
  const [opening, observer] = [
    new pg.Client({ connectionString: url }),
    new pg.Client({ connectionString: url }),
  ]
  for (const client of [opening, observer]) {
    await client.connect()
    onTestFinished(() => client.end())
  }
  await opening.query('BEGIN; SELECT 1 FROM commit_sequence FOR UPDATE')
  const refused = expect(replaceKey()).rejects.toThrow('Stop every console')
  const waiting = `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`
  await expect.poll(async () => (await observer.query(waiting)).rowCount).toBe(1)
  await opening.query('INSERT INTO lease (name, holder, until) VALUES ($1, $2, $3)', [
    ...['notify', 'another'],
    Date.now() + 60_000,
  ])
  await opening.query('COMMIT')
  await refused
  await opening.query('DELETE FROM lease')
  await rookery.restart()
  expect((await rookery.get('/ping')).status).toBe(200)
})
