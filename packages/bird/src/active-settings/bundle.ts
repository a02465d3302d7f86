// A settings bundle as the console sends it.
import { createHash } from 'node:crypto'
import type { BirdSettings } from '@rookery/decoys/session/session.ts'

export interface Bundle {
  readonly tag: string
  readonly seq: number
  /** The JSON text of the settings object, as the console sent it; `sha256` is of its UTF-8. */
  readonly text: string
  readonly sha256: string
  readonly settings: BirdSettings
}

/** The bundle of an offer and its text; or, as a phrase, why the text is not what was offered. */
export function readBundle(
  { tag, seq, sha256 }: Pick<Bundle, 'tag' | 'seq' | 'sha256'>,
  text: string,
): { readonly bundle: Bundle } | { readonly problem: string } {
  if (createHash('sha256').update(text).digest('hex') !== sha256)
    return { problem: 'the settings do not have the announced sha256' }
  let settings: unknown
  try {
    settings = JSON.parse(text)
  } catch {
    return { problem: 'the settings are not JSON' }
  }
  if (typeof settings !== 'object' || settings === null || Array.isArray(settings))
    return { problem: 'the settings are not an object' }
  return { bundle: { tag, seq, text, sha256, settings: settings as BirdSettings } }
}
