// Changes a token in its place: another memo, other settings of its kind; its URL and host name stay.
import { Fault } from '@rookery/kernel/fault.ts'
import type { TokenDescriptor } from '@rookery/tokens/descriptor.ts'
import { isStoredFile, readGivenSettings, type TokenSettings } from '@rookery/tokens/settings.ts'
import { providerNeeded } from '@rookery/tokens/token.ts'
import type { AppContext } from '../../app-context.ts'
import type { Tx } from '../../db/query.ts'
import type { Vault } from '../../secrets/vault.ts'
import { attachFiles, releaseFiles } from '../../stores/tokens/files.store.ts'
import { forgetFirstIncident } from '../../stores/tokens/first-incidents.store.ts'
import { changeToken, type TokenRow } from '../../stores/tokens/store.ts'
import { addressOf } from './address.ts'
import { readCare, type CareColumns, type TokenCare } from './care.ts'
import { checkTargets, type TargetDeps } from './check-targets.ts'
import { openIssued } from './issued-at-rest.ts'
import { kindNamed } from './kinds.ts'
import { openSettings, rendersColumn, sealSettings } from './settings-at-rest.ts'
import { takeUploads, type UploadDeps } from './take-uploads.ts'
import { fileIdsOf } from '../files/uploads.ts'

export interface TokenUpdate {
  readonly memo: string | undefined
  readonly care: TokenCare
  /** Key id of the caller. */
  readonly changedBy: string
  /** Settings of any kind; what this one does not know is left out. */
  readonly given: TokenSettings
}

/** The changes, checked, with uploaded files stored. */
export interface PreparedUpdate {
  readonly memo: string | undefined
  readonly care: Partial<CareColumns>
  readonly settings: TokenSettings
}

/** A file that the kind cannot use, a target of our own, and an update that changes nothing, are a `bad-input`. */
export async function prepareUpdate(
  deps: UploadDeps & TargetDeps & Pick<AppContext, 'world'>,
  row: TokenRow,
  { memo, care: givenCare, changedBy, given }: TokenUpdate,
): Promise<PreparedUpdate> {
  const kind = kindNamed(row.kind)
  const { descriptor } = kind
  const changed = readGivenSettings(descriptor, given)
  const care = readCare(givenCare, { keyId: changedBy, at: deps.world.clock.now() })
  if (memo === undefined && Object.keys({ ...care, ...changed }).length === 0) {
    const known = Object.keys(descriptor.settings)
    const settings = known.length > 0 ? `, or a setting of the kind ${row.kind}: ${known.join(', ')}` : ''
    throw new Fault('bad-input', 'Nothing to change.', { details: { memo: `is required${settings}` } })
  }
  const names = Object.keys(changed)
  if (names.length === 0) return { memo, care, settings: {} }
  const address = addressOf(row)
  checkTargets(deps, descriptor, changed, address)
  const before = openSettings(deps.vault, row)
  const settings = { ...before, ...changed }
  const provider = providerNeeded(kind, before)
  if (provider !== undefined || providerNeeded(kind, settings) !== provider) refuseFixed(descriptor, names)
  const subject = { kind: row.kind, address, settings, issued: openIssued(deps.vault, row) }
  const stored = await takeUploads(deps, descriptor, subject, { keyId: changedBy, isFactory: false })
  const { kept } = descriptor
  const taken = kept === undefined ? names : [...new Set([...names, kept])]
  return { memo, care, settings: Object.fromEntries(taken.map((name) => [name, stored[name]])) }
}

/** What the provider was given stays, and so does whether there is one: its resource would not fit any more. */
function refuseFixed({ kind, provider }: TokenDescriptor, names: readonly string[]): void {
  const fixed = names.filter((name) => provider?.fixed.includes(name))
  const [first] = fixed
  if (first === undefined) return
  throw new Fault('bad-input', `Parameter ${first} was invalid.`, {
    details: Object.fromEntries(
      fixed.map((name) => [name, `cannot be changed for the kind ${kind}: create another token`]),
    ),
  })
}

/** Changes the token inside the transaction that read it; answers it as it is then. A file that is replaced is removed. */
export async function updateToken(
  tx: Tx,
  vault: Vault,
  row: TokenRow,
  update: PreparedUpdate,
): Promise<TokenRow> {
  const kind = kindNamed(row.kind)
  const before = openSettings(vault, row)
  const settings = { ...before, ...update.settings }
  const isChanged = Object.keys(update.settings).length > 0
  const changed = {
    ...(update.memo !== undefined && { memo: update.memo }),
    ...update.care,
    ...(isChanged && {
      settings: sealSettings(vault, row.token_id, settings, kind.descriptor.settings),
      renders: rendersColumn(
        kind.renders(addressOf(row), settings, openIssued(vault, row)),
        kind.descriptor.settings,
        row.issued,
      ),
    }),
    updated_id: await tx.updatedIds(1),
  }
  await changeToken(tx.query, row.token_id, changed)
  // Switched on again, it raises the next touch.
  if (update.care.first_only !== undefined) await forgetFirstIncident(tx, row.number)
  await attachFiles(
    tx,
    fileIdsOf(update.settings).map((file_id) => ({ file_id, token_id: row.token_id })),
  )
  const replaced = Object.keys(update.settings).map((name) => before[name])
  await releaseFiles(
    tx,
    replaced.filter(isStoredFile).map(({ fileId }) => fileId),
  )
  return { ...row, ...changed }
}
