// The metadata of an identity provider, and whether assertions are held against it.
import { useState } from 'react'
import { call } from '../../api/call.ts'
import { useWhyNot } from '../../can.ts'
import { Button } from '../../kit/button.tsx'
import { Evidence } from '../../kit/evidence.tsx'
import { Field } from '../../kit/form-fields.tsx'
import { ProblemBox } from '../../kit/problem-box.tsx'
import fieldCss from '../../kit/text-field.module.css'
import type { Token } from './queries.ts'
import css from './tokens.module.css'
import { sizeText, words } from './words.ts'

const MAX_BYTES = 512 * 1024

export function ProviderMetadata({ token: { decoytoken, flock_id } }: { readonly token: Token }) {
  const reason = useWhyNot('idpAppValidation', 'saveMetadata', [flock_id])
  const [file, setFile] = useState<File | undefined>()
  const wrong = file && file.size > MAX_BYTES ? words.metadata.tooLarge(sizeText(file.size)) : undefined
  const [said, setSaid] = useState('')
  const [problem, setProblem] = useState<unknown>()
  const act = async (work: () => Promise<string>) => {
    setProblem(undefined)
    setSaid('')
    try {
      setSaid(await work())
    } catch (error) {
      setProblem(error)
    }
  }
  const save = (metadata: File | undefined) =>
    act(async () => {
      const answer = await call('idpAppValidation', 'saveMetadata', {
        decoytoken,
        ...(metadata && { metadata }),
      })
      return words.metadata.saved(answer.metadata_entity_id)
    })
  const validate = (is: boolean) =>
    act(async () => {
      await call('idpAppValidation', is ? 'enable' : 'disable', { decoytoken })
      return is ? words.metadata.validated : words.metadata.notValidated
    })
  return (
    <section>
      <h2>{words.metadata.title}</h2>
      <p>{words.metadata.lead}</p>
      <div className={css['form']}>
        <Field label={words.metadata.file} error={wrong}>
          {(props) => (
            <input
              {...props}
              type="file"
              accept=".xml"
              className={fieldCss['input']}
              onChange={({ target }) => setFile(target.files?.[0])}
            />
          )}
        </Field>
        <p className={css['tools']}>
          <Button
            // Without a file it would be forgotten, which has a button of its own.
            reason={reason ?? wrong ?? (file ? undefined : words.metadata.choose)}
            onClick={() => void save(file)}
          >
            {words.metadata.save}
          </Button>
          <Button reason={reason} onClick={() => void save(undefined)}>
            {words.metadata.forget}
          </Button>
          <Button reason={reason} onClick={() => void validate(true)}>
            {words.metadata.validate}
          </Button>
          <Button reason={reason} onClick={() => void validate(false)}>
            {words.metadata.dont}
          </Button>
        </p>
        <p role="status">
          <Evidence text={said} />
        </p>
        {problem !== undefined && <ProblemBox error={problem} />}
      </div>
    </section>
  )
}
