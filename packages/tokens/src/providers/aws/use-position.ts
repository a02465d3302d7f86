// Where the next poll for unreported uses goes on, as a text.
import { parsedJson, reportedText, valuesOf } from '../../reported.ts'
import type { KeyUse } from './iam.ts'

export interface UsePosition {
  /** Uses up to this time were looked at, milliseconds UTC. */
  readonly from: number
  /** The first use after it that a poll saw, by the key: too young to say that the feed missed it. */
  readonly unsettled: ReadonlyMap<string, KeyUse>
}

/** A planted key has no use that is not an intruder's, however old. */
const START: UsePosition = { from: 0, unsettled: new Map() }

export const usePositionText = ({ from, unsettled }: UsePosition): string =>
  JSON.stringify({ from, unsettled: Object.fromEntries(unsettled) })

/** The start for a text that is none. */
export function readUsePosition(text: string): UsePosition {
  const values = valuesOf(parsedJson(text))
  const from = values?.['from']
  if (typeof from !== 'number') return START
  return { from, unsettled: new Map(Object.entries(valuesOf(values?.['unsettled']) ?? {}).flatMap(useIn)) }
}

function useIn([key, use]: [string, unknown]): (readonly [string, KeyUse])[] {
  const { at, service, region } = valuesOf(use) ?? {}
  return typeof at === 'number'
    ? [[key, { at, service: reportedText(service), region: reportedText(region) }]]
    : []
}
