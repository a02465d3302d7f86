// What somebody has changed of a Bird's settings, and not sent yet. Pure.
import { birdWords } from '../birds/words.ts'
import type { Schema, Setting } from './queries.ts'

export type Settings = Readonly<Record<string, unknown>>

/** Of one setting: what was typed, and the value that it means. */
export interface Edit {
  readonly text: string
  readonly value: unknown
  /** Why the text means no value. */
  readonly error?: string
}

/** By the setting's full key; a setting that is as it was has none. */
export type Draft = ReadonlyMap<string, Edit>

export const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b)

/** A value as a field shows it. */
export const textOf = (value: unknown): string =>
  typeof value === 'string'
    ? value
    : typeof value === 'object' && value !== null
      ? JSON.stringify(value, undefined, 2)
      : String(value ?? '')

const isStructured = ({ type }: Setting): boolean => type === 'list' || type === 'object' || type === 'tree'

/** What a typed text means for a setting of this form. */
export function readText(setting: Setting, text: string): Edit {
  if (setting.type === 'integer')
    return /^-?\d{1,15}$/.test(text.trim())
      ? { text, value: Number(text) }
      : { text, value: text, error: birdWords.settings.notNumber }
  if (!isStructured(setting)) return { text, value: text }
  try {
    return { text, value: JSON.parse(text) as unknown }
  } catch {
    return { text, value: text, error: birdWords.settings.notJson }
  }
}

/** The draft with one setting changed; one that is back at its value leaves it. */
export function withEdit(draft: Draft, settings: Settings, key: string, edit: Edit): Draft {
  const next = new Map(draft)
  if (edit.error === undefined && isSame(edit.value, settings[key])) next.delete(key)
  else next.set(key, edit)
  return next
}

export const changesOf = (draft: Draft): Settings =>
  Object.fromEntries([...draft].map(([key, { value }]) => [key, value]))

export interface Card {
  readonly service: string
  readonly title: string
  /** Full keys, the switch first. */
  readonly keys: readonly string[]
}

/** Settings by service; the machine itself is last. */
export function cardsOf(schema: Schema, isShown: (key: string, setting: Setting) => boolean): Card[] {
  const cards = new Map<string, { service: string; title: string; keys: string[] }>()
  for (const [key, setting] of Object.entries(schema)) {
    if (!isShown(key, setting)) continue
    const { service, service_title } = setting
    const card = cards.get(service) ?? {
      service,
      title: service_title || birdWords.settings.device,
      keys: [],
    }
    card.keys.push(key)
    cards.set(service, card)
  }
  const order = (key: string): number => (key.endsWith('.enabled') ? 0 : key.endsWith('.port') ? 1 : 2)
  return [...cards.values()]
    .map((card) => ({ ...card, keys: card.keys.toSorted((a, b) => order(a) - order(b)) }))
    .toSorted(
      (a, b) =>
        Number(a.service === 'device') - Number(b.service === 'device') || a.title.localeCompare(b.title),
    )
}
