// Tabs, levels, a box for text, and a chip for each filter that the address names.
import { secondsOf, Time } from '../../kit/age.tsx'
import { Evidence } from '../../kit/evidence.tsx'
import { LevelMark, LEVELS, type Level } from '../../kit/level-mark.tsx'
import { TextFilter } from '../../kit/text-filter.tsx'
import type { InboxSearch } from '../../links.ts'
import { words } from '../../words/en.ts'
import { filtersOf } from './filter.ts'
import css from './inbox.module.css'

interface FilterBarProps {
  readonly search: InboxSearch
  /** What of the address was not understood. */
  readonly ignored: readonly (readonly [keyof InboxSearch, string])[]
  readonly onChange: (next: Partial<InboxSearch>) => void
}

const STATES = ['open', 'acknowledged', 'all'] as const

export function FilterBar({ search, ignored, onChange }: FilterBarProps) {
  const state = search.state ?? 'open'
  const levels = (search.level ?? '').split(',').filter(Boolean)
  const toggle = (level: Level) => {
    const next = levels.includes(level) ? levels.filter((it) => it !== level) : [...levels, level]
    onChange({ level: next.join(',') })
  }
  return (
    <>
      <div className={css['tabs']} role="group" aria-label={words.inbox.stateLabel}>
        {STATES.map((it) => (
          <button key={it} type="button" aria-pressed={state === it} onClick={() => onChange({ state: it })}>
            {words.inbox.tabs[it]}
          </button>
        ))}
      </div>
      <div
        className={[css['tabs'], css['levels']].join(' ')}
        role="group"
        aria-label={words.inbox.columns.level}
      >
        {LEVELS.map((it) => (
          <button key={it} type="button" aria-pressed={levels.includes(it)} onClick={() => toggle(it)}>
            <LevelMark level={it} hasWord />
          </button>
        ))}
      </div>
      <TextFilter
        label={words.inbox.search}
        hint={words.inbox.searchHint}
        text={search.q ?? ''}
        onChange={(q) => onChange({ q })}
      />
      {filtersOf(search)
        .filter(([key]) => key !== 'q' && key !== 'level')
        .map(([key, value]) => (
          <span key={key} className={css['chip']}>
            {nameOf(key)}{' '}
            {key === 'from' || key === 'to' ? (
              <Time atS={secondsOf(value)} />
            ) : (
              <Evidence text={value.startsWith('!') ? words.inbox.not(value.slice(1)) : value} />
            )}
            <button
              type="button"
              aria-label={words.inbox.clearOne(nameOf(key))}
              onClick={() => onChange({ [key]: '' })}
            >
              ×
            </button>
          </span>
        ))}
      {ignored.map(([key, value], at) => (
        <span key={`${key} ${at}`} role="alert" className={css['ignored']}>
          <span>
            {nameOf(key)} “<Evidence text={value} />” {words.inbox.ignored}
          </span>
          <button type="button" aria-label={words.inbox.clearOne(nameOf(key))} onClick={() => onChange({})}>
            ×
          </button>
        </span>
      ))}
    </>
  )
}

const nameOf = (key: keyof InboxSearch): string =>
  ({ ...words.inbox.filters, state: words.inbox.stateLabel, peek: words.inbox.peek })[key]
