// The first objects that every agent has.
import { name, scalar, text, ticksSince, whole, type ObjectType } from './tree.ts'

const SYSTEM = '1.3.6.1.2.1.1'

export interface SystemGroup {
  readonly description: string
  readonly product: string
  readonly startedAt: number
  readonly contact: string
  readonly hostName: string
  readonly location: string
  readonly services: number
}

/** The first seven objects of MIB-II's group (RFC 3418). */
export const systemGroup = (it: SystemGroup): readonly ObjectType[] => [
  scalar(`${SYSTEM}.1`, text(it.description)),
  scalar(`${SYSTEM}.2`, name(it.product)),
  scalar(`${SYSTEM}.3`, ticksSince(it.startedAt)),
  scalar(`${SYSTEM}.4`, text(it.contact)),
  scalar(`${SYSTEM}.5`, text(it.hostName)),
  scalar(`${SYSTEM}.6`, text(it.location)),
  scalar(`${SYSTEM}.7`, whole(it.services)),
]
