import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { generate } from './generate.ts'

let clone = ''
beforeEach(() => {
  clone = mkdtempSync(join(tmpdir(), 'rookery-generate-'))
})
afterEach(() => rmSync(clone, { recursive: true, force: true }))

const put = (path: string, text = '') => {
  mkdirSync(join(clone, dirname(path)), { recursive: true })
  writeFileSync(join(clone, path), text)
}
const body = (path: string) => readFileSync(join(clone, path), 'utf8').split('\n').slice(1, -1)

it('a service is indexed by its folder alone, under the name that its descriptor says', () => {
  for (const [folder, service] of Object.entries({
    'http-proxy': 'web_b',
    redis: 'redis',
    mysql: 'dbsrv_b',
  })) {
    put(`packages/decoys/src/services/${folder}/service.ts`)
    put(`packages/decoys/src/services/${folder}/descriptor.ts`, `{ service: '${service}' }`)
  }
  generate(clone)
  expect(body('packages/decoys/src/services.gen.ts')).toEqual([
    "import type { Service } from './session/session.ts'",
    "import mysql from './services/mysql/service.ts'",
    "import redis from './services/redis/service.ts'",
    "import httpProxy from './services/http-proxy/service.ts'",
    "import { byWord } from '@rookery/kernel/by-word.ts'",
    '',
    'export const services = byWord<Service>({',
    "  'dbsrv_b': mysql,",
    "  'redis': redis,",
    "  'web_b': httpProxy,",
    '})',
  ])
  expect(body('packages/decoys/src/descriptors.gen.ts')).toContain(
    "import { descriptor as redis } from './services/redis/descriptor.ts'",
  )
})

it('the file of a kind is indexed apart, and loaded when it is asked for', () => {
  put('packages/tokens/src/kinds/qr-code/forge.ts')
  put('packages/tokens/src/kinds/http/token.ts')
  generate(clone)
  expect(body('packages/tokens/src/forges.gen.ts')).toEqual([
    "import type { Forge } from './forge.ts'",
    "import { byWord } from '@rookery/kernel/by-word.ts'",
    '',
    'export const forges = byWord<() => Promise<Forge>>({',
    "  'qr-code': async () => (await import('./kinds/qr-code/forge.ts')).default,",
    '})',
  ])
})

it('a kind of receiver is indexed by its folder alone', () => {
  put('packages/console/src/notify/receivers/siem/receiver.ts')
  put('packages/console/src/notify/receivers/unfinished/descriptor.ts')
  generate(clone)
  expect(body('packages/console/src/notify/receivers.gen.ts')).toEqual([
    "import type { ReceiverKind } from './receiver-kind.ts'",
    "import siem from './receivers/siem/receiver.ts'",
    "import { byWord } from '@rookery/kernel/by-word.ts'",
    '',
    'export const receiverKinds = byWord<ReceiverKind>({',
    "  'siem': siem,",
    '})',
  ])
})

it('a contract group goes by the camelCase of its file name, its tests by none', () => {
  put('packages/contract/src/groups/flock-notes.ts')
  put('packages/contract/src/groups/flock-notes.test.ts')
  generate(clone)
  expect(body('packages/contract/src/groups.gen.ts')).toEqual([
    "import { flockNotes } from './groups/flock-notes.ts'",
    '',
    'export const groups = {',
    '  flockNotes,',
    '}',
  ])
})

it("a group's routes are listed by the folder that implements it", () => {
  put('packages/console/src/features/flock-notes/routes.ts')
  put('packages/console/src/features/api-keys/routes.ts')
  put('packages/console/src/features/unfinished/views.ts')
  generate(clone)
  expect(body('packages/console/src/routes.gen.ts')).toEqual([
    "import type { FeatureRoutes } from './route-deps.ts'",
    "import { apiKeysRoutes } from './features/api-keys/routes.ts'",
    "import { flockNotesRoutes } from './features/flock-notes/routes.ts'",
    '',
    'export const featureRoutes: readonly FeatureRoutes[] = [',
    '  apiKeysRoutes,',
    '  flockNotesRoutes,',
    ']',
  ])
})

it('the schema is folded from the tables of every store', () => {
  put('packages/console/src/db/tables.ts', 'export interface FoundationTables {}\n')
  put('packages/console/src/stores/keys/tables.ts', 'type KeyType = string\nexport interface KeyTables {}\n')
  generate(clone)
  expect(body('packages/console/src/db/schema.gen.ts')).toEqual([
    "import type { FoundationTables } from './tables.ts'",
    "import type { KeyTables } from '../stores/keys/tables.ts'",
    '',
    'export interface Schema extends FoundationTables, KeyTables {}',
  ])
})

it('tables under another name are refused by file', () => {
  put('packages/console/src/stores/keys/tables.ts', 'export interface Keys {}\n')
  expect(() => generate(clone)).toThrow(/keys\/tables\.ts: exports no `interface <Noun>Tables`/)
})

it('migrations are found in every room of the console and run in the order of their times', () => {
  put('packages/console/src/stores/keys/migrations/2026-11-21T0402-keys.ts')
  put('packages/console/src/db/migrations/2026-11-21T0401-turn.ts')
  generate(clone)
  expect(body('packages/console/src/db/migrations.gen.ts').slice(1)).toEqual([
    "import { migration as m0 } from './migrations/2026-11-21T0401-turn.ts'",
    "import { migration as m1 } from '../stores/keys/migrations/2026-11-21T0402-keys.ts'",
    '',
    'export const migrations: Readonly<Record<string, Migration>> = {',
    "  '2026-11-21T0401-turn': m0,",
    "  '2026-11-21T0402-keys': m1,",
    '}',
  ])
})

it('a migration without a time, or with the name of another, is refused by name', () => {
  put('packages/console/src/a/migrations/keys.ts')
  expect(() => generate(clone)).toThrow(/keys\.ts: a migration's name starts with its time/)
  rmSync(join(clone, 'packages'), { recursive: true })
  put('packages/console/src/a/migrations/2026-11-21T0402-keys.ts')
  put('packages/console/src/b/migrations/2026-11-21T0402-keys.ts')
  expect(() => generate(clone)).toThrow(/another migration has this name/)
})

it('an index that would say the same is not touched', () => {
  put('packages/tokens/src/kinds/http/token.ts')
  expect(generate(clone)).toContain('packages/tokens/src/kinds.gen.ts')
  const before = statSync(join(clone, 'packages/tokens/src/kinds.gen.ts')).mtimeMs
  expect(generate(clone)).toEqual([])
  expect(statSync(join(clone, 'packages/tokens/src/kinds.gen.ts')).mtimeMs).toBe(before)
})
