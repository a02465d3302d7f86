// Nothing for 150 ms, then a skeleton, after 3 s a sentence: no page shows a bare spinner.
import { useEffect, useState } from 'react'
import { words } from '../words/en.ts'
import css from './loading.module.css'

export function Loading({ rows = 6 }: { readonly rows?: number }) {
  const [waited, setWaited] = useState<'no' | 'a while' | 'long'>('no')
  useEffect(() => {
    const soon = setTimeout(() => setWaited('a while'), 150)
    const late = setTimeout(() => setWaited('long'), 3_000)
    return () => {
      clearTimeout(soon)
      clearTimeout(late)
    }
  }, [])
  if (waited === 'no') return <div aria-busy="true" />
  return (
    <div aria-busy="true" className={css['loading']}>
      {Array.from({ length: rows }, (_, at) => (
        <div key={at} className={css['bar']} />
      ))}
      {waited === 'long' && <p role="status">{words.inbox.slow}</p>}
    </div>
  )
}
