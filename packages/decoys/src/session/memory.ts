// What the sessions of a listener share, where it outlives other settings and another port: keys of a database, registers.

/** Of one listener. */
export interface Memory {
  /** Goes on with what the listener before it remembers, if that is of the same kind. */
  takeOver(before: Memory): void
}

/** Makes memories of one kind; `make` answers what the first listener begins with. */
export function memoriesOf<Value>(make: () => Value): () => Memory & { readonly value: Value } {
  const values = new WeakMap<Memory, { readonly value: Value }>()
  return () => {
    const memory = {
      get value(): Value {
        const known = values.get(memory) ?? { value: make() }
        values.set(memory, known)
        return known.value
      },
      takeOver(before: Memory): void {
        const known = values.get(before)
        if (known) values.set(memory, known)
      },
    }
    return memory
  }
}
