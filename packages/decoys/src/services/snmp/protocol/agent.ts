// What an agent answers to the requests of v1 and v2c (RFC 1157, 3416), of objects that nobody may change.
import type { Oid } from './ber.ts'
import { nothing, TAG } from './ber.ts'
import { encodeBinding, NULL, PDU, type VarBind, type Pdu } from './message.ts'
import type { Instance, Tree } from './tree.ts'

const ERROR = { tooBig: 1, noSuchName: 2, badValue: 3, noAccess: 6, wrongType: 7 } as const

export interface Agent {
  readonly tree: Tree
  readonly now: number
  /** v1 has errors where v2c has exceptions. */
  readonly isFirst: boolean
  /** Bytes that the bindings of an answer have at most. */
  readonly mostBytes: number
}

/** Undefined: nothing is answered to it. */
export function answerTo(pdu: Pdu, agent: Agent): Pdu | undefined {
  switch (pdu.tag) {
    case PDU.get:
      return whole(
        pdu,
        agent,
        pdu.bindings.map(({ oid }) => got(oid, agent)),
      )
    case PDU.getNext:
      return whole(
        pdu,
        agent,
        pdu.bindings.map(({ oid }) => nextOf(oid, agent)),
      )
    case PDU.getBulk:
      return bulk(pdu, agent)
    case PDU.set:
      return refusedSet(pdu, agent)
    default:
      return undefined
  }
}

const response = (pdu: Pdu, bindings: readonly VarBind[], status = 0, index = 0): Pdu => ({
  tag: PDU.response,
  requestId: pdu.requestId,
  status,
  index,
  bindings,
})

const valueOf = ({ oid, value }: Instance, { now }: Agent): VarBind => ({ oid, value: value(now) })

function got(oid: Oid, agent: Agent): VarBind {
  const found = agent.tree.get(oid)
  if (found) return valueOf(found, agent)
  return { oid, value: nothing(agent.tree.isBelowObject(oid) ? TAG.noSuchInstance : TAG.noSuchObject) }
}

function nextOf(oid: Oid, agent: Agent): VarBind {
  const found = agent.tree.next(oid)
  return found ? valueOf(found, agent) : { oid, value: nothing(TAG.endOfMibView) }
}

const isException = ({ value }: VarBind): boolean => value[0]! >= TAG.noSuchObject
const isEnd = ({ value }: VarBind): boolean => value[0] === TAG.endOfMibView
const bytesOf = (bindings: readonly VarBind[]): number =>
  bindings.reduce((sum, binding) => sum + encodeBinding(binding).length, 0)

/** In v1 the last exception is an error. */
function whole(pdu: Pdu, { isFirst, mostBytes }: Agent, bindings: readonly VarBind[]): Pdu {
  const missing = isFirst ? bindings.findLastIndex(isException) : -1
  if (missing >= 0) return response(pdu, pdu.bindings, ERROR.noSuchName, missing + 1)
  if (bytesOf(bindings) > mostBytes) return response(pdu, isFirst ? pdu.bindings : [], ERROR.tooBig)
  return response(pdu, bindings)
}

/** As many repetitions as fit, up to the one in which all but the last column are at the end. */
function bulk(pdu: Pdu, agent: Agent): Pdu {
  const once = Math.min(Math.max(pdu.status, 0), pdu.bindings.length)
  const found = pdu.bindings.slice(0, once).map(({ oid }) => nextOf(oid, agent))
  let columns = pdu.bindings.slice(once)
  let left = agent.mostBytes - bytesOf(found)
  for (let round = 0; round < pdu.index && columns.length > 0; round += 1) {
    columns = columns.map((column, at) =>
      isEnd(column) ? column : further(column, pdu.bindings[at]!, round, agent),
    )
    left -= bytesOf(columns)
    if (left < 0) break
    found.push(...columns)
    if (columns.slice(0, Math.max(1, columns.length - 1)).every(isEnd)) break
  }
  return whole(pdu, agent, found)
}

/** Net-SNMP tells a column that has nothing by the name at its place in the question, those before the columns counted. */
function further({ oid }: VarBind, atPlace: VarBind, round: number, agent: Agent): VarBind {
  const found = nextOf(oid, agent)
  return round === 0 && isEnd(found) ? { ...found, oid: atPlace.oid } : found
}

/** A value that is none comes first, before what may be changed. */
function refusedSet(pdu: Pdu, { isFirst }: Agent): Pdu {
  const { bindings } = pdu
  if (bindings.length === 0) return response(pdu, bindings)
  const empty = bindings.findIndex(({ value }) => value.equals(NULL))
  if (empty >= 0) return response(pdu, bindings, isFirst ? ERROR.badValue : ERROR.wrongType, empty + 1)
  return response(pdu, bindings, isFirst ? ERROR.noSuchName : ERROR.noAccess, 1)
}
