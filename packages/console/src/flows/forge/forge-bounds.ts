// What the forge process and the thread that watches it share.

export interface ForgeBounds {
  readonly maxBytes: number
  /** One number: at how many microseconds of processor time the process is ended. */
  readonly workEndsAt: Float64Array
}

export const newWorkEnd = (): Float64Array =>
  new Float64Array(new SharedArrayBuffer(Float64Array.BYTES_PER_ELEMENT)).fill(Infinity)

/** Processor time of the whole process, the system's part included. */
export function usedMicroseconds(): number {
  const { user, system } = process.cpuUsage()
  return user + system
}
