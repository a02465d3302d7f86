// GEOSEARCH and its older kin: members within a circle or a box.
import { countChanges, findTyped, remove } from '../values/find.ts'
import { ErrorReply, syntaxError, toInteger, upper } from '../arguments.ts'
import type { Call, Command } from '../model/call.ts'
import { decodePlace, distanceBetween, type Place } from '../values/geohash.ts'
import { distanceReply, numberOf, placeReply, toPlace, toUnit } from '../values/places.ts'
import { array, bulk, integer } from '../../../protocol/resp.ts'
import { sorted } from './score-ranges.ts'
import { storeItems } from './sorted-set-ranges.ts'

type Shape =
  | { readonly name: 'circle'; readonly radius: number }
  | { readonly name: 'box'; readonly width: number; readonly height: number }

interface Search {
  centre: Place | undefined
  /** FROMMEMBER or FROMLONLAT was given, though the key may be missing. */
  from: string | undefined
  shape: Shape | undefined
  /** Metres. */
  unit: number
  readonly shows: Set<string>
  order: 'ASC' | 'DESC' | undefined
  count: number
  takesAny: boolean
  store: string | undefined
  storesDistance: boolean
}

type Kind = 'place' | 'member' | 'search' | 'store'
type Members = ReadonlyMap<string, number>

const newSearch = (): Search => ({
  centre: undefined,
  from: undefined,
  shape: undefined,
  unit: 1,
  shows: new Set(),
  order: undefined,
  count: 0,
  takesAny: false,
  store: undefined,
  storesDistance: false,
})

function memberPlace(members: Members, member: string): Place {
  const score = members.get(member)
  if (score === undefined) throw new ErrorReply('ERR could not decode requested zset member')
  return decodePlace(score)
}

function setCircle(search: Search, radiusText: string | undefined, unitText: string | undefined): void {
  const radius = numberOf(radiusText, 'radius')
  if (radius < 0) throw new ErrorReply('ERR radius cannot be negative')
  search.unit = toUnit(unitText)
  search.shape = { name: 'circle', radius: radius * search.unit }
}

function setBox(search: Search, [widthText, heightText, unitText]: readonly string[]): void {
  const [width, height] = [numberOf(widthText, 'width'), numberOf(heightText, 'height')]
  if (width < 0 || height < 0) throw new ErrorReply('ERR height or width cannot be negative')
  search.unit = toUnit(unitText)
  search.shape = { name: 'box', width: width * search.unit, height: height * search.unit }
}

/** Reads one option of GEOSEARCH alone, and answers how many words it took; 0: it is none. */
function readShape(search: Search, words: readonly string[], members: Members | undefined): number {
  const [name, ...rest] = words
  switch (upper(name)) {
    case 'FROMMEMBER':
      if (rest.length < 1 || search.from === 'place') return 0
      if (members) search.centre = memberPlace(members, rest[0]!)
      search.from = 'member'
      return 2
    case 'FROMLONLAT':
      if (rest.length < 2 || search.from === 'member') return 0
      search.centre = toPlace(rest[0], rest[1])
      search.from = 'place'
      return 3
    case 'BYRADIUS':
      if (rest.length < 2 || search.shape?.name === 'box') return 0
      setCircle(search, rest[0], rest[1])
      return 3
    case 'BYBOX':
      if (rest.length < 3 || search.shape?.name === 'circle') return 0
      setBox(search, rest)
      return 4
    default:
      return 0
  }
}

/** Reads one option, and answers how many words it took. */
function readOption(
  search: Search,
  words: readonly string[],
  kind: Kind,
  isReadOnly: boolean,
  members: Members | undefined,
): number {
  const [name, value] = [upper(words[0]), words[1]]
  const isSearch = kind === 'search' || kind === 'store'
  if (/^WITH(DIST|HASH|COORD)$/.test(name)) search.shows.add(name)
  else if (name === 'ANY') search.takesAny = true
  else if (name === 'ASC' || name === 'DESC') search.order = name
  else if (name === 'STOREDIST' && kind === 'store') search.storesDistance = true
  else if (name === 'COUNT' && value !== undefined) {
    search.count = toInteger(value)
    if (search.count <= 0) throw new ErrorReply('ERR COUNT must be > 0')
    return 2
  } else if (/^STORE(DIST)?$/.test(name) && value !== undefined && !isSearch && !isReadOnly) {
    search.store = value
    search.storesDistance = name === 'STOREDIST'
    return 2
  } else {
    const taken = isSearch ? readShape(search, words, members) : 0
    if (taken === 0) throw syntaxError()
    return taken
  }
  return 1
}

