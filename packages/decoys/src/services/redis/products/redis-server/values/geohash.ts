// Places as scores of sorted sets: 52 bits, in which the bits of latitude and longitude alternate.

export interface Place {
  readonly longitude: number
  readonly latitude: number
}

type Range = readonly [least: number, most: number]

const STEPS = 26
const LONGITUDES: Range = [-180, 180]
/** Of the web's Mercator projection (EPSG:3857). */
export const LATITUDES: Range = [-85.05112878, 85.05112878]
const EARTH_RADIUS_METRES = 6_372_797.560856
const ALPHABET = '0123456789bcdefghjkmnpqrstuvwxyz'

const offsetIn = ([least, most]: Range, value: number): number =>
  Math.min(2 ** STEPS - 1, Math.floor(((value - least) / (most - least)) * 2 ** STEPS))

const centreOf = ([least, most]: Range, offset: number): number => {
  const edge = (n: number): number => least + (n / 2 ** STEPS) * (most - least)
  return Math.max(least, Math.min(most, (edge(offset) + edge(offset + 1)) / 2))
}

/** Latitude takes the even bits, longitude the odd ones. */
function interleave(even: number, odd: number): number {
  let bits = 0
  for (let i = STEPS - 1; i >= 0; i -= 1) bits = bits * 4 + ((odd >> i) & 1) * 2 + ((even >> i) & 1)
  return bits
}

export const encodePlace = ({ longitude, latitude }: Place, latitudes = LATITUDES): number =>
  interleave(offsetIn(latitudes, latitude), offsetIn(LONGITUDES, longitude))

export function decodePlace(score: number): Place {
  let [even, odd] = [0, 0]
  let rest = score
  for (let i = 0; i < STEPS; i += 1) {
    const pair = rest % 4
    rest = Math.floor(rest / 4)
    even += (pair & 1) * 2 ** i
    odd += (pair >> 1) * 2 ** i
  }
  return { longitude: centreOf(LONGITUDES, odd), latitude: centreOf(LATITUDES, even) }
}

/** The 11 letters of geohash.org; the last one holds no bits. */
export function geohash(score: number): string {
  const bits = encodePlace(decodePlace(score), [-90, 90])
  const letters = Array.from(
    { length: 10 },
    (_, i) => ALPHABET[Math.floor(bits / 2 ** (52 - (i + 1) * 5)) % 32]!,
  )
  return `${letters.join('')}0`
}

const radians = (degrees: number): number => degrees * (Math.PI / 180)

/** Haversine, in metres. */
export function distanceBetween(a: Place, b: Place): number {
  const u = Math.sin((radians(b.latitude) - radians(a.latitude)) / 2)
  const v = Math.sin((radians(b.longitude) - radians(a.longitude)) / 2)
  const cosines = Math.cos(radians(a.latitude)) * Math.cos(radians(b.latitude))
  return 2 * EARTH_RADIUS_METRES * Math.asin(Math.sqrt(u * u + cosines * v * v))
}
