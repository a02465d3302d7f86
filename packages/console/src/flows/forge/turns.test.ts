// Who gets a file, and when, as callers of the API see it.
import { expect, it } from 'vitest'
import { openTestConsole, type Params } from '../../../test/test-console.ts'
import { systemEntry } from '../../stores/audit/system-entry.ts'
import { tokenCreator } from '../tokens/create.ts'

const MANY = 60

it('a factory has two files waiting at most; an API key gets all of its files', async () => {
  const rookery = await openTestConsole()
  const { factory_auth } = await rookery.api.tokenFactory.createFactory({
    flock_id: 'flock:default',
    memo: 'Image build',
  })
  const params = { factory_auth, memo: 'm', kind: 'doc-wordproc' }
  const { decoytoken } = await rookery.apiAs('').tokenFactory.create(params)
  const download = async (
    given: Params,
    key?: null,
  ): Promise<[status: number, retryAfter: string | null]> => {
    const path = '/decoytoken/factory/download'
    const { status, headers } = await rookery.get(path, { decoytoken: decoytoken.decoytoken, ...given }, key)
    return [status, headers.get('retry-after')]
  }
  const asked = Array.from({ length: MANY }, () => [download({ factory_auth }, null), download({})] as const)
  const ofFactory = await Promise.all(asked.map(([factory]) => factory))
  const ofAdmin = await Promise.all(asked.map(([, admin]) => admin))
  expect(ofAdmin).toEqual(Array(MANY).fill([200, null]))
  const made = ofFactory.filter(([status]) => status === 200)
  expect(made.length).toBeGreaterThanOrEqual(3)
  expect(made.length).toBeLessThan(MANY)
  expect(ofFactory.filter(([status]) => status !== 200)).toEqual(Array(MANY - made.length).fill([429, '5']))
})

it('a creation makes the forge ready where its kind has a file', async () => {
  const { base } = (await openTestConsole()).console
  const warmed: string[] = []
  const none = () => Promise.reject(new Error('none'))
  const { create } = tokenCreator(
    {
      ...base,
      forgeFile: none,
      storeUploads: none,
      warmForge: (kind) => warmed.push(kind),
      provisioner: { check: none, provision: none, abandon: none },
      ownHosts: { has: () => false },
    },
    { url: 'http://t.example', httpsUrl: undefined, domain: 't.example', mysql: '', postgres: '' },
  )
  for (const kind of ['http', 'pdf-reader'])
    await create({
      kind,
      memo: 'm',
      flockId: 'flock:default',
      care: {},
      given: {},
      createdBy: '',
      factoryKeyId: '',
      trail: () => systemEntry(base.world.clock, 'local', 'test', 'Test', {}),
    })
  expect(warmed).toEqual(['pdf-reader'])
})
