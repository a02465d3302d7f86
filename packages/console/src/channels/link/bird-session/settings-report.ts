// How a bundle came out, as columns of the Bird's row and of its own.
import type { BirdRow } from '../../../stores/birds/store.ts'
import type { BundleRow } from '../../../stores/bundles/store.ts'
import { decoyColumns } from '../decoy-columns.ts'
import { sanitizeText } from '../sanitize.ts'
import type { SettingsReport } from './state.ts'

export const MAX_REASON = 500

const ROLLED_BACK = 'rolled back: '

/** A Bird does not apply a bundle again that cut it off from its console; one that failed may succeed later. */
export const isRolledBack = ({ settings_failure }: Pick<BirdRow, 'settings_failure'>): boolean =>
  settings_failure.startsWith(ROLLED_BACK)

/** What the report changes; a failure counts only while its bundle is still the newest. */
export function settingsColumns(
  { settings_tag }: Pick<BirdRow, 'settings_tag'>,
  { kind, body }: SettingsReport,
): Partial<BirdRow> {
  const tag = sanitizeText(body.tag)
  const failure = (text: string): Partial<BirdRow> => (settings_tag === tag ? { settings_failure: text } : {})
  switch (kind) {
    case 'SETTINGS_APPLIED': {
      // Settings do not change where the Bird listens, and the report does not say.
      const { reach: _, port_offset: __, ...columns } = decoyColumns(body, true)
      return { applied_tag: tag, ...columns, was_rollback: 0, ...failure('') }
    }
    case 'SETTINGS_FAILED':
      return failure(failureText(body.reason))
    case 'SETTINGS_REVERTED':
      return {
        applied_tag: sanitizeText(body.to),
        was_rollback: 1,
        ...failure(ROLLED_BACK + sanitizeText(body.reason, MAX_REASON)),
      }
  }
}

/** What became of the bundle; of an applied one, the decoys that do not listen. */
export function bundleOutcome({ kind, body }: SettingsReport): Pick<BundleRow, 'state' | 'reason'> {
  switch (kind) {
    case 'SETTINGS_APPLIED': {
      const reasons = body.notStanding.map(({ instance, reason }) => `${instance}: ${reason}`)
      return { state: 'applied', reason: sanitizeText(reasons.join('; '), MAX_REASON) }
    }
    case 'SETTINGS_FAILED':
      return { state: 'failed', reason: failureText(body.reason) }
    case 'SETTINGS_REVERTED':
      return { state: 'rolled back', reason: sanitizeText(body.reason, MAX_REASON) }
  }
}

/** Never empty, and never read as a rollback. */
function failureText(reason: string): string {
  const text = sanitizeText(reason, MAX_REASON)
  return text.startsWith(ROLLED_BACK) ? `failed: ${text}` : text || 'failed'
}
