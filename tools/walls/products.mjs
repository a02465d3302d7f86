// What a Bird ships, and its products: none needs the lab, a protocol knows no product, and a product no other.
import { posix } from 'node:path'

const PRODUCT = /^packages\/decoys\/src\/services\/([^/]+)\/products\/([^/]+)\//
const PROTOCOL = /^packages\/decoys\/src\/services\/([^/]+)\/protocol\//

/**
 * What is wrong with importing a module; undefined for nothing.
 * @param {string} path
 * @param {string} from the module as it is named
 */
export function checkProduct(path, from) {
  if (!/^packages\/[^/]+\/src\//.test(path)) return undefined
  const target = from.startsWith('.') ? posix.join(posix.dirname(path), from) : from
  const [, rig] = /^(?:packages|@rookery)\/[^/]+\/(lab|test)\//.exec(target) ?? []
  if (rig) return `is shipped and imports ${target}; move what both need out of ${rig}/`
  const [, service, product] = PRODUCT.exec(target) ?? []
  if (service === undefined) return undefined
  const [, , own] = PRODUCT.exec(path) ?? []
  if (own !== undefined && own !== product)
    return `product ${own} imports product ${product}; move what both need into protocol/`
  return PROTOCOL.test(path)
    ? `protocol/ imports product ${product}; let the service hand it what a product answers otherwise`
    : undefined
}
