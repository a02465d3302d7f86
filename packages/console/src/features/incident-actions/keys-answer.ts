// The answer of a bulk action: the keys of all changed incidents, streamed in portions because there may be millions.
import type { EngineName, Query } from '../../db/query.ts'
import { incidentKeys } from '../../stores/incidents/one.store.ts'

const PORTION = 1_000

export async function* keysAnswer(
  db: Query,
  engine: EngineName,
  action: string,
  incidentIds: Float64Array,
  facts: { readonly count: number; readonly batch_id: string },
): AsyncGenerator<string> {
  const head = JSON.stringify({ result: 'success', action, ...facts }).slice(0, -1)
  let text = `${head},"keys":[`
  for (let at = 0; at < incidentIds.length; at += PORTION) {
    const keys = await incidentKeys(db, engine, [...incidentIds.subarray(at, at + PORTION)])
    text += (at === 0 ? '' : ',') + JSON.stringify(keys).slice(1, -1)
    yield text
    text = ''
  }
  yield `${text}]}\n`
}
