// The aws that is installed, and whether it needs nothing but the file of a planted key.
import { run } from './command.ts'

/** The first version of each line that reads `endpoint_url` from a profile. */
const READS_ENDPOINT = { 1: 29, 2: 13 } as const

export interface Aws {
  readonly version: string
  readonly readsEndpoint: boolean
}

/** Nothing when there is none. */
export async function installedAws(): Promise<Aws | undefined> {
  const { stdout } = await run('aws', ['--version']).catch(() => ({ stdout: '' }))
  const [, version, major = '0', minor = '0'] = /^aws-cli\/((\d+)\.(\d+)\S*)/.exec(stdout) ?? []
  if (version === undefined) return undefined
  const least = major === '1' || major === '2' ? READS_ENDPOINT[major] : Infinity
  return { version, readsEndpoint: Number(minor) >= least }
}
