// What becomes of settings that the console offers: applied, and answered with what stands, or refused.
import type { Body } from '@rookery/link/messages.ts'
import type { Bundle } from '../active-settings/bundle.ts'
import type { RefusedSettings } from '../active-settings/refused-settings.ts'
import type { OpenLink } from '../uplink/uplink.ts'
import { decoyStatus, type StatusDeps } from './status.ts'
import type { ConsoleSessionInput } from './step.ts'

export interface OfferedSettingsDeps {
  readonly session: Pick<StatusDeps, 'settings' | 'stateFile'>
  readonly link: Pick<OpenLink, 'send'>
  readonly report: (message: string) => void
  readonly send: (input: ConsoleSessionInput) => void
}

export function offeredSettings({ session, link, report, send }: OfferedSettingsDeps) {
  const { settings, stateFile } = session

  function refuse({ tag, reason }: RefusedSettings): void {
    settings.refusals.note({ tag, reason })
    report(`Settings ${tag} were not applied: ${reason}`)
  }

  return {
    refuse,
    async apply(bundle: Bundle): Promise<void> {
      const { tag, seq } = bundle
      const reason = await settings.apply(bundle)
      if (reason !== undefined) {
        refuse({ tag, reason })
        return send({ name: 'settings-failed', tag, seq, reason })
      }
      if (stateFile.values.reverted) stateFile.update({ reverted: undefined })
      send({ name: 'settings-applied', tag, seq })
    },
    /** Those that the console wants are in force. */
    sendApplied({ tag, seq }: Pick<Body<'SETTINGS_APPLIED'>, 'tag' | 'seq'>): void {
      settings.refusals.end()
      link.send({ kind: 'SETTINGS_APPLIED', body: { tag, seq, ...decoyStatus(settings) } })
    },
  }
}
