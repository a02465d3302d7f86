// `settings.json`: the bundle in force and, while that one is on trial, the last good one.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { replaceFile } from '@rookery/spool/durable-files.ts'
import { readBundle, type Bundle } from './bundle.ts'

export const SETTINGS_FILE = 'settings.json'

export interface StoredSettings {
  readonly current?: Bundle | undefined
  /** What to roll back to while `current` is on trial. */
  readonly previous?: Bundle | undefined
}

type StoredBundle = Pick<Bundle, 'tag' | 'seq' | 'text' | 'sha256'>
interface Content {
  readonly isOnTrial?: boolean
  readonly current?: StoredBundle
  readonly previous?: StoredBundle
}

export function settingsFile(directory: string, report: (message: string) => void) {
  const path = join(directory, SETTINGS_FILE)

  function parse(stored: StoredBundle | undefined): Bundle | undefined {
    const result = stored && readBundle(stored, stored.text)
    if (!result || 'bundle' in result) return result?.bundle
    report(`A settings bundle in ${path} is damaged (${result.problem}); the console sends it again.`)
    return undefined
  }

  function read(): Content {
    try {
      return JSON.parse(readFileSync(path, 'utf8')) as Content
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT')
        report(`${path} cannot be read: ${(error as Error).message}. The console sends the settings again.`)
      return {}
    }
  }

  return {
    /** Damaged bundles are reported and left out. */
    load(): StoredSettings {
      const content = read()
      const previous = parse(content.previous)
      const current = parse(content.current)
      if (!current) return { current: previous }
      return content.isOnTrial === true ? { current, previous } : { current }
    },
    save({ current, previous }: StoredSettings) {
      const content: Content = {
        isOnTrial: previous !== undefined,
        ...(current && { current: toStored(current) }),
        ...(previous && { previous: toStored(previous) }),
      }
      replaceFile(path, JSON.stringify(content))
    },
  }
}

export type SettingsFile = ReturnType<typeof settingsFile>

const toStored = ({ tag, seq, text, sha256 }: Bundle): StoredBundle => ({ tag, seq, text, sha256 })