function readSearch(call: Call, kind: Kind, isReadOnly: boolean, members: Members | undefined): Search {
  const { args } = call
  const search = newSearch()
  if (kind === 'place') {
    search.centre = toPlace(args[2], args[3])
    setCircle(search, args[4], args[5])
  } else if (kind === 'member' && members) {
    search.centre = memberPlace(members, args[2]!)
    setCircle(search, args[3], args[4])
  } else if (kind === 'store') search.store = args[1]
  const first = { place: 6, member: 5, search: 2, store: 3 }[kind]
  for (let at = first; at < args.length;) at += readOption(search, args.slice(at), kind, isReadOnly, members)
  checkSearch(search, kind, args[0]!)
  return search
}

function checkSearch(search: Search, kind: Kind, name: string): void {
  if (search.store !== undefined && search.shows.size > 0) {
    const what = kind === 'store' ? 'GEOSEARCHSTORE' : 'STORE option in GEORADIUS'
    throw new ErrorReply(`ERR ${what} is not compatible with WITHDIST, WITHHASH and WITHCOORD options`)
  }
  if (kind === 'search' || kind === 'store') {
    if (!search.from)
      throw new ErrorReply(`ERR exactly one of FROMMEMBER or FROMLONLAT can be specified for ${name}`)
    if (!search.shape)
      throw new ErrorReply(`ERR exactly one of BYRADIUS and BYBOX can be specified for ${name}`)
  }
  if (search.takesAny && search.count === 0)
    throw new ErrorReply('ERR the ANY argument requires COUNT argument')
}

interface Found {
  readonly member: string
  readonly score: number
  readonly place: Place
  /** Metres. */
  readonly distance: number
}

function isInside(shape: Shape, centre: Place, place: Place, distance: number): boolean {
  if (shape.name === 'circle') return distance <= shape.radius
  const { longitude, latitude } = place
  const across = distanceBetween(place, { longitude: centre.longitude, latitude })
  const along = distanceBetween(place, { longitude, latitude: centre.latitude })
  return across <= shape.width / 2 && along <= shape.height / 2
}

function findInside(
  call: Call,
  members: Members,
  { centre, shape, count, takesAny, order }: Search,
): Found[] {
  if (!centre || !shape) return []
  const inside = sorted(call, members).flatMap(([member, score]): Found[] => {
    const place = decodePlace(score)
    const distance = distanceBetween(centre, place)
    return isInside(shape, centre, place, distance) ? [{ member, score, place, distance }] : []
  })
  const found = takesAny ? inside.slice(0, count) : inside
  const sign = order === 'DESC' ? -1 : order === 'ASC' || (count > 0 && !takesAny) ? 1 : 0
  if (sign !== 0) found.sort((a, b) => sign * (a.distance - b.distance))
  return count > 0 ? found.slice(0, count) : found
}

function foundReply(call: Call, { member, score, place, distance }: Found, { shows, unit }: Search): string {
  if (shows.size === 0) return bulk(member)
  return array([
    bulk(member),
    ...(shows.has('WITHDIST') ? [distanceReply(distance, unit)] : []),
    ...(shows.has('WITHHASH') ? [integer(score)] : []),
    ...(shows.has('WITHCOORD') ? [placeReply(place, call.client.resp)] : []),
  ])
}

const searching =
  (kind: Kind, isReadOnly = false): Command =>
  (call) => {
    const key = call.args[kind === 'store' ? 2 : 1]!
    const members = findTyped(call, key, 'zset')?.value
    const search = readSearch(call, kind, isReadOnly, members)
    if (!members && search.store !== undefined) {
      countChanges(call, remove(call, search.store) ? 1 : 0)
      return integer(0)
    }
    countChanges(call, 0)
    const found = members ? findInside(call, members, search) : []
    if (search.store === undefined) return array(found.map((each) => foundReply(call, each, search)))
    return storeItems(
      call,
      search.store,
      found.map(({ member, score, distance }) => [
        member,
        search.storesDistance ? distance / search.unit : score,
      ]),
      found.length,
    )
  }

export const geoSearches: Record<string, Command> = {
  geosearch: searching('search'),
  geosearchstore: searching('store'),
  georadius: searching('place'),
  georadius_ro: searching('place', true),
  georadiusbymember: searching('member'),
  georadiusbymember_ro: searching('member', true),
}
