// What all connections of a listener share: the machine, and the content of the files that were read last.
import type { BirdSettings, SessionContext } from '../../session.ts'
import { machineOf } from './machine.ts'
import type { SmbConfig } from './state.ts'
import { fileContent, type FileContent } from './tree/content/content.ts'
import type { FileNode } from './tree/tree.ts'

/** A document of an office takes up to some ten kilobytes. */
const MOST_CONTENTS = 64

type Derive = SessionContext['derive']

/** `make` makes the machine, once for each Bird. */
export function sharedBy<Machine>(make: (derive: Derive) => Machine) {
  const machines = new WeakMap<object, Machine>()
  const contents = new Map<bigint, FileContent>()
  return {
    machine(derive: Derive): Machine {
      const known = machines.get(derive)
      if (known) return known
      const machine = make(derive)
      machines.set(derive, machine)
      return machine
    },
    contentOf(file: FileNode, derive: Derive): FileContent {
      const known = contents.get(file.id)
      contents.delete(file.id)
      const content = known ?? fileContent(file, derive)
      contents.set(file.id, content)
      if (contents.size > MOST_CONTENTS) contents.delete(contents.keys().next().value ?? 0n)
      return content
    },
  }
}

export const smbConfig = (settings: BirdSettings): SmbConfig =>
  sharedBy((derive) => machineOf(settings, derive))
