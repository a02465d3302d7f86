// 4.14: API keys, and the switch of the whole API.
import { apiKeys } from '@rookery/contract/groups/api-keys.ts'
import { FileAnswer, implement, type Route } from '@rookery/contract/implement.ts'
import type { Params } from '@rookery/contract/operation.ts'
import { Fault, invalidParameter, required } from '@rookery/kernel/fault.ts'
import { newKey, newKeyId } from '@rookery/kernel/ids.ts'
import { parseListTime } from '@rookery/kernel/time.ts'
import type { AppContext } from '../../app-context.ts'
import type { Call } from '../../http/call.ts'
import { parseRanges } from '../../addresses/ranges.ts'
import { createKey, keyPlace } from '../../stores/keys/create.ts'
import { countOtherAdmins, findKey, listKeys, removeKey, type KeyRow } from '../../stores/keys/store.ts'
import { writeSetting } from '../../stores/settings/store.ts'
import { apiKey, configFile } from './views.ts'

export interface ApiKeyDeps extends Pick<AppContext, 'reader' | 'vault' | 'world'> {
  /** Whether keys can be read again (`ROOKERY_KEYS=recoverable`). */
  readonly keepKeys: boolean
}

const UNKNOWN = 'API key does not exist.'

export function apiKeysRoutes({ reader, vault, world, keepKeys }: ApiKeyDeps): Route<Call>[] {
  const { clock, random } = world
  const keyOf = (row: KeyRow): string | undefined =>
    keepKeys && row.sealed_key !== '' ? vault.open(row.sealed_key, keyPlace(row.key_id)) : undefined

  async function add(params: Params<typeof apiKeys.add>, { caller, change, note }: Call) {
    const now = clock.now()
    const ranges = normalizeRanges(params.allowed_ip_ranges ?? '')
    const expiresAt = params.expires === undefined ? undefined : parseListTime(params.expires, 'expires')
    if (expiresAt !== undefined && expiresAt <= now) {
      throw invalidParameter('expires', 'must lie in the future')
    }
    const key = newKey(random)
    const keyId = newKeyId(random)
    note({ key_id: keyId })
    const row = await change((tx) =>
      createKey(tx, vault, {
        keyId,
        key,
        type: params.auth_token_type,
        note: params.note,
        allowedIpRanges: ranges,
        createdAt: now,
        createdBy: caller.keyId,
        ...(expiresAt !== undefined && { expiresAt }),
        keep: keepKeys,
      }),
    )
    return { global_api_key: apiKey(row, key) }
  }

  async function remove({ key_id }: Params<typeof apiKeys.remove>, { change }: Call) {
    await change(async (tx) => {
      const row = required(await findKey(tx.query, key_id), UNKNOWN)
      if (row.type === 'admin' && (await countOtherAdmins(tx.query, key_id, clock.now())) === 0) {
        throw new Fault(
          'conflict',
          'This is the last admin key that works. Make another one before you remove it.',
        )
      }
      await removeKey(tx.query, key_id)
      await tx.configChanged()
    })
    return {}
  }

  async function download({ key_id }: Params<typeof apiKeys.download>, { sharedUrl }: Call) {
    const row = required(await findKey(reader, key_id), UNKNOWN)
    const key = keyOf(row)
    if (key === undefined) {
      throw new Fault(
        'conflict',
        'This key cannot be read again: it was shown once, when it was made (ROOKERY_KEYS=show-once).',
      )
    }
    return new FileAnswer('rookery.ini', 'text/plain; charset=utf-8', configFile(key, sharedUrl))
  }

  async function switchApi({ change }: Call, enabled: boolean) {
    await change((tx) => writeSetting(tx, 'api_enabled', String(enabled)))
    return {}
  }

  return implement(apiKeys, {
    add,
    addOld: add,
    remove,
    removeOld: remove,
    download,
    downloadOld: download,
    async list() {
      return { global_api_keys: (await listKeys(reader)).map((row) => apiKey(row, keyOf(row))) }
    },
    disableApi: (_params, call: Call) => switchApi(call, false),
    // A call with a key reaches this only while the API is on, and it stays on.
    enableApi: (_params, call: Call) => switchApi(call, true),
  })
}

/** The ranges as they are stored: valid, without blanks and empty entries. */
function normalizeRanges(text: string): string {
  parseRanges(text, 'allowed_ip_ranges')
  return text
    .split(',')
    .map((entry) => entry.trim())
    .filter(Boolean)
    .join(',')
}
