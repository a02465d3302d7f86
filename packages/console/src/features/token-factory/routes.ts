// 4.11: token factories, and the tokens that they create.
import { tokenFactory } from '@rookery/contract/groups/token-factory.ts'
import { implement, type Route } from '@rookery/contract/implement.ts'
import { required } from '@rookery/kernel/fault.ts'
import { DEFAULT_FLOCK, newKey, newKeyId } from '@rookery/kernel/ids.ts'
import type { AppContext } from '../../app-context.ts'
import type { ForgeFile } from '../../flows/forge/forge-file.ts'
import type { FactoryAllowance } from '../../flows/tokens/factory-allowance.ts'
import { kindNames } from '../../flows/tokens/kinds.ts'
import type { CreateToken } from '../../flows/tokens/create.ts'
import { tokenRequest } from '../../flows/tokens/token-request.ts'
import type { Call, Caller } from '../../http/call.ts'
import { existingFlock } from '../../stores/flocks/store.ts'
import { createKey, keyPlace } from '../../stores/keys/create.ts'
import type { Scope } from '../../db/query.ts'
import { findKey, findKeyByHash, listKeys, removeKey, type KeyRow } from '../../stores/keys/store.ts'
import { existingToken } from '../../stores/tokens/store.ts'
import type { WarningsOf } from '../../views/tokens/creation-warnings.ts'
import { tokenFile } from '../../views/tokens/file.ts'
import { createdToken } from '../../views/tokens/view.ts'

export interface TokenFactoryDeps extends Pick<AppContext, 'reader' | 'config' | 'vault' | 'world'> {
  readonly createToken: CreateToken
  readonly forgeFile: ForgeFile
  readonly warningsOf: WarningsOf
  readonly factoryAllowance: FactoryAllowance
  /** Whether keys can be read again (`ROOKERY_KEYS=recoverable`). */
  readonly keepKeys: boolean
}

const MASKED = '*'.repeat(32)
const isIn = (scope: Scope, { flock_id }: Pick<KeyRow, 'flock_id'>): boolean =>
  scope === 'all' || scope.includes(flock_id)

const isFactory = ({ type }: Pick<Caller, 'type'>): boolean => type === 'decoytoken-deploy'

export function tokenFactoryRoutes(deps: TokenFactoryDeps): Route<Call>[] {
  const { reader, config, vault, world, createToken, warningsOf, factoryAllowance, keepKeys } = deps

  const keyOf = (row: KeyRow): string | undefined =>
    keepKeys && row.sealed_key !== '' ? vault.open(row.sealed_key, keyPlace(row.key_id)) : undefined

  /** The calling factory's key, decrypted once and cached until keys change. */
  const factoryAuth = (caller: Caller): Promise<string | undefined> =>
    config.get(`factory ${caller.keyId}`, async (db) => {
      const row = await findKey(db, caller.keyId)
      return row && keyOf(row)
    })

  return implement(tokenFactory, {
    listKinds: () => Promise.resolve({ factory_decoytokens: kindNames }),

    async create({ factory_auth, flock_id, ...params }, { caller, auditEntry }: Call) {
      const create = () =>
        createToken(
          tokenRequest(params, {
            flockId:
              flock_id ?? (caller.scope === 'all' ? DEFAULT_FLOCK : (caller.scope[0] ?? DEFAULT_FLOCK)),
            createdBy: caller.keyId,
            factoryKeyId: isFactory(caller) ? caller.keyId : '',
            trail: auditEntry,
          }),
        )
      const created = await (isFactory(caller) ? factoryAllowance(caller.keyId, create) : create())
      const auth = isFactory(caller) ? (factory_auth ?? (await factoryAuth(caller))) : undefined
      const { kind, custom_domain } = params
      const warnings = await warningsOf({ kind, settings: created.settings }, custom_domain)
      return { decoytoken: createdToken(vault, created, auth), ...warnings }
    },

    async download({ decoytoken }, { caller }: Call) {
      const forging = { keyId: caller.keyId, isFactory: isFactory(caller) }
      return tokenFile(await existingToken(reader, caller.scope, decoytoken), deps, forging)
    },

    async createFactory({ flock_id, memo }, { caller, sharedUrl, change, note }: Call) {
      const key = newKey(world.random)
      const keyId = newKeyId(world.random)
      note({ key_id: keyId })
      await change(async (tx) => {
        await existingFlock(tx.query, caller.scope, flock_id)
        await createKey(tx, vault, {
          keyId,
          key,
          type: 'decoytoken-deploy',
          note: memo,
          flockId: flock_id,
          createdAt: world.clock.now(),
          createdBy: caller.keyId,
          keep: keepKeys,
        })
      })
      return {
        factory_auth: key,
        factory_url: `${sharedUrl}/api/v1/decoytoken/factory/create?factory_auth=${key}`,
      }
    },

    async deleteFactory({ factory_auth }, { caller, change, note }: Call) {
      await change(async (tx) => {
        const found = await findKeyByHash(tx.query, vault.digest('key', factory_auth))
        const row = required(
          found && isFactory(found) && isIn(caller.scope, found) ? found : undefined,
          'Token factory does not exist.',
        )
        await removeKey(tx.query, row.key_id)
        note({ key_id: row.key_id, flock_id: row.flock_id })
        await tx.configChanged()
      })
      return { msg: 'TokenFactory auth string deleted' }
    },

    async listFactories(_params, { caller }: Call) {
      const rows = (await listKeys(reader, ['decoytoken-deploy'])).filter((row) => isIn(caller.scope, row))
      return {
        factories: rows.map((row) => ({
          factory_auth: keyOf(row) ?? MASKED,
          flock_id: row.flock_id,
          memo: row.note,
        })),
      }
    },
  })
}
