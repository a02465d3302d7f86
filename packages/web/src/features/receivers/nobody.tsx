// The notice in the inbox, with the way to the page of receivers.
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { links } from '../../links.ts'
import { receiversQuery } from './queries.ts'
import css from './receivers.module.css'
import { Unreached } from './unreached.tsx'
import { receiverWords } from './words.ts'

export function Nobody() {
  const { data } = useQuery(receiversQuery)
  if (!data || data.unreached.length === 0) return null
  return (
    <div className={css['notice']}>
      <Unreached flocks={data.unreached} />
      <Link to={links.receivers}>{receiverWords.open}</Link>
    </div>
  )
}
