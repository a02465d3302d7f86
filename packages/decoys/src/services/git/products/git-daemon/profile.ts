// git daemon 2.39.5 on a folder without repositories: `git daemon --base-path=<folder> <folder>`.
import type { Crowd } from '../../../../session/crowd.ts'

/** Each may be asked for: what is off by default, a repository could switch on. */
export const SERVICES = ['upload-archive', 'upload-pack', 'receive-pack'] as const

/** Without `--informative-errors`. */
export const REFUSAL = 'ERR access denied or repository not exported: '

/** `--max-connections` as it is at first. */
const MAX_CONNECTIONS = 32

/** It closes without a word. */
export const crowd: Crowd = {
  refusal: ({ open }) => (open < MAX_CONNECTIONS ? undefined : ''),
  full: '',
}
