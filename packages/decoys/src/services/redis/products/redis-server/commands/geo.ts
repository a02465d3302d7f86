// Geo commands: sorted sets whose scores are places.
import { findTyped } from '../values/find.ts'
import { syntaxError, upper } from '../arguments.ts'
import type { Call, Command } from '../model/call.ts'
import { decodePlace, distanceBetween, encodePlace, geohash } from '../values/geohash.ts'
import { distanceReply, placeReply, toPlace, toUnit } from '../values/places.ts'
import { array, bulk, nil, nilArray } from '../../../protocol/resp.ts'
import { geoSearches } from './geo-search.ts'
import { sortedSets } from './sorted-sets.ts'

const add: Command = (call) => {
  const { args } = call
  let at = 2
  while (/^(NX|XX|CH)$/.test(upper(args[at]))) at += 1
  const options = args.slice(2, at)
  const places = args.slice(at)
  const has = (name: string): boolean => options.some((word) => upper(word) === name)
  if (places.length % 3 || (has('NX') && has('XX'))) throw syntaxError()
  const pairs: string[] = []
  for (let i = 0; i < places.length; i += 3)
    pairs.push(String(encodePlace(toPlace(places[i], places[i + 1]))), places[i + 2]!)
  return sortedSets['zadd']!({ ...call, args: ['zadd', args[1]!, ...options, ...pairs] })
}

const membersOf = (call: Call): ReadonlyMap<string, number> | undefined =>
  findTyped(call, call.args[1]!, 'zset')?.value

const distance: Command = (call) => {
  const [, , from = '', to = '', unitText, ...more] = call.args
  if (more.length > 0) throw syntaxError()
  const unit = unitText === undefined ? 1 : toUnit(unitText)
  const members = membersOf(call)
  const [a, b] = [members?.get(from), members?.get(to)]
  if (a === undefined || b === undefined) return nil(call.client.resp)
  return distanceReply(distanceBetween(decodePlace(a), decodePlace(b)), unit)
}

export const geo: Record<string, Command> = {
  ...geoSearches,
  geoadd: add,
  geodist: distance,
  geopos: (call) => {
    const { resp } = call.client
    const members = membersOf(call)
    return array(
      call.args.slice(2).map((member) => {
        const score = members?.get(member)
        return score === undefined ? nilArray(resp) : placeReply(decodePlace(score), resp)
      }),
    )
  },
  geohash: (call) => {
    const members = membersOf(call)
    return array(
      call.args.slice(2).map((member) => {
        const score = members?.get(member)
        return score === undefined ? nil(call.client.resp) : bulk(geohash(score))
      }),
    )
  },
}
