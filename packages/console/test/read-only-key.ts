// A key of the least type, for tests of what it may see and do.
import { randomBytes } from 'node:crypto'
import { createKey } from '../src/stores/keys/create.ts'
import type { KeyType } from '../src/stores/keys/tables.ts'
import type { TestConsole } from './test-console.ts'

export async function readOnlyKey({ api }: Pick<TestConsole, 'api'>): Promise<string> {
  const { global_api_key: key } = await api.apiKeys.add({ auth_token_type: 'read-only', note: 'reader' })
  return key.auth_token
}

/** A key that sees one Flock alone; no operation makes one yet but for deploying tokens. */
export async function flockKey(
  { console: { base } }: Pick<TestConsole, 'console'>,
  flockId: string,
  type: KeyType = 'read-only',
): Promise<{ readonly key: string; readonly keyId: string }> {
  const [key, keyId] = [randomBytes(16).toString('hex'), randomBytes(4).toString('hex')]
  const of = { type, flockId, note: 'of one Flock', createdAt: base.world.clock.now(), createdBy: 'console' }
  await base.writer.write((tx) => createKey(tx, base.vault, { ...of, key, keyId, keep: false }))
  return { key, keyId }
}
