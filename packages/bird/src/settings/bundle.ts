// A settings bundle as it came from the console, and where the Bird keeps the one in force and the last good one.
import { createHash } from 'node:crypto'
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { BirdSettings } from '@rookery/decoys/session.ts'
import { writeWhole } from '../files.ts'

export interface Bundle {
  readonly tag: string
  readonly seq: number
  /** The settings object's JSON text, as it came; `sha256` is of its UTF-8. */
  readonly text: string
  readonly sha256: string
  readonly settings: BirdSettings
}

/** The bundle of these bytes; a sentence in words when they are not what was offered. */
export function readBundle(
  offer: { tag: string; seq: number; sha256: string },
  text: string,
): Bundle | string {
  if (createHash('sha256').update(text).digest('hex') !== offer.sha256)
    return 'the settings do not have the announced sha256'
  let settings: unknown
  try {
    settings = JSON.parse(text)
  } catch {
    return 'the settings are not JSON'
  }
  if (typeof settings !== 'object' || settings === null || Array.isArray(settings))
    return 'the settings are not an object'
  const { tag, seq, sha256 } = offer
  return { tag, seq, text, sha256, settings: settings as BirdSettings }
}

/** What is in force, and what it replaced: `previous` is there while `current` is on trial, and is what to go back to. */
export interface Kept {
  current?: Bundle
  previous?: Bundle
  /** `current` has not yet been seen to reach the console. */
  isOnTrial: boolean
}

export interface BundleStore {
  load(): Kept
  save(kept: Kept): void
  wipe(): void
}

type Written = Pick<Bundle, 'tag' | 'seq' | 'text' | 'sha256'>

export function bundleStore(directory: string, report: (message: string) => void): BundleStore {
  const path = join(directory, 'settings.json')
  const revive = (written: Written | undefined): Bundle | undefined => {
    const bundle = written && readBundle(written, written.text)
    if (typeof bundle !== 'string') return bundle
    report(`A settings bundle in ${path} is damaged (${bundle}); the Bird asks its console anew.`)
    return undefined
  }
  const written = ({ tag, seq, text, sha256 }: Bundle): Written => ({ tag, seq, text, sha256 })
  return {
    load() {
      let kept: { current?: Written; previous?: Written; isOnTrial?: boolean }
      try {
        kept = JSON.parse(readFileSync(path, 'utf8')) as typeof kept
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOENT')
          report(`${path} cannot be read: ${(error as Error).message}`)
        return { isOnTrial: false }
      }
      const previous = revive(kept.previous)
      const current = revive(kept.current) ?? previous
      return {
        ...(current && { current }),
        ...(previous && { previous }),
        isOnTrial: kept.isOnTrial === true && previous !== undefined && current !== previous,
      }
    },
    save({ current, previous, isOnTrial }) {
      writeWhole(
        path,
        JSON.stringify({
          isOnTrial,
          ...(current && { current: written(current) }),
          ...(previous && { previous: written(previous) }),
        }),
      )
    },
    wipe: () => rmSync(path, { force: true }),
  }
}
