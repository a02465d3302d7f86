// A kind's own settings, out of what the caller gave: the descriptor says what is needed and what it looks like.
import { Fault } from '@rookery/kernel/fault.ts'
import type { TokenDescriptor, TokenSettingDescriptor } from '@rookery/tokens/descriptor.ts'
import type { TokenSettings } from '@rookery/tokens/token.ts'

/** What the kind does not know is left out; a missing or wrong setting is a `bad-input` that names it. */
export function settingsOf(
  descriptor: Pick<TokenDescriptor, 'kind' | 'settings'>,
  given: Readonly<Record<string, unknown>>,
): TokenSettings {
  const settings: Record<string, unknown> = {}
  const details: Record<string, string> = {}
  for (const [name, setting] of Object.entries(descriptor.settings)) {
    const value = given[name] ?? setting.default
    if (value !== undefined) {
      const reason = wrong(setting, value)
      if (reason === undefined) settings[name] = value
      else details[name] = reason
    } else if (setting.required) details[name] = `is required for the kind ${descriptor.kind}`
  }
  const [[name, reason] = []] = Object.entries(details)
  if (name === undefined) return settings
  const message = reason?.startsWith('is required')
    ? `Parameter ${name} is required.`
    : `Parameter ${name} was invalid.`
  throw new Fault('bad-input', message, { details })
}

function wrong({ type }: TokenSettingDescriptor, value: unknown): string | undefined {
  switch (type) {
    case 'boolean':
      return typeof value === 'boolean' ? undefined : 'must be true or false'
    case 'text':
      return typeof value === 'string' ? undefined : 'must be text'
    case 'url':
      return isWebUrl(value) ? undefined : 'must be an absolute http or https URL'
    case 'file':
      return typeof value === 'object' ? undefined : 'must be a file, sent as multipart/form-data'
  }
}

const isWebUrl = (value: unknown): boolean =>
  typeof value === 'string' && URL.canParse(value) && /^https?:$/.test(new URL(value).protocol)
