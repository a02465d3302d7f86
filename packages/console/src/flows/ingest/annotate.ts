// Is it a known scanner that touched a token? Data of the token kinds, compiled once.
import { annotations } from '@rookery/tokens/annotations.ts'
import { openAddressSet, readAddress, readRange, type AddressSet } from '../../net/address-set.ts'

const byKind = new Map<string, { readonly name: string; readonly networks: AddressSet }[]>()
for (const { name, kinds, networks } of annotations) {
  const set = openAddressSet()
  for (const network of networks) {
    const range = readRange(network)
    if (range === undefined) throw new Error(`${network} of the annotation ${name} is no network`)
    set.add(range)
  }
  for (const kind of kinds) byKind.set(kind, [...(byKind.get(kind) ?? []), { name, networks: set }])
}

/** The names of the annotations that fit a touch of such a token from there; undefined, as nearly always, for none. */
export function annotate(kind: string, srcHost: string): readonly string[] | undefined {
  const known = byKind.get(kind)
  const address = known && readAddress(srcHost)
  if (address === undefined) return undefined
  const names = known?.filter(({ networks }) => networks.has(address)).map(({ name }) => name) ?? []
  return names.length > 0 ? names : undefined
}
