import { expect, it } from 'vitest'
import { systemRandom } from '../world/system.ts'
import { openVault } from './vault.ts'
import { wireguardKey } from './wireguard-key.ts'

it('the key of the WireGuard server stays the same under another master key: configurations name it', () => {
  const first = openVault(systemRandom.bytes(32), systemRandom)
  const second = openVault(systemRandom.bytes(32), systemRandom, first.retire(0))
  const third = openVault(systemRandom.bytes(32), systemRandom, second.retire(0))
  expect(wireguardKey(third)).toEqual(wireguardKey(first))
  expect(wireguardKey(openVault(systemRandom.bytes(32), systemRandom))).not.toEqual(wireguardKey(first))
})
