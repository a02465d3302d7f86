// The priority of a process towards others of its machine, as `nice` counts it: the more, the later it gets the processor.
import { constants, getPriority, setPriority } from 'node:os'

/** Gives way to the process that started this one. Counted from its priority: a process without rights cannot raise its own. */
export const lowerPriority = (by: number): void =>
  setPriority(Math.min(constants.priority.PRIORITY_LOW, getPriority() + by))
