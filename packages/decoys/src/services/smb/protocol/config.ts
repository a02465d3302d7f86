// What all connections of a listener share: the machine, and the content of the files that were read last.
import { boundedMap } from '@rookery/kernel/bounded-map.ts'
import { limit } from '@rookery/kernel/limit.ts'
import type { SessionContext } from '../../../session/session.ts'
import { fileContent, type FileContent } from './tree/content/content.ts'
import type { FileNode } from './tree/tree.ts'
import { uploadedFiles } from './tree/uploaded.ts'

/** What was read longest ago is made anew when it is read again. A document of an office takes up to some ten kilobytes. */
const CONTENTS = limit('smb_decoy_file_contents', 64)

type Derive = SessionContext['derive']

/** `make` makes the machine, once for each Bird. `share`: the folder of uploaded files. */
export function sharedBy<Machine>(make: (derive: Derive) => Machine, share: string | undefined) {
  const findUploaded = uploadedFiles(share)
  const machines = new WeakMap<object, Machine>()
  const contents = boundedMap<bigint, FileContent>(CONTENTS)
  return {
    machine(derive: Derive): Machine {
      const known = machines.get(derive)
      if (known) return known
      const machine = make(derive)
      machines.set(derive, machine)
      return machine
    },
    contentOf(file: FileNode, derive: Derive): FileContent {
      const content = contents.get(file.id) ?? findUploaded(file) ?? fileContent(file, derive)
      contents.set(file.id, content)
      return content
    },
  }
}
