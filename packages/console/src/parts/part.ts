// The service can be served in parts, by one process or by several.

/** The parts that `rookery serve --parts` may name. */
export const PARTS = ['api', 'tokens', 'link'] as const
export type Part = (typeof PARTS)[number]

/** Closes what was opened, in the reverse order; a second call finds nothing left. */
export interface Closers {
  add(close: () => unknown): void
  closeAll(): Promise<void>
}

export function openClosers(): Closers {
  const closers: (() => unknown)[] = []
  return {
    add: (close) => void closers.push(close),
    async closeAll() {
      for (const close of closers.splice(0).reverse()) await close()
    },
  }
}
