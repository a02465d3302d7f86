// The flat facts of an alert, cut to what a target has room for.
import { cut } from './facts.ts'
import type { AlertFields } from './fields.ts'
import type { Fact } from './message.ts'

export interface FieldRoom {
  /** How many details there may be. */
  readonly details: number
  /** Characters of a text. */
  readonly text: number
}

export function fitted(fields: AlertFields, room: FieldRoom): AlertFields {
  const short = (text: string): string => cut(text, room.text)
  const texts = TEXTS.map((name) => [name, short(fields[name])] as const)
  const details = fields.details.slice(0, room.details).map((fact): Fact => [short(fact[0]), short(fact[1])])
  return { ...fields, ...(Object.fromEntries(texts) as Pick<AlertFields, (typeof TEXTS)[number]>), details }
}

/** Ids and links are whole, or worth nothing. */
const TEXTS = [
  'name',
  'text',
  'sourceAddress',
  'sourceName',
  'nodeName',
  'nodeAddress',
  'flockName',
  'user',
  'password',
  'path',
  'memo',
] as const satisfies readonly (keyof AlertFields)[]
