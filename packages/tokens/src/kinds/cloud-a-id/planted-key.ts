// The key that a token plants: one that this console alone knows, or one that AWS issued.
import { baseUrl } from '../../channels/http/token-path.ts'
import type { Derive } from '../../derive.ts'
import type { IssuedValues } from '../../issued-values.ts'
import type { SettingsOf } from '../../settings.ts'
import type { TokenAddress } from '../../token.ts'
import type { descriptor } from './descriptor.ts'
import { identityOf, type Identity } from './identity.ts'

type Settings = SettingsOf<(typeof descriptor)['settings']>

export const isOfOwnAccount = ({ cloud_a_account }: Settings): boolean => cloud_a_account === 'own'

/** Where its requests go, which is no page; undefined for AWS itself. */
export const endpointOf = (settings: Settings, address: TokenAddress): string | undefined =>
  isOfOwnAccount(settings) ? undefined : baseUrl(address)

export function plantedKey(
  settings: Settings,
  derive: Derive,
  { access_key_id = '', secret_access_key = '', username = '' }: IssuedValues = {},
): Pick<Identity, 'accessKeyId' | 'secretAccessKey' | 'userName' | 'region'> {
  const identity = identityOf(derive)
  if (!isOfOwnAccount(settings)) return identity
  const { region } = identity
  return { accessKeyId: access_key_id, secretAccessKey: secret_access_key, userName: username, region }
}
