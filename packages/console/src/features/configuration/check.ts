// What a request to configure a Bird may say. Each wrong key is named in the details of the 400.
import { descriptors } from '@rookery/decoys/descriptors.gen.ts'
import { isBuiltInName } from '@rookery/decoys/settings/personalities.ts'
import { checkSettings } from '@rookery/decoys/settings/settings.ts'
import { Fault, invalidParameter } from '@rookery/kernel/fault.ts'
import { limit } from '@rookery/kernel/limit.ts'
import { FIXED, OPTIONAL, settingsOf, type Settings } from '../../stores/birds/settings.ts'
import type { BirdRow } from '../../stores/birds/store.ts'
import { certificateProblem } from './certificate-problem.ts'

/** Mistakes in settings that one answer names. */
const DETAILS = limit('settings_reasons', 200)

const WEBROOT = 'http.userwebroot_present'

/** Throws `bad-input` with a reason for each key that cannot be applied to this Bird. */
export function checkConfiguration(
  settings: Settings,
  bird: Pick<BirdRow, 'version' | 'settings'>,
  personalities: ReadonlySet<string>,
): void {
  refuse({
    ...checkSettings(descriptors, settings, { version: bird.version, optional: OPTIONAL }),
    ...fixedProblems(settings, settingsOf(bird)),
    ...personalityProblem(settings, personalities),
    ...certificateProblem(settings['https.certificate'], settings['https.key']),
  })
}

/** The name of a personality to save, without blanks around it. */
export function customName(name: string): string {
  const trimmed = name.trim().toWellFormed()
  const expected = isBuiltInName(trimmed)
    ? `another name: ${trimmed} comes with the console`
    : trimmed === '' || /[\p{Cc}\u2028\u2029]/u.test(trimmed)
      ? 'one line that is not blank'
      : undefined
  if (expected === undefined) return trimmed
  throw invalidParameter('custom_personality_name', `must be ${expected}`)
}

function fixedProblems(settings: Settings, present: Settings): Record<string, string> {
  const changed = [...FIXED].filter((key) => Object.hasOwn(settings, key) && settings[key] !== present[key])
  return Object.fromEntries(
    changed
      // That removes the site; only an upload brings one.
      .filter((key) => !(key === WEBROOT && settings[key] === false))
      .map((key) => [
        key,
        key === WEBROOT
          ? 'becomes true by an upload alone: begin with webrootupload/start'
          : `is fixed at ${JSON.stringify(present[key])}: leave it as it is, or out`,
      ]),
  )
}

function personalityProblem(settings: Settings, known: ReadonlySet<string>): Record<string, string> {
  const name = settings['device.personality']
  if (typeof name !== 'string' || known.has(name)) return {}
  return {
    'device.personality': `must be a name of personalities/list, not ${JSON.stringify(name.slice(0, 60))}`,
  }
}

/** The first reason is the message. */
function refuse(reasons: Record<string, string>): void {
  const all = Object.entries(reasons)
  const [first] = all
  if (!first) return
  const shown = all.slice(0, DETAILS.max).map(([key, reason]) => [key.slice(0, 100), reason])
  if (all.length > DETAILS.max) {
    DETAILS.hit()
    shown.push(['settings', `${all.length - DETAILS.max} more keys are wrong`])
  }
  const [key, reason] = first
  throw new Fault('bad-input', `Setting ${key.slice(0, 100)} ${reason}.`, {
    details: Object.fromEntries(shown) as Record<string, string>,
  })
}
