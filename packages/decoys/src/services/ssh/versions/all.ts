import { openssh84 } from './openssh-8.4p1.ts'
import { openssh89 } from './openssh-8.9p1.ts'
import { openssh92 } from './openssh-9.2p1.ts'
import type { SshVersion } from './version.ts'

/** The newest first; the first is the default. */
export const versions: readonly SshVersion[] = [openssh92, openssh89, openssh84]
