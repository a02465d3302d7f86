import { Link } from '@tanstack/react-router'
import { PageHeading } from '../kit/page-heading.tsx'
import { links } from '../links.ts'
import { words } from '../words/en.ts'
import css from './outside.module.css'

export function NotFound() {
  return (
    <main className={css['outside']}>
      <PageHeading title={words.notFound.title} />
      <p>{words.notFound.text}</p>
      <p>
        <Link to={links.inbox}>{words.notFound.back}</Link>
      </p>
    </main>
  )
}
