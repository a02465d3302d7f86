// Choices that always fall alike for one Bird and one label.

export type Derive = (label: string, length: number) => Buffer

export interface Draw {
  /** A whole number from `least` to `most`. */
  readonly between: (least: number, most: number) => number
  readonly pick: <T>(choices: readonly T[]) => T
}

const BYTES_A_NUMBER = 4
const BATCH = 64

/** Choices in order; another label draws others. */
export function draw(derive: Derive, label: string): Draw {
  let bytes: Buffer = Buffer.alloc(0)
  let batches = 0
  const next = (): number => {
    if (bytes.length < BYTES_A_NUMBER) bytes = derive(`${label}/${(batches += 1)}`, BATCH)
    const number = bytes.readUInt32LE()
    bytes = bytes.subarray(BYTES_A_NUMBER)
    return number
  }
  const between = (least: number, most: number): number => least + (next() % (most - least + 1))
  return { between, pick: (choices) => choices[between(0, choices.length - 1)]! }
}
