// Tokens from a CSV: how many rows a second become tokens, while the API answers others.
import { atLeast, atMost, exactly, percentile, type Row } from '../../rig/case.ts'
import { ADMIN, type RunningConsole } from '../../rig/scenes/console.ts'
import { sized } from '../../rig/scale.ts'
import { askMeanwhile } from './token-files.ts'

const ROWS = 10_000

export async function measureBatch(console: RunningConsole): Promise<Row[]> {
  const rows = sized(ROWS, 500)
  const csv = `kind,memo\n${Array.from({ length: rows }, (_, n) => `http,Share of host ${n}\n`).join('')}`
  const stopped = new AbortController()
  const asking = askMeanwhile(console, stopped.signal)
  const startedAt = performance.now()
  const answer = await fetch(`http://127.0.0.1:${console.port}/api/v1/decoytokens/create`, {
    method: 'POST',
    headers: { 'X-Auth-Token': ADMIN },
    body: new URLSearchParams({ csv }),
  })
  const text = await answer.text()
  const seconds = (performance.now() - startedAt) / 1_000
  stopped.abort()
  return [
    atLeast('tokens of a CSV of 10,000 rows', rows / seconds, '/s', 1_000),
    atMost('p99 of the API during the CSV', percentile(await asking, 0.99), 'ms', 100),
    exactly('rows of the CSV without a token', rows - (text.split('\r\n').length - 2), '', 0),
  ]
}
