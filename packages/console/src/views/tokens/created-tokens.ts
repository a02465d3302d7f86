// New tokens as a CSV: what their creator needs to place them.
import { csvRow } from '@rookery/kernel/csv/write.ts'
import { credentialsOf } from '../../flows/tokens/credentials.ts'
import { openSettings } from '../../flows/tokens/settings-at-rest.ts'
import type { Vault } from '../../secrets/vault.ts'
import type { TokenRow } from '../../stores/tokens/store.ts'
import type { WarningsOf } from './creation-warnings.ts'

const COLUMNS = [
  'row',
  'decoytoken',
  'kind',
  'memo',
  'flock_id',
  'url',
  'hostname',
  'access_key_id',
  'secret_access_key',
  'username',
  'warnings',
] as const

const ROWS_PER_PIECE = 250

export interface CreatedTokensDeps {
  readonly vault: Vault
  readonly warningsOf: WarningsOf
  /** The zone of the host names of tokens without a domain of their own. */
  readonly tokensDomain: string
}

/** A header, then a row for each token in their order, counted from 1. */
export async function* createdTokensAsCsv(
  deps: CreatedTokensDeps,
  tokens: readonly TokenRow[],
): AsyncGenerator<string> {
  let text = csvRow(COLUMNS)
  for (const [index, token] of tokens.entries()) {
    text += csvRow([index + 1, ...(await cellsOf(deps, token))])
    if (index % ROWS_PER_PIECE !== ROWS_PER_PIECE - 1) continue
    yield text
    text = ''
  }
  yield text
}

async function cellsOf(
  { vault, warningsOf, tokensDomain }: CreatedTokensDeps,
  token: TokenRow,
): Promise<string[]> {
  const { token_id, kind, memo, flock_id, url, hostname } = token
  const { access_key_id = '', secret_access_key = '', username = '' } = credentialsOf(vault, token)
  const domain = hostname.slice(token_id.length + 1)
  const { warnings = [] } = await warningsOf(
    { kind, settings: openSettings(vault, token) },
    domain === tokensDomain ? undefined : domain,
  )
  return [
    token_id,
    kind,
    memo,
    flock_id,
    url,
    hostname,
    access_key_id,
    secret_access_key,
    username,
    warnings.join(' '),
  ]
}
