// The one door for what an intruder could have written: text alone, never a link, never wider than its cell.
import { Fragment, useState } from 'react'
import { count, words } from '../words/en.ts'
import { CopyButton } from './copy-button.tsx'
import { rawOf, type Hostile } from './hostile.ts'
import css from './evidence.module.css'

const SHOWN = 200
/** Control, format (bidi, zero-width) and private characters, line separators, lone surrogates. */
const ODD = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}]/u
const SPLIT = /([\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}])/u

interface EvidenceProps {
  readonly text: Hostile | string
  /** Whether a long text may be unfolded here; in a row it may not. */
  readonly canUnfold?: boolean
}

export function Evidence({ text: given, canUnfold = false }: EvidenceProps) {
  const text = rawOf(given)
  const [isOpen, setOpen] = useState(false)
  const characters = text.length > SHOWN ? [...text] : undefined
  const isLong = characters !== undefined && characters.length > SHOWN
  const shown = isLong && !isOpen ? characters.slice(0, SHOWN).join('') : text
  return (
    <bdi className={css['evidence']}>
      {chips(shown)}
      {isLong && !isOpen && (
        <span className={css['more']}>
          {' '}
          {words.evidence.more(characters.length)}
          {canUnfold && (
            <>
              {', '}
              <button type="button" className={css['plain']} onClick={() => setOpen(true)}>
                {words.evidence.show}
              </button>
              {', '}
              <CopyButton text={text} label={words.evidence.copyRaw} isPlain />
            </>
          )}
        </span>
      )}
    </bdi>
  )
}

const chips = (text: string) =>
  text.split(SPLIT).map((part, at) =>
    part !== '' && ODD.test(part) && part.length <= 2 ? (
      <span key={at} className={css['chip']}>
        {codePoint(part)}
      </span>
    ) : (
      <Fragment key={at}>{part}</Fragment>
    ),
  )

const codePoint = (character: string): string =>
  `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`

/** The same for an attribute (a title, a label): odd characters are named. */
export const plainEvidence = (text: Hostile | string, most = SHOWN): string => {
  const characters = [...rawOf(text)]
  const shown = characters.slice(0, most).map((it) => (ODD.test(it) ? codePoint(it) : it))
  return shown.join('') + (characters.length > most ? ` … ${count(characters.length)}` : '')
}
