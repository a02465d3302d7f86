// Choices that look random and are the same for each download of a token's file.

export interface Draws {
  /** An integer from `min` to `max`, both included; together they span at most 2^32. */
  integer(min: number, max: number): number
  pick<T>(choices: readonly [T, ...T[]]): T
  /** As many different ones, in an order of their own. */
  pickSome<T>(choices: readonly T[], count: number): T[]
  /** A text of these characters. */
  text(characters: string, length: number): string
}

const BYTES = 4_096

/** Draws by a label; asks `derive` for another block when one is used up. */
export function openDraws(derive: (label: string, length: number) => Buffer, label: string): Draws {
  let block: Buffer = Buffer.alloc(0)
  let blocks = 0
  const word = (): number => {
    if (block.length < 4) block = derive(`${label} ${blocks++}`, BYTES)
    const value = block.readUInt32LE()
    block = block.subarray(4)
    return value
  }
  const integer = (min: number, max: number): number => min + (word() % (max - min + 1))
  return {
    integer,
    pick: ([first, ...rest]) => [first, ...rest][integer(0, rest.length)] ?? first,
    pickSome(choices, count) {
      const left = [...choices]
      return Array.from({ length: Math.min(count, left.length) }, () =>
        left.splice(integer(0, left.length - 1), 1),
      ).flat()
    },
    text: (characters, length) =>
      Array.from({ length }, () => characters[integer(0, characters.length - 1)]).join(''),
  }
}
