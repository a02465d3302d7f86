import { useEffect, useState } from 'react'
import { words } from '../words/en.ts'
import { Button } from './button.tsx'
import css from './evidence.module.css'

interface CopyButtonProps {
  readonly text: string
  readonly label?: string
  readonly isPlain?: boolean
}

/** Says "Copied" for two seconds. */
export function CopyButton({ text, label = words.action.copy, isPlain = false }: CopyButtonProps) {
  const [isCopied, setCopied] = useState(false)
  useEffect(() => {
    if (!isCopied) return
    const timer = setTimeout(() => setCopied(false), 2_000)
    return () => clearTimeout(timer)
  }, [isCopied])
  const copy = () => {
    copyText(text).then(setCopied, () => setCopied(false))
  }
  const said = isCopied ? words.action.copied : label
  return isPlain ? (
    <button type="button" className={css['plain']} onClick={copy}>
      {said}
    </button>
  ) : (
    <Button onClick={copy}>{said}</Button>
  )
}

/** Answers whether it was copied. Plain HTTP has no clipboard API: there a selected field is copied. */
export async function copyText(text: string): Promise<boolean> {
  if (navigator.clipboard) {
    await navigator.clipboard.writeText(text)
    return true
  }
  const field = document.createElement('textarea')
  field.value = text
  field.className = 'visually-hidden'
  document.body.append(field)
  field.select()
  const isCopied = document.execCommand('copy')
  field.remove()
  return isCopied
}
