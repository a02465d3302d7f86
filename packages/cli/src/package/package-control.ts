// The control fields that both packages have.
import { Fault } from '@rookery/kernel/fault.ts'

const ARCHITECTURES: Readonly<Partial<Record<NodeJS.Architecture, string>>> = { x64: 'amd64', arm64: 'arm64' }

export function architecture(): string {
  const found = ARCHITECTURES[process.arch]
  if (process.platform === 'linux' && found !== undefined) return found
  throw new Fault(
    'bad-input',
    `Packages are built on Linux on x64 or arm64, since Node comes from the clone; this is ${process.platform} on ${process.arch}.`,
  )
}

export const controlOf = (name: string, version: string, description: readonly string[]) => ({
  Package: name,
  Version: version,
  Architecture: architecture(),
  Maintainer: 'Rookery <rookery@localhost>',
  Section: 'net',
  Priority: 'optional',
  // What Node is linked with, and where useradd comes from.
  Depends: 'libc6 (>= 2.28), libstdc++6 (>= 9), passwd, init-system-helpers',
  Description: description.join('\n '),
})
