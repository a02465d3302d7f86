// The entry of an asset inventory for a machine (4.15).
import Type, { type Static } from 'typebox'

const texts = Type.Array(Type.String())

/** A text that the inventory does not have is empty; a list, too. */
export const Asset = Type.Object({
  addresses: texts,
  names: texts,
  hw: texts,
  os: Type.String(),
})

export type Asset = Static<typeof Asset>
