// What a PostgreSQL client needs besides the address of its server: in files that their owner alone can read, since every
// user of the machine sees the arguments of a process.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const SERVICE = 'rookery'

export interface PostgresSecrets extends Disposable {
  /** The URL without its secrets. */
  readonly address: string
  /** What libpq reads them by (PostgreSQL, 34.15 to 34.17). */
  readonly variables: Readonly<Record<string, string | undefined>>
}

/** Takes the password and that of the client's key out of a URL. */
export function writePostgresSecrets(url: string): PostgresSecrets {
  const address = new URL(url)
  const { searchParams } = address
  const password = decodeURIComponent(address.password) || (searchParams.get('password') ?? '')
  const keyPassword = searchParams.get('sslpassword') ?? ''
  address.password = ''
  searchParams.delete('password')
  searchParams.delete('sslpassword')
  const folder = mkdtempSync(join(tmpdir(), 'rookery-postgres-'))
  const write = (name: string, text: string): string => {
    writeFileSync(join(folder, name), text, { mode: 0o600 })
    return join(folder, name)
  }
  const variables: Record<string, string | undefined> = {}
  if (password !== '') {
    // In a password file, colons and backslashes are escaped. A variable of the caller's would come before it.
    variables['PGPASSFILE'] = write('passwords', `*:*:*:*:${password.replace(/[:\\]/g, '\\$&')}\n`)
    variables['PGPASSWORD'] = undefined
  }
  if (keyPassword !== '') {
    variables['PGSERVICEFILE'] = write('services', `[${SERVICE}]\nsslpassword=${keyPassword}\n`)
    searchParams.set('service', SERVICE)
  }
  return {
    address: address.href,
    variables,
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  }
}
