import { useSuspenseQuery } from '@tanstack/react-query'
import { Prose } from '../../kit/prose.tsx'
import { sessionQuery } from '../../session/session-query.ts'
import { words } from '../../words/en.ts'
import { Fact } from './general.tsx'
import css from './settings.module.css'
import { settingsWords } from './words.ts'

const said = settingsWords.about

export function About() {
  const { data } = useSuspenseQuery(sessionQuery)
  return (
    <dl className={css['facts']}>
      <Fact name={said.version}>
        {words.product} {data.console.version}
      </Fact>
      <Fact name={said.licence} note={said.licenceText}>
        {said.licenceName}
      </Fact>
      <Fact name={said.api}>
        <a className={css['link']} href="/docs">
          {said.apiLink}
        </a>
        <a className={css['link']} href="/api/v1/openapi.json">
          {said.openapi}
        </a>
      </Fact>
      <Fact name={said.docs}>{said.docsText}</Fact>
      <Fact name={said.help}>
        <Prose text={said.helpText} />
      </Fact>
    </dl>
  )
}
