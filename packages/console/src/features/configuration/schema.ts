// The settings' schema as the API shows it, from the descriptors of the device and the services.
import type { configuration } from '@rookery/contract/groups/configuration.ts'
import type { Answer } from '@rookery/contract/operation.ts'
import {
  FIRST_RELEASE,
  TREE_NODE,
  wholeText,
  type ServiceDescriptor,
  type SettingDescriptor,
} from '@rookery/decoys/settings/descriptor.ts'
import { descriptors } from '@rookery/decoys/descriptors.gen.ts'
import { isKnownTo, serviceOf } from '@rookery/decoys/settings/settings.ts'
import { SETTINGS } from '../../stores/birds/settings.ts'

type Schema = Answer<typeof configuration.schema>['schema']

const PORTS = { minimum: 1, maximum: 65_535 }

/** Every setting that a Bird of this version knows. */
export const settingsSchema = (version: string): Schema =>
  Object.fromEntries(
    Object.entries(SETTINGS)
      .filter(([, setting]) => isKnownTo(version, setting))
      .map(([key, setting]) => [key, view(key, setting)]),
  )

const titles: ReadonlyMap<string, string> = new Map(
  descriptors.map(({ service, title }: ServiceDescriptor) => [service, title]),
)

function view(key: string, setting: SettingDescriptor): Schema[string] {
  const { type, title, default: fallback, choices, maxLength, format, since = FIRST_RELEASE } = setting
  const service = serviceOf(descriptors, key)
  const { minimum, maximum } = type === 'port' ? PORTS : setting
  return {
    type: type === 'port' ? 'integer' : type === 'choice' ? 'text' : type,
    title,
    description: description(setting),
    default: fallback,
    ...(minimum !== undefined && { minimum }),
    ...(maximum !== undefined && { maximum }),
    ...(choices && { choices: [...choices] }),
    ...(maxLength !== undefined && { max_length: maxLength }),
    ...(format && { pattern: wholeText(format) }),
    since,
    fixed: setting.fixed === true,
    secret: setting.secret === true,
    service,
    service_title: titles.get(service) ?? '',
  }
}

function description({ type, format, names, fields, whenEmpty, noEffect }: SettingDescriptor): string {
  const sentences = [
    names && `Each name must be ${names.expectation}.`,
    fields && `Each object has ${fields.join(', ')}.`,
    type === 'tree' && `Each node has ${TREE_NODE}.`,
    format && `${names ? 'Each value m' : 'M'}ust be ${format.expectation}.`,
    whenEmpty && `When empty: ${whenEmpty}`,
    noEffect && `No effect: ${noEffect}`,
  ]
  return sentences.filter(Boolean).join(' ')
}
