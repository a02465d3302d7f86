// What all connections of a listener share: the machine, and the content of the files that were read last.
import type { BirdSettings } from '../../session.ts'
import { machineOf, type Machine } from './machine.ts'
import type { SmbConfig } from './state.ts'
import { fileContent, type FileContent } from './tree/content/content.ts'

/** A document of an office takes up to some ten kilobytes. */
const MOST_CONTENTS = 64

export function smbConfig(settings: BirdSettings): SmbConfig {
  const machines = new WeakMap<object, Machine>()
  const contents = new Map<bigint, FileContent>()
  return {
    machine(derive) {
      const known = machines.get(derive)
      if (known) return known
      const machine = machineOf(settings, derive)
      machines.set(derive, machine)
      return machine
    },
    contentOf(file, derive) {
      const known = contents.get(file.id)
      contents.delete(file.id)
      const content = known ?? fileContent(file, derive)
      contents.set(file.id, content)
      if (contents.size > MOST_CONTENTS) contents.delete(contents.keys().next().value ?? 0n)
      return content
    },
  }
}
