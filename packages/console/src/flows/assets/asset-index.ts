// Assets by their addresses and hardware addresses.
import type { Asset } from '@rookery/contract/records/asset.ts'
import { macOf, normalAddress } from './asset.ts'

export interface AssetIndex {
  /** The number of this index; one of other content has another. 0: it is empty. */
  readonly edition: number
  /** How many assets it has. */
  readonly size: number
  /** The machine with this address. */
  at(address: string): Asset | undefined
  /** The machine that a Bird is, by its hardware address or one of its addresses. */
  ofBird(bird: BirdAddresses): Asset | undefined
}

export interface BirdAddresses {
  readonly ip_address: string
  readonly mac_address: string
}

/** Of two assets with the same address the first counts. */
export function buildAssetIndex(assets: readonly Asset[], edition: number): AssetIndex {
  const byAddress = new Map<string, Asset>()
  const byMac = new Map<string, Asset>()
  const put = (map: Map<string, Asset>, key: string | undefined, asset: Asset): void => {
    if (key !== undefined && !map.has(key)) map.set(key, asset)
  }
  for (const asset of assets) {
    for (const address of asset.addresses) put(byAddress, address, asset)
    for (const hw of asset.hw) put(byMac, macOf(hw), asset)
  }
  return {
    edition,
    size: assets.length,
    at: (address) => (assets.length === 0 ? undefined : byAddress.get(normalAddress(address))),
    ofBird({ ip_address, mac_address }) {
      // Without an inventory, lists of very many Birds need not look anything up.
      if (assets.length === 0) return undefined
      const byHardware = byMac.get(macOf(mac_address) ?? '')
      if (byHardware) return byHardware
      return byAddress.get(normalAddress(ip_address))
    },
  }
}

export const emptyAssetIndex = buildAssetIndex([], 0)
