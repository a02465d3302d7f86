// What the kinds of tokens ask for when a token is made (4.11), folded from their descriptors: nothing of it stands here.
import Type, { type TOptional, type TSchema, type TUnsafe } from 'typebox'
import type { TokenDescriptor, TokenSettingDescriptor } from '@rookery/tokens/descriptor.ts'
import { descriptors } from '@rookery/tokens/descriptors.gen.ts'
import { rulesOf } from '@rookery/tokens/settings.ts'
import { commaList, flag, oneOf, secret, upload, type Upload } from '../fields.ts'

type Kind = (typeof descriptors)[number]
type NameOf<K> = K extends { readonly settings: infer S } ? keyof S : never
type SettingOf<K, Name> = K extends { readonly settings: infer S } ? S[Name & keyof S] : never

/** How a caller writes the value of a setting. */
type Written<S> = S extends { readonly type: 'boolean' }
  ? boolean
  : S extends { readonly type: 'file' }
    ? Upload
    : S extends { readonly choices: readonly (infer Choice)[] }
      ? Choice
      : string

/** A schema for each setting of any kind; a kind takes what it knows and leaves the rest. */
export type KindSettings = {
  readonly [Name in NameOf<Kind>]: TOptional<TUnsafe<Written<SettingOf<Kind, Name>>>>
}

type KindWithSettings = Pick<TokenDescriptor, 'kind' | 'settings'>

/** Settings of several kinds by name; with `withDefaults` those carry a default whose kinds agree on one. */
export function foldSettings(
  kinds: readonly KindWithSettings[],
  { withDefaults }: { readonly withDefaults: boolean },
): Record<string, TSchema> {
  const names = [...new Set(kinds.flatMap(({ settings }) => Object.keys(settings)))]
  return Object.fromEntries(
    names.map((name) => {
      const takers = kinds.filter(({ settings }) => Object.hasOwn(settings, name))
      const settings = takers.map((kind) => kind.settings[name] as TokenSettingDescriptor)
      refuseDisagreement(name, takers, settings)
      const defaults = [...new Set(settings.map((it) => ('default' in it ? it.default : undefined)))]
      return [
        name,
        Type.Optional({
          ...schemaOf(settings),
          description: descriptionOf(takers, settings),
          ...(withDefaults && defaults.length === 1 && defaults[0] !== undefined && { default: defaults[0] }),
        }),
      ]
    }),
  )
}

function refuseDisagreement(
  name: string,
  kinds: readonly KindWithSettings[],
  settings: readonly TokenSettingDescriptor[],
): void {
  const types = new Set(settings.map(({ type }) => type))
  if (types.size === 1) return
  const said = kinds.map(({ kind }, index) => `${kind} (${settings[index]?.type})`).join(', ')
  throw new Error(`The setting ${name} has several types: ${said}. Give one of them another name.`)
}

function schemaOf(settings: readonly TokenSettingDescriptor[]): TSchema {
  const maxLength = Math.max(...settings.map((it) => ('maxLength' in it ? it.maxLength : LONGEST)))
  const isSecret = settings.some((it) => it.type === 'text' && it.sealed)
  const choices = settings.flatMap((it) => (it.type === 'choice' ? it.choices : []))
  switch (settings[0]?.type) {
    case 'boolean':
      return flag
    case 'file':
      return upload
    case 'list':
      return commaList
    case 'choice':
      return oneOf([...new Set(choices)])
    default:
      return isSecret ? secret(Type.String({ maxLength })) : Type.String({ maxLength })
  }
}

const LONGEST = 2_048

/** `What it is; required for a, b; for c; its rules`. */
function descriptionOf(
  kinds: readonly KindWithSettings[],
  settings: readonly TokenSettingDescriptor[],
): string {
  const named = (isRequired: boolean): string =>
    kinds
      .filter((_, index) => (settings[index]?.required ?? false) === isRequired)
      .map(({ kind }) => kind)
      .join(', ')
  const [required, optional] = [named(true), named(false)]
  return [
    ...new Set(settings.map(({ description }) => description)),
    ...(required === '' ? [] : [`required for ${required}`]),
    ...(optional === '' ? [] : [`for ${optional}`]),
    ...new Set(settings.map((setting) => rulesOf(setting)).filter(Boolean)),
  ].join('; ')
}

/** What a new token may be given. The compiler cannot follow the fold: its type is made from the same descriptors. */
export const kindSettings = foldSettings(descriptors, { withDefaults: true }) as KindSettings

/** What can be changed of a token; what is not given stays. */
export const changeableKindSettings = foldSettings(descriptors, { withDefaults: false }) as KindSettings

/** A kind that can be made with a memo alone: for examples. */
export const exampleKind: string =
  descriptors.find(({ settings }) =>
    Object.values<TokenSettingDescriptor>(settings).every(({ required }) => !required),
  )?.kind ?? ''
