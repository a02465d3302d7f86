import { openssh100 } from './openssh-10.0p1.ts'
import { openssh84 } from './openssh-8.4p1.ts'
import { openssh89 } from './openssh-8.9p1.ts'
import { openssh92 } from './openssh-9.2p1.ts'
import { openssh96 } from './openssh-9.6p1.ts'
import type { SshVersion } from '../../../protocol/version.ts'

/** The newest first. */
export const versions: readonly SshVersion[] = [openssh100, openssh96, openssh92, openssh89, openssh84]

/** That of Debian 12, as the other decoys claim. */
export const defaultVersion = openssh92
