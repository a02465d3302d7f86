// Known scanners that touch tokens, by their networks: read once from the token kinds' data.
import { annotations } from '@rookery/tokens/annotations.ts'
import { openAddressSet, readAddress, readRange, type AddressSet } from '../../../addresses/address-set.ts'

const byKind = new Map<string, { readonly name: string; readonly networks: AddressSet }[]>()
for (const { name, kinds, networks } of annotations) {
  const set = openAddressSet()
  for (const network of networks) {
    const range = readRange(network)
    if (range === undefined)
      throw new Error(`The annotation ${name} names ${network}; it must be an IP address or a CIDR range.`)
    set.add(range)
  }
  for (const kind of kinds) byKind.set(kind, [...(byKind.get(kind) ?? []), { name, networks: set }])
}

/** Names of the annotations that fit a touch of this kind from this source; undefined for none. */
export function annotate(kind: string, srcHost: string): readonly string[] | undefined {
  const known = byKind.get(kind)
  const address = known && readAddress(srcHost)
  if (address === undefined) return undefined
  const names = known?.filter(({ networks }) => networks.has(address)).map(({ name }) => name) ?? []
  return names.length > 0 ? names : undefined
}
