// The account at an ACME server: made with the first order, its key sealed in the database (RFC 8555, 7.3).
import type { AppContext } from '../../app-context.ts'
import { accountKeyPlace, findAccount, removeAccount, storeAccount } from '../../stores/certificates/store.ts'
import {
  AcmeProblem,
  locationIn,
  openAcmeClient,
  type AcmeClient,
  type AcmeClientDeps,
} from './acme-client.ts'
import { newKeyPem, openAccountKey, type AccountKey } from './jws.ts'

export interface AcmeAccount {
  readonly client: AcmeClient
  readonly key: AccountKey
  /** Its own URL. */
  readonly url: string
}

export interface AcmeAccountDeps extends AcmeClientDeps, Pick<AppContext, 'reader' | 'writer' | 'vault'> {
  readonly directoryUrl: string
  /** A mail address. */
  readonly contact: string
}

/** Calls `use` with the account; makes another one, once, where the server does not know it any more. */
export async function withAccount<T>(
  deps: AcmeAccountDeps,
  use: (account: AcmeAccount) => Promise<T>,
): Promise<T> {
  try {
    return await use(await openAccount(deps))
  } catch (error) {
    if (!(error instanceof AcmeProblem && error.type === 'accountDoesNotExist')) throw error
    await deps.writer.write((tx) => removeAccount(tx, deps.directoryUrl))
    return use(await openAccount(deps))
  }
}

async function openAccount(deps: AcmeAccountDeps): Promise<AcmeAccount> {
  const { reader, writer, vault, directoryUrl: directory, contact } = deps
  const place = accountKeyPlace(directory)
  const stored = await findAccount(reader, directory)
  const pem = stored ? vault.open(stored.sealed_key, place) : newKeyPem()
  const key = openAccountKey(pem)
  const client = await openAcmeClient(deps, directory, key)
  if (stored?.contact === contact) return { client, key, url: stored.url }
  const url = stored ? await changeContact(client, stored.url, contact) : await makeAccount(client, contact)
  await writer.write((tx) =>
    storeAccount(tx, { directory, contact, url, sealed_key: vault.seal(pem, place) }),
  )
  return { client, key, url }
}

const contactsOf = (contact: string) => [`mailto:${contact}`]

async function changeContact(client: AcmeClient, url: string, contact: string): Promise<string> {
  await client.post(url, { contact: contactsOf(contact) }, url)
  return url
}

async function makeAccount(client: AcmeClient, contact: string): Promise<string> {
  const answer = await client.post(client.directory.newAccount, {
    termsOfServiceAgreed: true,
    contact: contactsOf(contact),
  })
  return locationIn(answer, 'account')
}
