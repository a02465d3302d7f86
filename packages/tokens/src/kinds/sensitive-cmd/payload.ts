// What stands in front of the token's host name: `c<computer>.UN.u<user>.CMD.<id>`, with an id that each run draws anew.
// Of several processes the id ends in `-<number>`, the place of the process in the list.

export interface Payload {
  readonly computer: string
  readonly user: string
  readonly invocationId: string
  /** From 0. */
  readonly processIndex: number
}

/** Undefined while the name is not whole: a resolver with QNAME minimisation asks for the shorter names first. */
export function payloadOf(labels: readonly string[]): Payload | undefined {
  const [computer = '', un, user = '', cmd, id = '', ...more] = labels
  const [, invocationId, index = '0'] = /^([a-z0-9]{8})(?:-(\d{1,2}))?$/.exec(id) ?? []
  const isWhole = un === 'un' && cmd === 'cmd' && /^c/.test(computer) && /^u/.test(user)
  if (!isWhole || invocationId === undefined || more.length > 0) return undefined
  return {
    computer: computer.slice(1),
    user: user.slice(1),
    invocationId,
    processIndex: Number(index),
  }
}
