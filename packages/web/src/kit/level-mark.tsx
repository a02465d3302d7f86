// How far an intruder went: a shape, a colour and a word, so that none of them has to be seen alone.
import { words } from '../words/en.ts'
import css from './level-mark.module.css'

/** The worst first. */
export const LEVELS = ['used', 'tried', 'looked', 'house'] as const
export type Level = (typeof LEVELS)[number]

const SHAPES: Record<Level, string> = {
  used: 'M8 1 15 8 8 15 1 8Z',
  tried: 'M8 2 15 14H1Z',
  looked: 'M8 2a6 6 0 1 1 0 12A6 6 0 0 1 8 2Z',
  house: 'M8 2a6 6 0 1 1 0 12A6 6 0 0 1 8 2Zm0 2a4 4 0 1 0 0 8 4 4 0 0 0 0-8Z',
}

export function LevelMark({ level, hasWord = false }: { readonly level: Level; readonly hasWord?: boolean }) {
  const word = words.level[level]
  return (
    <span className={[css['mark'], css[level]].join(' ')}>
      <svg viewBox="0 0 16 16" width="14" height="14" role="img" aria-label={word}>
        <path d={SHAPES[level]} fill="currentColor" fillRule="evenodd" />
      </svg>
      {hasWord && <span aria-hidden="true">{word}</span>}
    </span>
  )
}
