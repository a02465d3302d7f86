// Places, distances and units as arguments and replies of the geo commands.
import { ErrorReply, toFloat, upper } from '../arguments.ts'
import { LATITUDES, type Place } from './geohash.ts'
import { array, bulk, double, type Protocol } from '../../../protocol/resp.ts'

const METRES: Readonly<Record<string, number>> = { M: 1, KM: 1000, FT: 0.3048, MI: 1609.34 }

/** Metres of the unit. */
export function toUnit(text: string | undefined): number {
  const metres = METRES[upper(text)]
  if (metres === undefined) throw new ErrorReply('ERR unsupported unit provided. please use M, KM, FT, MI')
  return metres
}

export function toPlace(longitudeText: string | undefined, latitudeText: string | undefined): Place {
  const [longitude, latitude] = [toFloat(longitudeText), toFloat(latitudeText)]
  const isKnown = Math.abs(longitude) <= 180 && latitude >= LATITUDES[0] && latitude <= LATITUDES[1]
  if (!isKnown)
    throw new ErrorReply(`ERR invalid longitude,latitude pair ${fixed(longitude)},${fixed(latitude)}`)
  return { longitude, latitude }
}

/** As C's `%f`. */
function fixed(value: number): string {
  if (!Number.isFinite(value)) return value > 0 ? 'inf' : '-inf'
  if (Object.is(value, -0)) return '-0.000000'
  return Math.abs(value) < 1e21 ? value.toFixed(6) : `${BigInt(value)}.000000`
}

export function numberOf(text: string | undefined, name: string): number {
  try {
    return toFloat(text)
  } catch {
    throw new ErrorReply(`ERR need numeric ${name}`)
  }
}

export const placeReply = ({ longitude, latitude }: Place, resp: Protocol): string =>
  array([longitude, latitude].map((degrees) => double(degrees.toFixed(17).replace(/\.?0+$/, ''), resp)))

export const distanceReply = (metres: number, unit: number): string => bulk((metres / unit).toFixed(4))
