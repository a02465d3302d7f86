// How Redis spreads a list over listpacks: `list-max-listpack-size` bounds the bytes of each (-1 to -5), or its elements.
import { elementSize, EMPTY_LISTPACK_BYTES } from './listpack.ts'

const NODE_BYTES = [4096, 8192, 16_384, 32_768, 65_536]
/** Where only elements are counted. */
const SAFE_BYTES = 8192
/** What Redis expects an element to take besides its text. */
const ELEMENT_OVERHEAD = 8

/** The nodes of a list to which all elements were appended. */
export function listNodes(elements: readonly string[], limit: number): string[][] {
  const nodes: string[][] = []
  let bytes = 0
  for (const element of elements) {
    const node = nodes.at(-1)
    const wanted = bytes + element.length + ELEMENT_OVERHEAD
    const hasRoom =
      limit < 0
        ? wanted <= NODE_BYTES[Math.min(NODE_BYTES.length, -limit) - 1]!
        : wanted <= SAFE_BYTES && node !== undefined && node.length < limit
    if (node && hasRoom) node.push(element)
    else {
      nodes.push([element])
      bytes = EMPTY_LISTPACK_BYTES
    }
    bytes += elementSize(element)
  }
  return nodes
}
