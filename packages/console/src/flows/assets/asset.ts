// Reads the export of an asset inventory; pure.
import { isIP } from 'node:net'
import type { Asset } from '@rookery/contract/records/asset.ts'
import { Fault } from '@rookery/kernel/fault.ts'
import { limit } from '@rookery/kernel/limit.ts'
import { canonicalRange } from '../../addresses/ranges.ts'

/** Assets that are read of an inventory. */
export const ASSETS = limit('inventory_assets', 100_000)
/** Of one machine; the rest is left out. */
const MAX_ITEMS = 64
const MAX_CHARACTERS = 255

/**
 * Reads an export: a JSON array of objects with `addresses`, `names`, `hw` and `os`, each a text or a list of texts, each
 * of which may be absent. Throws `bad-input` for anything else, with what was wrong.
 */
export function readInventory(text: string): Asset[] {
  let rows: unknown
  try {
    rows = JSON.parse(text)
  } catch {
    throw wrong('it is not JSON')
  }
  if (!Array.isArray(rows)) throw wrong('it is not a JSON array')
  if (rows.length > ASSETS.max) {
    ASSETS.hit()
    throw wrong(`it has more than ${ASSETS.max} assets`)
  }
  return rows.map((row: unknown, at) => {
    if (typeof row !== 'object' || row === null || Array.isArray(row))
      throw wrong(`its element ${at} is not an object`)
    const { addresses, names, hw, os } = row as Record<string, unknown>
    return {
      addresses: texts(addresses).map(normalAddress),
      names: texts(names),
      hw: texts(hw),
      os: texts(os).join(', ').slice(0, MAX_CHARACTERS),
    }
  })
}

const wrong = (what: string): Fault =>
  new Fault('bad-input', `The export of the inventory cannot be read: ${what}.`)

const texts = (value: unknown): string[] =>
  (Array.isArray(value) ? (value as unknown[]) : [value])
    .filter((item) => typeof item === 'string' || typeof item === 'number')
    .map((item) => String(item).trim().slice(0, MAX_CHARACTERS))
    .filter(Boolean)
    .slice(0, MAX_ITEMS)

/** The canonical spelling of an address; other text stays as it is. */
export const normalAddress = (text: string): string =>
  isIP(text) === 0 ? text : (canonicalRange(text) ?? text)

const MAC = /^(?:[0-9a-f]{2}[:-]?){5}[0-9a-f]{2}$/i

/** The canonical spelling of a hardware address; undefined for other text. */
export const macOf = (text: string): string | undefined =>
  MAC.test(text) ? text.replace(/[:-]/g, '').toLowerCase() : undefined
