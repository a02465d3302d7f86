// The search of the top bar: what was typed, among all incidents. `/` goes to the page's own filter first.
import { useNavigate } from '@tanstack/react-router'
import { useRef, type FormEvent } from 'react'
import { areKeysOn, isForPage, usePageKeys } from '../kit/keys.ts'
import { links } from '../links.ts'
import { words } from '../words/en.ts'
import css from './shell.module.css'

export function Search() {
  const navigate = useNavigate()
  const input = useRef<HTMLInputElement>(null)
  usePageKeys((event) => {
    if (event.key !== '/' || !isForPage(event) || !areKeysOn()) return
    event.preventDefault()
    const field = document.querySelector<HTMLInputElement>('[data-filter]') ?? input.current
    field?.focus()
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const q = input.current?.value.trim()
    if (!input.current || !q) return
    // The inbox shows from now on what is searched for, and its list takes the keys.
    input.current.value = ''
    input.current.blur()
    void navigate({ to: links.inbox, search: { q, state: 'all' } })
  }
  return (
    <form role="search" className={css['search']} onSubmit={submit}>
      <input
        ref={input}
        type="search"
        maxLength={255}
        aria-label={words.nav.search}
        placeholder={words.nav.searchHint}
        onKeyDown={({ key, currentTarget }) => {
          if (key === 'Escape' && currentTarget.value === '') currentTarget.blur()
        }}
      />
    </form>
  )
}
