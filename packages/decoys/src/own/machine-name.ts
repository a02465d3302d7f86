// The host name of the machine that a Bird claims to be; each Bird has another.

/** A kind of device, and six digits as of its hardware address: `nas-3f2a1c`. */
export const machineName = (kind: string, derive: (label: string, length: number) => Buffer): string =>
  `${kind}-${derive('machine/name', 3).toString('hex')}`
